/** How the commands reach a running sandbox, and what they print if it is not there, or refuses. */

import type { ServerResponse } from 'node:http';
import type { Sandbox } from 'payments-client-sandbox';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../../test/support/sandbox.ts';
import { type RunningServer, serve } from '../../../test/support/serve.ts';
import { closedUrl } from '../../../test/support/socket-server.ts';
import { endAll, launch, parse, run } from './support.ts';

afterEach(endAll);

/** The faults that wait for requests. */
async function faultsOf(sandbox: Sandbox): Promise<unknown> {
  const headers = { authorization: `Bearer ${sandbox.secretKey}` };
  const response = await sandbox.fetch(new Request(`${sandbox.url}/_sandbox/faults`, { headers }));
  return JSON.parse(await response.text()).data;
}

/** A sandbox in this process, and the options that lead to it. */
async function start() {
  const sandbox = await startSandbox();
  return { sandbox, where: ['--url', sandbox.url, '--secret-key', sandbox.secretKey] };
}

/** Serves until the test ends. */
async function served(...given: Parameters<typeof serve>): Promise<RunningServer> {
  const server = await serve(...given);
  onTestFinished(() => server.close());
  return server;
}

/** Runs a command that must fail: one line for people, and one for programs with the same message and a code. */
async function failure(args: readonly string[], env = {}) {
  const [text, json] = [await run(args, env), await run([...args, '--json'], env)];
  expect([text.stdout, json.stdout, json.code]).toEqual(['', '', text.code]);
  const { error } = parse(json.stderr);
  const { code, message } = Object(error);
  expect(text.stderr).toBe(`payments-client: ${message}\n`);
  expect(text.stderr).not.toMatch(/unexpected|\n {4}at /);
  return { exit: text.code, code, message };
}

describe('the sandbox refuses', () => {
  test.each<readonly [line: string, code: string, message: RegExp]>([
    ['pay cs_none', 'INVALID_PARAMETER', /that waits for a payment, got 'cs_none', which does not exist\./],
    [
      'pay pi_none --payment-method card',
      'INVALID_PARAMETER',
      /payment_method: expected an id that starts with 'pm_'/,
    ],
    [
      'trigger customer.created --set frist_name=1',
      'INVALID_PARAMETER',
      /\.frist_name: .*did you mean 'first_name'/,
    ],
    ['trigger chargeback.received --set amout=1', 'INVALID_PARAMETER', /\.amout: .*did you mean 'amount'/],
    [
      'trigger refund.failed --set amount=12.00',
      'INVALID_PARAMETER',
      /amount: expected an integer, got a string of 5/,
    ],
    ['faults inject latency --set ms=soon', 'INVALID_PARAMETER', /ms: expected a number from 0 .*, got /],
    ['clock advance 3_dayz', 'INVALID_PARAMETER', /a text such as '2 weeks', '3 days', .*, got .+\./],
    ['clock advance 3', 'INVALID_PARAMETER', /a text such as '2 weeks'/],
    ['webhooks replay evt_none', 'INVALID_PARAMETER', /evt_none/],
    [
      'events --secret-key sk_v1_test_other',
      'INVALID_SECRET_KEY',
      /no such secret key.* Pass that one as --secret-key\./,
    ],
  ])('%s, with exit code 1, and changes nothing', async (line, code, message) => {
    const { sandbox, where } = await start();
    const args = line.split(' ').map((word) => word.replace('3_', '3 '));
    const key = line.includes('--secret-key') ? where.slice(0, 2) : where;
    expect(await failure([...args, ...key])).toEqual({
      exit: 1,
      code,
      message: expect.stringMatching(message),
    });
    expect([sandbox.events, await faultsOf(sandbox)]).toEqual([[], []]);
  });
});

describe('the sandbox is not there:', () => {
  test.each<readonly [string, () => Promise<RunningServer>, string]>([
    [
      'a server without JSON',
      () => served((_, response) => void response.writeHead(404).end('none')),
      'got the status 404.',
    ],
    [
      'a server of other errors',
      () => served((_, response) => void response.writeHead(400).end('{"error":{}}')),
      'got the status 400.',
    ],
    [
      'a page for every path',
      () => served((_, response) => void response.end('<!doctype html>')),
      'got other text.',
    ],
  ])('%s', async (_, serveOther, got) => {
    const { url } = await serveOther();
    const message = `expected a sandbox at ${url}/, ${got}`;
    expect(await failure(['webhooks', 'replay', 'evt_1', '--url', url])).toEqual({
      exit: 1,
      code: 'NO_SANDBOX',
      message,
    });
  });

  test.each([
    'events',
    'events --follow',
    'requests --follow',
    'faults',
    'faults clear',
    'seed',
    'trigger customer.created',
  ])('nothing listens for %s', async (line) => {
    expect(await failure([...line.split(' '), '--url', closedUrl])).toEqual({
      exit: 1,
      code: 'NO_SANDBOX',
      message: expect.stringMatching(
        /nothing listens there\. Start one with 'payments-client sandbox', or pass its URL/,
      ),
    });
  });

  test.each<readonly [string, (response: ServerResponse) => void]>([
    ['ends', (response) => void response.end('{"done":1,"total":2}\n{"done":2,"total":2}')],
    ['breaks', (response) => void response.write('{"done":1,"total":2}\n', () => response.destroy())],
  ])('its answer %s before the work is complete', async (_, answer) => {
    const { url } = await served((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      answer(response);
    });
    expect(await failure(['seed', '--url', url])).toEqual({
      exit: 1,
      code: 'NO_SANDBOX',
      message: expect.stringMatching(/^the sandbox stopped before the work was complete/),
    });
  });

  test('the address in the environment is no address', async () => {
    const { code, stderr } = await run(['events'], { PAYMENTS_BASE_URL: 'nowhere' });
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^payments-client events: expected PAYMENTS_BASE_URL to be an http:\/\/ or https:\/\/ address, got 'nowhere'\. .*\n$/,
    );
  });
});

test.each([
  ['before the command', (where: readonly string[]) => [...where, 'faults', 'inject', 'hold']],
  ['between its words', (where: readonly string[]) => ['faults', ...where, 'inject', 'hold']],
  ['with --json before it', (where: readonly string[]) => ['--json', 'faults', 'inject', 'hold', ...where]],
])('the address of the sandbox may stand %s', async (_, line) => {
  const { sandbox, where } = await start();
  expect(await run(line(where))).toMatchObject({ code: 0, stderr: '' });
  expect(await faultsOf(sandbox)).toMatchObject([{ fault: { kind: 'hold' } }]);
});

describe('following', () => {
  test.each(['events', 'requests'])('%s ends with the sandbox and a message', async (command) => {
    const { sandbox, where } = await start();
    const follower = launch([command, '--follow', '--json', ...where]);
    await follower.message('Following. Press Ctrl+C to stop.');
    sandbox.trigger('customer.created');
    await fetch(`${sandbox.url}/v1/customers`);
    // The requests are without events and deliveries.
    const kinds = command === 'events' ? ['action', 'event', 'request'] : ['request'];
    for (const kind of kinds) expect(parse(await follower.line())).toMatchObject({ kind });
    await sandbox.close();
    const { code, stdout, stderr } = await follower.ended;
    expect([code, stdout.trim().split('\n').length]).toEqual([0, kinds.length]);
    expect(stderr).toMatch(/\nThe sandbox stopped\.\n$/);
  });

  test('events of one type has its deliveries, and nothing else', async () => {
    const { sandbox } = await start();
    sandbox.webhooks.deliverTo(() => new Response());
    const where = ['--url', sandbox.url, '--secret-key', sandbox.secretKey];
    const follower = launch(['events', '--follow', '--type', 'refund.failed', '--json', ...where]);
    await follower.message('Following');
    sandbox.trigger('customer.created');
    const { id } = sandbox.trigger('refund.failed');
    for (const kind of ['event', 'delivery'])
      expect(parse(await follower.line())).toMatchObject({ kind, event: { id, type: 'refund.failed' } });
    await sandbox.close();
    await follower.ended;
  });
});
