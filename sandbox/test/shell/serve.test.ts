/** The command `sandbox`: how it starts, what it keeps and shows, and how it ends. */

import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { stripVTControlCharacters } from 'node:util';
import { PaymentsClient } from 'payments-client';
import { Webhooks } from 'payments-client/webhooks';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { serve } from '../../../test/support/serve.ts';
import { temporaryFile } from '../../../test/support/temporary-file.ts';
import { endAll, launch, parse, run, runSandbox } from './support.ts';

afterEach(endAll);

const ofKind = (kind: string) => (line: string) => parse(line)['kind'] === kind;

/** A client of a running sandbox. */
const clientOf = ({ url, ready }: Awaited<ReturnType<typeof runSandbox>>) =>
  new PaymentsClient({ baseUrl: url, secretKey: String(ready['secret_key']) });

async function fileOf(content: string): Promise<string> {
  const file = await temporaryFile();
  await writeFile(file, content);
  return file;
}

test('signs what it forwards, logs what happens as JSON, and ends without a message', async () => {
  const received: Promise<Request>[] = [];
  const shop = await serve((request, response) => {
    const headers = new Headers(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    received.push(
      request
        .toArray()
        .then(
          (chunks) => new Request('http://shop', { method: 'POST', headers, body: Buffer.concat(chunks) }),
        ),
    );
    response.writeHead(204).end();
  });
  onTestFinished(() => shop.close());
  const sandbox = await runSandbox(['--forward-to', shop.url.replace('http://', '')]);
  // An app in real time accepts deliveries of an advanced clock too.
  await sandbox.call('clock', 'advance', '3 days');
  const event = parse((await sandbox.call('trigger', 'customer.created')).stdout);
  expect(parse(await sandbox.line(ofKind('delivery')))).toMatchObject({
    event: { id: event['id'] },
    status: 'delivered',
  });
  const delivery = await received[0];
  const webhooks = new Webhooks({ secret: String(sandbox.ready['webhook_secret']) });
  expect(
    await webhooks.verify((await delivery?.text()) ?? '', delivery?.headers ?? new Headers()),
  ).toMatchObject({
    id: event['id'],
  });
  expect(sandbox.ready).toMatchObject({
    endpoints: [{ url: shop.url, secret: sandbox.ready['webhook_secret'] }],
  });
  const stopped = await sandbox.stop();
  expect([stopped.code, stopped.stderr]).toEqual([0, '']);
  for (const line of stopped.stdout.trim().split('\n')) expect(parse(line)).toHaveProperty('kind');
});

test('logs the calls of a client, whose commands find it by the environment', async () => {
  const sandbox = await runSandbox(['--secret-key', 'sk_v1_test_mine']);
  const { paymentIntents } = clientOf(sandbox);
  for (const replayed of [false, true]) {
    await paymentIntents.create({ amount: 1200, currency: 'usd' }, { idempotencyKey: 'order-1' });
    const request = { method: 'POST', path: '/v1/payment_intents', status: 200, idempotencyKey: 'order-1' };
    expect(parse(await sandbox.line(ofKind('request')))).toMatchObject({ ...request, replayed });
  }
  const env = { PAYMENTS_BASE_URL: `${sandbox.url}/`, PAYMENTS_SECRET_KEY: 'sk_v1_test_mine' };
  const { code, stdout } = await run(['events', '--json', '--type', 'payment_intent.created'], env);
  expect([code, stdout.trim().split('\n').length]).toEqual([0, 1]);
});

test('its clock runs', async () => {
  const sandbox = await runSandbox();
  const headers = { authorization: `Bearer ${sandbox.ready['secret_key']}` };
  const state: unknown = await (await fetch(`${sandbox.url}/_sandbox/state`, { headers })).json();
  expect(state).toMatchObject({ clock: { running: true } });
});

test('the greeting fits ten lines, shows no key, and says how to get them', async () => {
  const targets = ['--forward-to', 'localhost:1/x', '--forward-to', 'localhost:2/y'];
  const sandbox = launch(['sandbox', '--port', '0', ...targets]);
  const url = /http:\S+:\d+/.exec(await sandbox.line())?.[0] ?? '';
  const { stdout, stderr } = await sandbox.stop();
  const text = stripVTControlCharacters(stdout);
  expect(text.split('\n').length).toBeLessThanOrEqual(10);
  for (const line of [
    new RegExp(`^ {2}dashboard +${url}/$`, 'm'),
    new RegExp(`^ {2}checkout at +${url}/checkout/<session id>$`, 'm'),
    /^ {2}deliveries to +http:\/\/localhost:1\/x, http:\/\/localhost:2\/y$/m,
    new RegExp(`^ {2}npx payments-client env --url ${url} `, 'm'),
    new RegExp(`^ {2}npx payments-client pay <session id> --url ${url} `, 'm'),
  ])
    expect(text).toMatch(line);
  expect(text + stderr).not.toMatch(/[sp]k_v1_test_|whsec_|\b[0-9a-f]{32}\b/);
});

test('a data file keeps the data and the keys for the next start', async () => {
  const args = ['--data', await temporaryFile(), '--forward-to', 'localhost:1/x'];
  const first = await runSandbox(args);
  await first.call('trigger', 'customer.created');
  expect((await first.stop()).code).toBe(0);
  const second = await runSandbox([...args, '--webhook-secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']);
  const { url: _, ...kept } = first.ready;
  // An endpoint keeps the secret that it got first.
  expect(second.ready).toMatchObject(kept);
  const { stdout } = await second.call('events');
  expect(stdout.trim().split('\n').map(parse)).toMatchObject([{ event: { type: 'customer.created' } }]);
});

test('a seed makes the same ids at each start', async () => {
  const idOf = async (...args: readonly string[]) => {
    const { call } = await runSandbox(args);
    return parse((await call('add', 'customer')).stdout)['id'];
  };
  expect(await idOf('--seed', 'x')).toBe(await idOf('--seed', 'x'));
  expect(await idOf('--seed', 'x')).not.toBe(await idOf());
});

test('--only-shown-fields drops the other fields of a session', async () => {
  const line_items = [{ name: 'Tea', amount: 1200, currency: 'usd', quantity: 1 }];
  const params = { mode: 'payment', line_items, client_reference_id: 'order-1042' } as const;
  const referenceOf = async (...args: string[]) => {
    const { checkoutSessions } = clientOf(await runSandbox(args));
    return (await checkoutSessions.create(params, { operationId: 'order-1042' })).client_reference_id;
  };
  expect(await referenceOf()).toBe('order-1042');
  expect(await referenceOf('--only-shown-fields')).toBeNull();
});

test('endpoints registered over HTTP must be on this machine, unless remote endpoints are allowed', async () => {
  const remote = 'https://shop.example/hook';
  const register = async (...args: string[]) => {
    const { url, ready } = await runSandbox(args);
    const headers = { authorization: `Bearer ${ready['secret_key']}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ url: remote });
    return (await fetch(`${url}/v1/webhook_endpoints`, { method: 'POST', headers, body })).status;
  };
  expect([await register(), await register('--allow-remote-webhooks')]).toEqual([400, 200]);
  // What the developer writes is free.
  const { ready } = await runSandbox(['--forward-to', remote]);
  expect(ready).toMatchObject({ endpoints: [{ url: remote }] });
});

describe('--interface', () => {
  test('uses the forms of the file, which a client reads from the same file', async () => {
    const file = await fileOf('{ "itemsField": "rows", "routes": { "products.list": "GET /v1/catalog" } }');
    const sandbox = await runSandbox(['--interface', file]);
    const headers = { authorization: `Bearer ${sandbox.ready['secret_key']}` };
    const response = await fetch(`${sandbox.url}/v1/catalog`, { headers });
    expect(await response.json()).toEqual({ rows: [], has_more: false });
    vi.stubEnv('PAYMENTS_INTERFACE', file);
    expect((await clientOf(sandbox).products.list()).items).toEqual([]);
  });

  test.each([
    ['{ "errorShape": "round" }', /in '.+': interface\.errorShape: expected 'nested' or .+, got 'round'\./],
    ['{ "itemField": "rows" }', /interface\.itemField: .*did you mean 'itemsField'\?/],
    [
      '{ "webhooks": { "scheme": "bodyHmac" } }',
      /interface\.webhooks\.header: expected the name of a header/,
    ],
    ['[]', /expected --interface to be a file with a JSON object, got other text in '/],
    ['{', /expected --interface to be a file with a JSON object/],
  ])('refuses a file with %s on one line', async (content, message) => {
    const file = await fileOf(content);
    const { code, stdout, stderr } = await run(['sandbox', '--port', '0', '--interface', file]);
    expect([code, stdout, stderr.trimEnd().split('\n').length]).toEqual([2, '', 1]);
    expect(stderr).toMatch(message);
  });
});

describe('what cannot be used is one line with a code:', () => {
  test.each<readonly [string, () => Promise<readonly string[]>, string, RegExp]>([
    [
      'a port',
      async () => {
        const other = await serve(() => {});
        onTestFinished(() => other.close());
        return ['--port', new URL(other.url).port];
      },
      'PORT_NOT_USABLE',
      /the port \d+ is in use\. Choose another with --port, or 0/,
    ],
    [
      'a folder as data file',
      async () => ['--data', tmpdir()],
      'FILE_NOT_USABLE',
      /the data file '.*' cannot be used: /,
    ],
    [
      'a place for a data file',
      async () => ['--data', '/proc/none/x'],
      'FILE_NOT_USABLE',
      /the data file '.*' cannot/,
    ],
    [
      'an interface file',
      async () => ['--interface', await temporaryFile()],
      'FILE_NOT_USABLE',
      /expected --interface to be a readable file, got '.+' \(ENOENT\)\./,
    ],
  ])('%s', async (_, more, code, message) => {
    const ended = await run(['sandbox', '--json', '--port', '0', ...(await more())]);
    expect([ended.code, ended.stdout]).toEqual([1, '']);
    expect(parse(ended.stderr)).toEqual({ error: { code, message: expect.stringMatching(message) } });
  });
});
