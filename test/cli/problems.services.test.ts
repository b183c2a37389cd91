import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { endAll, run, runSandbox } from './support.ts';

const servers: Server[] = [];

// Each program takes its time to start on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

afterEach(async () => {
  await endAll();
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

async function taken(status = 200): Promise<number> {
  const server = createServer((_, response) => response.writeHead(status).end('no sandbox')).listen(
    0,
    '127.0.0.1',
  );
  servers.push(server);
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function expectLine(stderr: string, pattern: RegExp): void {
  expect(stderr).toMatch(pattern);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(stderr).not.toMatch(/\n {4}at |unexpected/);
}

test('a port that is in use', async () => {
  const port = await taken();
  const { code, stdout, stderr } = await run(['sandbox', '--port', String(port)]);
  expect([code, stdout]).toEqual([1, '']);
  expectLine(stderr, new RegExp(`the port ${port} is in use\\. Choose another with --port`));
});

test('a data file that cannot be used', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
  try {
    const { code, stderr } = await run(['sandbox', '--port', '0', '--data', folder]);
    expect(code).toBe(1);
    expectLine(stderr, /the data file '.*' cannot be used: /);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('no sandbox, or something else, at the address', async () => {
  const port = await taken(404);
  const [nobody] = servers.splice(0);
  const url = `http://127.0.0.1:${port}`;
  const other = await run(['replay', 'evt_1', '--url', url]);
  expect(other.code).toBe(1);
  expectLine(other.stderr, /expected a sandbox at http:.*, got the status 404/);
  await new Promise((resolve) => nobody?.close(resolve));
  for (const args of [
    ...[['events'], ['events', '--follow'], ['requests'], ['requests', '--follow']],
    ...[['faults'], ['faults', 'clear'], ['seed'], ['trigger', 'customer.created']],
  ]) {
    const { code, stderr } = await run([...args, '--url', url]);
    expect(code).toBe(1);
    expectLine(stderr, /nothing listens there\. Start one with 'payments-client sandbox'/);
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
    expectLine(stderr, new RegExp(`\\.${field}: expected one of .*did you mean '${meant}'`));
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
    expectLine(duration.stderr, new RegExp(`a text such as '2 weeks', '3 days', .*, got '${wrong}'\\.`));
  }
  const event = await call('replay', 'evt_none');
  expect(event.code).toBe(1);
  expectLine(event.stderr, /evt_none/);
});
