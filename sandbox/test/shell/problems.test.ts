/** Each failure of a command is one line that says what to do. */

import { tmpdir } from 'node:os';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { type RunningServer, serve } from '../../../test/support/serve.ts';
import { endAll, run, runSandbox } from './support.ts';

afterEach(endAll);

/** Serves until the test ends. */
async function served(...given: Parameters<typeof serve>): Promise<RunningServer> {
  const server = await serve(...given);
  onTestFinished(() => server.close());
  return server;
}

function expectLine(stderr: string, pattern: RegExp): void {
  expect(stderr).toMatch(pattern);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(stderr).not.toMatch(/\n {4}at |unexpected/);
}

test('a port that is in use', async () => {
  const { port } = new URL((await served(() => {})).url);
  const { code, stdout, stderr } = await run(['sandbox', '--port', port]);
  expect([code, stdout]).toEqual([1, '']);
  expectLine(stderr, new RegExp(`the port ${port} is in use\\. Choose another with --port`));
});

test.each([tmpdir(), '/proc/none/data'])('a data file that cannot be used: %s', async (file) => {
  const { code, stderr } = await run(['sandbox', '--port', '0', '--data', file]);
  expect(code).toBe(1);
  expectLine(stderr, /the data file '.*' cannot be used: /);
});

test('an invalid address in the environment', async () => {
  const { code, stderr } = await run(['events'], { PAYMENTS_BASE_URL: 'nowhere' });
  expect(code).toBe(2);
  expectLine(stderr, /expected PAYMENTS_BASE_URL to be an http:\/\/ or https:\/\/ address, got 'nowhere'\./);
});

test('no sandbox, or something else, at the address', async () => {
  for (const [status, body] of [
    [404, 'no sandbox'],
    [400, '{"error":{}}'],
  ] as const) {
    const { url } = await served((_, response) => void response.writeHead(status).end(body));
    const { code, stderr } = await run(['webhooks', 'replay', 'evt_1', '--url', url]);
    expect(code).toBe(1);
    expectLine(stderr, new RegExp(`expected a sandbox at ${url}/, got the status ${status}\\.`));
  }
  const gone = await served(() => {});
  gone.close();
  for (const args of [
    ['events'],
    ['events', '--follow'],
    ['requests'],
    ['requests', '--follow'],
    ['faults'],
    ['faults', 'clear'],
    ['seed'],
    ['trigger', 'customer.created'],
  ]) {
    const { code, stderr } = await run([...args, '--url', gone.url]);
    expect(code).toBe(1);
    expectLine(stderr, /nothing listens there\. Start one with 'payments-client sandbox'/);
  }
});

test('sample data that is not complete', async () => {
  const half = await served((_, response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.end('{"done":1,"total":2}\n{"done":2,"total":2}');
  });
  const torn = await served((_, response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.write('{"done":1,"total":2}\n', () => response.destroy());
  });
  for (const { url } of [half, torn]) {
    const { code, stdout, stderr } = await run(['seed', '--url', url]);
    expect([code, stdout]).toEqual([1, '']);
    expectLine(stderr, /^payments-client: the sandbox stopped before the work was complete/);
  }
});

test('a field that the object does not have is refused by the sandbox', async () => {
  const { call } = await runSandbox();
  for (const [type, field, meant] of [
    ['customer.created', 'frist_name', 'first_name'],
    ['refund.failed', 'amout', 'amount'],
    ['chargeback.received', 'amout', 'amount'],
  ] as const) {
    const { code, stderr } = await call('trigger', type, '--set', `${field}=1`);
    expect(code).toBe(1);
    expectLine(stderr, new RegExp(`\\.${field}: expected a known name, .*did you mean '${meant}'`));
  }
  expect((await call('events')).stdout).toBe('');
});

test('a wrong key, an unknown event and a wrong duration are refused by the sandbox', async () => {
  const { call } = await runSandbox();
  const wrong = await call('events', '--secret-key', 'sk_v1_test_other');
  expect(wrong.code).toBe(1);
  expectLine(wrong.stderr, /no such secret key.*--secret-key/);
  for (const wrong of ['a while', '3 dayz', '3', '3 months']) {
    const duration = await call('clock', 'advance', wrong);
    expect(duration.code).toBe(1);
    expectLine(duration.stderr, /a text such as '2 weeks', '3 days', .*, got .+\./);
  }
  const event = await call('webhooks', 'replay', 'evt_none');
  expect(event.code).toBe(1);
  expectLine(event.stderr, /evt_none/);
});
