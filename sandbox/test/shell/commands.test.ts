import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import { PaymentsClient } from 'payments-client';
import { Webhooks } from 'payments-client/webhooks';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { serve } from '../../../test/support/serve.ts';
import { temporaryFile } from '../../../test/support/temporary-file.ts';
import { endAll, launch, parse, run, runSandbox } from './support.ts';

afterEach(endAll);

/** A merchant's receiver of webhooks. */
async function receiver() {
  const received: { readonly headers: Headers; readonly body: string }[] = [];
  const arrivals = new EventTarget();
  const server = await serve(async (request, response) => {
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
    received.push({ headers, body: await text(request) });
    response.writeHead(204).end();
    arrivals.dispatchEvent(new Event('arrival'));
  });
  onTestFinished(() => server.close());
  const next = async () => {
    for (;;) {
      const first = received.shift();
      if (first !== undefined) return first;
      await once(arrivals, 'arrival');
    }
  };
  return { url: `${server.url}/webhooks`, next };
}

const ofKind = (kind: string) => (line: string) => parse(line)['kind'] === kind;

test('start, trigger, receive the signed delivery, follow, replay, stop', async () => {
  const shop = await receiver();
  const sandbox = await runSandbox(['--forward-to', shop.url.replace('http://', '')]);
  const [endpoint] = Array.isArray(sandbox.ready['endpoints']) ? sandbox.ready['endpoints'] : [];
  expect(endpoint).toMatchObject({ url: shop.url, secret: expect.stringMatching(/^whsec_/) });
  const webhooks = new Webhooks({ secret: endpoint.secret });

  const follower = launch(['events', '--follow', '--json', '--url', sandbox.url]);
  await follower.message('Following');
  const triggered = await sandbox.call(
    'trigger',
    'customer.created',
    '--set',
    'first_name=Ada',
    '--set',
    'metadata.order="7"',
    '--set',
    'metadata.table=12',
  );
  expect(triggered).toMatchObject({ code: 0, stderr: '' });
  const event = parse(triggered.stdout);
  expect(event).toMatchObject({
    data: { object: { first_name: 'Ada', metadata: { order: '7', table: '12' } } },
  });

  const { body, headers } = await shop.next();
  expect(await webhooks.verify(body, headers)).toMatchObject({ id: event['id'], type: 'customer.created' });
  expect(parse(await follower.line(ofKind('event')))).toMatchObject({ event: { id: event['id'] } });
  expect(parse(await follower.line(ofKind('delivery')))).toMatchObject({
    event: { id: event['id'] },
    status: 'delivered',
  });

  const replayed = await sandbox.call('webhooks', 'replay', String(event['id']));
  expect(parse(replayed.stdout)).toMatchObject({ eventId: event['id'], replayed: true });
  expect((await shop.next()).body).toBe(body);

  const stopped = await sandbox.stop();
  expect([stopped.code, stopped.stderr]).toEqual([0, '']);
  for (const line of stopped.stdout.trim().split('\n')) expect(parse(line)).toHaveProperty('kind');
  expect((await follower.ended).code).toBe(0);
});

test('a client configured by the environment works, and the live log shows its calls', async () => {
  const sandbox = await runSandbox(['--secret-key', 'sk_v1_test_mine']);
  const payments = new PaymentsClient({ baseUrl: sandbox.url, secretKey: 'sk_v1_test_mine' });
  const params = { amount: 1200, currency: 'usd' };
  await payments.paymentIntents.create(params, { idempotencyKey: 'order-1' });
  await payments.paymentIntents.create(params, { idempotencyKey: 'order-1' });
  const request = { method: 'POST', path: '/v1/payment_intents', status: 200, idempotencyKey: 'order-1' };
  const fits = ofKind('request');
  expect(parse(await sandbox.line(fits))).toMatchObject({ ...request, replayed: false });
  expect(parse(await sandbox.line(fits))).toMatchObject({ ...request, replayed: true });
  const env = { PAYMENTS_BASE_URL: `${sandbox.url}/`, PAYMENTS_SECRET_KEY: 'sk_v1_test_mine' };
  const { code, stdout } = await run(['events', '--json', '--type', 'payment_intent.created'], env);
  expect(code).toBe(0);
  expect(stdout.trim().split('\n').map(parse)).toMatchObject([
    { kind: 'event', event: { type: 'payment_intent.created' } },
  ]);
  expect((await sandbox.stop()).code).toBe(0);
});

test('the clock runs, and can be advanced; sample data causes no events', async () => {
  const sandbox = await runSandbox();
  const before = Date.now();
  const moved = await sandbox.call('clock', 'advance', '3 days');
  expect(moved.code).toBe(0);
  const now = Number(parse(moved.stdout)['now']);
  expect(now - before).toBeGreaterThan(2.9 * 24 * 60 * 60 * 1000);
  const seeded = await sandbox.call(
    'seed',
    '--customers',
    '5',
    '--intents',
    '50',
    '--months',
    '1',
    '--seed',
    'x',
  );
  expect([seeded.code, seeded.stderr]).toEqual([0, '']);
  expect(parse(seeded.stdout)).toMatchObject({ customers: 5 });
  expect(await sandbox.call('events')).toMatchObject({ code: 0, stdout: '' });
});

test('an app in real time accepts deliveries after the clock was advanced', async () => {
  const shop = await receiver();
  const sandbox = await runSandbox(['--forward-to', shop.url]);
  const [endpoint] = Array.isArray(sandbox.ready['endpoints']) ? sandbox.ready['endpoints'] : [];
  await sandbox.call('clock', 'advance', '3 days');
  await sandbox.call('trigger', 'refund.failed');
  const { body, headers } = await shop.next();
  const webhooks = new Webhooks({ secret: endpoint.secret });
  expect(await webhooks.verify(body, headers)).toMatchObject({ data: { object: expect.anything() } });
});

test('due actions run as real time passes', async () => {
  const sandbox = await runSandbox();
  const payments = new PaymentsClient({
    baseUrl: sandbox.url,
    secretKey: String(sandbox.ready['secret_key']),
  });
  const line_items = [{ name: 'Tea', amount: 1200, currency: 'usd', quantity: 1 }];
  const params = { mode: 'payment', line_items, success_url: 'https://a.test', cancel_url: 'https://b.test' };
  await payments.checkoutSessions.create({ ...params, mode: 'payment' }, { operationId: 'order-1' });
  // One second before it expires; the clock does the rest.
  await sandbox.call('clock', 'advance', `${24 * 60 * 60 - 1} s`);
  const expired = (line: string) => line.includes('checkout.session.expired');
  expect(parse(await sandbox.line(expired))).toMatchObject({ kind: 'event' });
});

test('the greeting fits ten lines, shows no key, and says how to get them', async () => {
  const targets = ['--forward-to', 'localhost:1/x', '--forward-to', 'localhost:2/y'];
  const sandbox = launch(['sandbox', '--port', '0', ...targets]);
  const url = /http:\S+:\d+/.exec(await sandbox.line())?.[0] ?? '';
  const { stdout, stderr } = await sandbox.stop();
  const text = stripVTControlCharacters(stdout);
  expect(text.split('\n').length).toBeLessThanOrEqual(10);
  for (const line of [
    /^ {2}dashboard +http:\S+\/$/m,
    /^ {2}checkout at +http:\S+\/checkout\/<session id>$/m,
    /^ {2}deliveries to +http:\/\/localhost:1\/x, http:\/\/localhost:2\/y$/m,
    new RegExp(`^ {2}npx payments-client env --url ${url} `, 'm'),
    new RegExp(`^ {2}npx payments-client pay <session id> --url ${url} `, 'm'),
  ]) {
    expect(text).toMatch(line);
  }
  expect(text + stderr).not.toMatch(/[sp]k_v1_test_|whsec_|\b[0-9a-f]{32}\b/);
});

test('a data file keeps the data for the next start', async () => {
  const args = ['--data', await temporaryFile()];
  const first = await runSandbox(args);
  await first.call('trigger', 'customer.created');
  expect((await first.stop()).code).toBe(0);
  const second = await runSandbox(args);
  const { stdout } = await second.call('events');
  expect(stdout.trim().split('\n').map(parse)).toMatchObject([{ event: { type: 'customer.created' } }]);
});

test('a live key of the environment is neither shown nor sent', async () => {
  const env = { PAYMENTS_SECRET_KEY: 'sk_v1_live_do_not_show' };
  const sandbox = await runSandbox([], env);
  expect(sandbox.ready).toMatchObject({ secret_key: expect.stringMatching(/^sk_v1_test_[0-9a-f]{32}$/) });
  const { code, stdout, stderr } = await run(['events', '--url', sandbox.url], env);
  expect([code, stdout, stderr]).toEqual([0, '', 'There are no such events.\n']);
  const ended = await sandbox.stop();
  expect(ended.stdout + ended.stderr).not.toContain('do_not_show');
});

test('--only-shown-fields drops the other fields of a session', async () => {
  const params = {
    mode: 'payment',
    line_items: [{ name: 'Tea', amount: 1200, currency: 'usd', quantity: 1 }],
    client_reference_id: 'order-1042',
  } as const;
  const reference = async (...args: string[]) => {
    const { url: baseUrl, ready } = await runSandbox(args);
    const payments = new PaymentsClient({ baseUrl, secretKey: String(ready['secret_key']) });
    return (await payments.checkoutSessions.create(params, { operationId: 'order-1042' }))
      .client_reference_id;
  };
  expect(await reference()).toBe('order-1042');
  expect(await reference('--only-shown-fields')).toBeNull();
});
