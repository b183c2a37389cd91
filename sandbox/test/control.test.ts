import { createSandbox, type Sandbox, type SandboxOptions } from 'payments-client-sandbox';
import { afterEach, expect, test } from 'vitest';
import { codeOf, type JsonRequest, json, read } from '../../test/support/sandbox-requests.ts';

const startsAt = Date.UTC(2026, 0, 1);
const open: Sandbox[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((sandbox) => sandbox.close()));
});

async function listening(options: SandboxOptions = {}) {
  const sandbox = await createSandbox({ startsAt, ...options }).listen();
  open.push(sandbox);
  const call = (path: string, init?: JsonRequest) =>
    fetch(`${sandbox.url}/_sandbox/${path}`, json(sandbox, init));
  /** Performs a command, and returns its result. */
  const perform = async (name: string, args?: unknown) => {
    const { result } = await read(await call('commands', { body: { name, args } }));
    return Object(result);
  };
  return { sandbox, call, perform };
}

/** Reads server-sent events one by one. */
function reader(response: Response) {
  const stream = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return async (): Promise<Record<string, unknown>> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end === -1) {
        const { value, done } = (await stream?.read()) ?? { done: true };
        if (done) throw new Error('the stream has ended');
        text += value;
        continue;
      }
      const [, data] = /^data: (.*)$/m.exec(text.slice(0, end)) ?? [];
      text = text.slice(end + 2);
      if (data !== undefined) return JSON.parse(data);
    }
  };
}

test('the control API requires the secret key', async () => {
  const { sandbox, call } = await listening();
  const missing = await fetch(`${sandbox.url}/_sandbox/state`);
  expect([missing.status, await codeOf(missing)]).toEqual([401, 'AUTHENTICATION_REQUIRED']);
  const wrong = await call('state', { secretKey: 'sk_v1_test_other' });
  expect([wrong.status, await codeOf(wrong)]).toEqual([401, 'INVALID_SECRET_KEY']);
  expect((await call('state')).status).toBe(200);
});

test('the state has the time and the object counts', async () => {
  const { sandbox, call } = await listening();
  sandbox.add('customer');
  expect(await read(await call('state'))).toMatchObject({
    clock: { now: startsAt, time: '2026-01-01T00:00:00.000Z', running: false },
    objects: { customer: 1, event: 1 },
    pending_deliveries: 0,
  });
  const running = await listening({ clock: 'running' });
  expect(await read(await running.call('state'))).toMatchObject({ clock: { running: true } });
});

test('an event is returned with its deliveries; an unknown one is a 404', async () => {
  const { sandbox, call } = await listening({ webhooks: [{ url: () => new Response() }] });
  sandbox.add('refund');
  sandbox.add('customer');
  await sandbox.settled();
  const id = sandbox.events.at(-1)?.id;
  expect(await read(await call(`events/${id}`))).toMatchObject({
    event: { id, type: 'customer.created' },
    deliveries: [{ eventId: id, status: 'delivered' }],
  });
  expect(sandbox.webhooks.deliveries()).toHaveLength(2);
  const missing = await call('events/evt_none');
  expect([missing.status, await codeOf(missing)]).toEqual([404, 'OBJECT_NOT_FOUND']);
});

test('an event is triggered with fields of its object, and then listed by type', async () => {
  const { call, perform } = await listening();
  const event = await perform('trigger', { type: 'customer.created', fields: { first_name: 'Ada' } });
  expect(event).toMatchObject({ type: 'customer.created', data: { object: { first_name: 'Ada' } } });
  await perform('trigger', { type: 'payment_intent.created' });
  const all = await read(await call('events'));
  expect(all['data']).toMatchObject([{ type: 'customer.created' }, { type: 'payment_intent.created' }]);
  expect(await read(await call('events?type=customer.created'))).toEqual({ data: [event], has_more: false });
  expect((await read(await call('events?limit=1')))['data']).toMatchObject([
    { type: 'payment_intent.created' },
  ]);
});

test.each([
  ['trigger', { type: 'customer.exploded' }],
  ['trigger', {}],
  ['clock.advance', { advance: 'a while' }],
  ['clock.advance', { advance: -1 }],
  ['clock.advance', {}],
  ['webhooks.replay', { id: 'evt_none' }],
  ['seed', { intents: -1 }],
  ['faults.inject', { kind: 'drop_reply', times: 0 }],
  ['faults.inject', {}],
  ['trigger', { type: 'refund.created', field: {} }],
  ['clock.advance', { advance: 1, advances: 1 }],
  ['webhooks.replay', { id: 'evt_none', again: true }],
  ['seed', { intent: 1 }],
  ['webhooks.add', { url: 'http://localhost:1', secret: 'mine' }],
  ['explode', {}],
])('the command %s with %j is rejected with a message', async (name, args) => {
  const { call } = await listening();
  const response = await call('commands', { body: { name, args } });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { message: expect.stringMatching(/expected/i) } });
});

test('the clock advances, and due work runs', async () => {
  const { sandbox, perform } = await listening();
  const { id } = sandbox.add('checkout_session');
  expect(await perform('clock.advance', { advance: '2 days' })).toEqual({
    now: startsAt + 2 * 24 * 60 * 60 * 1000,
    time: '2026-01-03T00:00:00.000Z',
    summary: {
      events: [{ type: 'checkout.session.expired', count: 1 }],
      delivered: 0,
      failed: 0,
      text: '1 event happened.',
    },
    changed: [{ id, events: ['checkout.session.expired'] }],
  });
  expect(sandbox.get('checkout_session', id)?.status).toBe('expired');
});

test('sample data is created, with progress on request', async () => {
  const { sandbox, call, perform } = await listening();
  const twin = createSandbox({ startsAt });
  const options = { customers: 20, intents: 1_200, months: 2, seed: 'demo' };
  const counts = twin.seed(options);
  expect(await perform('seed', options)).toEqual(counts);
  const init = json(sandbox, { body: { name: 'seed', args: options } });
  const headers = new Headers(init.headers);
  headers.set('accept', 'application/x-ndjson');
  const text = await (await fetch(`${sandbox.url}/_sandbox/commands`, { ...init, headers })).text();
  const lines: Record<string, unknown>[] = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.length).toBeGreaterThan(2);
  expect(lines.at(-2)).toEqual({ done: 1_220, total: 1_220 });
  expect(lines.at(-1)).toMatchObject({ result: { customers: 20 } });
  expect((await read(await call('events')))['data']).toEqual([]);
});

test('the event stream has requests, events and deliveries, and can be filtered by type', async () => {
  const url = () => new Response(null, { status: 204 });
  const { sandbox, call, perform } = await listening({ webhooks: [{ url }] });
  const next = reader(await call('events?follow'));
  const nextRefund = reader(await call('events?follow&type=refund.created'));
  const path = '/v1/customers';
  await fetch(sandbox.url + path, json(sandbox, { body: {}, key: 'customer-1' }));
  await sandbox.settled();
  const common = { at: startsAt, order: null };
  expect(await next()).toMatchObject({
    ...common,
    kind: 'request',
    number: 1,
    method: 'POST',
    path,
    status: 200,
    idempotencyKey: 'customer-1',
    replayed: false,
    duration: expect.any(Number),
    what: 'POST /v1/customers',
    money: null,
    result: { mark: '✓', text: 'created' },
  });
  expect(await next()).toMatchObject({
    ...common,
    kind: 'event',
    cause: 1,
    event: { type: 'customer.created', data: { object: { object: 'customer' } } },
  });
  expect(await next()).toMatchObject({
    ...common,
    kind: 'delivery',
    cause: 1,
    event: { type: 'customer.created' },
    status: 'delivered',
    responseStatus: 204,
  });
  await perform('trigger', { type: 'refund.created' });
  expect(await nextRefund()).toMatchObject({ kind: 'event', event: { type: 'refund.created' } });
});

test('in process, a foreign origin is rejected too, and a body needs its content type', async () => {
  const sandbox = createSandbox({ startsAt });
  const authorization = `Bearer ${sandbox.secretKey}`;
  const call = (path: string, init: RequestInit) =>
    sandbox.fetch(new Request(`${sandbox.url}/_sandbox/${path}`, init));
  for (const [origin, status] of [
    [sandbox.url, 200],
    ['https://shop.example', 403],
  ] as const) {
    expect((await call('state', { headers: { authorization, origin } })).status).toBe(status);
  }
  const body = new TextEncoder().encode('{"name":"clock.advance","args":{"advance":1000}}');
  const untyped = await call('commands', { method: 'POST', headers: { authorization }, body });
  expect([untyped.status, await codeOf(untyped)]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  expect(sandbox.clock.now()).toBe(startsAt);
});

test('in process, sample data is created at once, or until the caller disconnects', async () => {
  const sandbox = createSandbox({ startsAt });
  const seed = (accept: Readonly<Record<string, string>>) => {
    const args = { customers: 20, intents: 3_000, months: 1, seed: 'demo' };
    const init = json(sandbox, { body: { name: 'seed', args } });
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(accept)) headers.set(name, value);
    return sandbox.fetch(new Request(`${sandbox.url}/_sandbox/commands`, { ...init, headers }));
  };
  const customers = async () => {
    const state = await sandbox.fetch(new Request(`${sandbox.url}/_sandbox/state`, json(sandbox)));
    return (await read(state))['objects'];
  };
  const { body } = await seed({ accept: 'application/x-ndjson' });
  const lines = body?.pipeThrough(new TextDecoderStream()).getReader();
  expect(JSON.parse((await lines?.read())?.value ?? '')).toMatchObject({ total: 3_020 });
  await lines?.cancel();
  expect(await customers()).not.toMatchObject({ payment_intent: 3_000 });
  const counts = await read(await seed({}));
  expect(counts).toMatchObject({ result: { customers: 20 } });
});

test('a change that would unbalance the ledger fails with a 500, and is rolled back', async () => {
  const { sandbox, call } = await listening();
  const { id: charge_id } = sandbox.add('charge', { amount: 100 });
  const count = sandbox.events.length;
  const args = { type: 'refund.created', fields: { charge_id, amount: 101 } };
  const response = await call('commands', { body: { name: 'trigger', args } });
  expect(await response.clone().json()).toMatchObject({
    error: { message: expect.stringMatching(/does not add up/) },
  });
  expect([response.status, await codeOf(response)]).toEqual([500, 'SANDBOX_FAILURE']);
  expect(sandbox.events).toHaveLength(count);
});

test('an object has its history, without a state for some kinds', async () => {
  const { sandbox, call } = await listening();
  const { id } = sandbox.trigger('account.created').data.object;
  expect(await read(await call(`objects/account/${id}`))).toMatchObject({
    object: { id },
    history: [{ type: 'account.created', state: null }],
  });
});

test('a listener gets activities until it unsubscribes, and its errors are ignored', async () => {
  const sandbox = createSandbox({ startsAt });
  const kinds: string[] = [];
  const stop = sandbox.watch(({ kind }) => {
    kinds.push(kind);
    throw new Error('of the listener');
  });
  sandbox.add('customer');
  await sandbox.fetch(new Request(`${sandbox.url}/v1/customers`, json(sandbox)));
  expect(kinds).toEqual(['event', 'request']);
  stop();
  sandbox.add('customer');
  await sandbox.fetch(new Request(`${sandbox.url}/v1/customers`, json(sandbox)));
  expect(kinds).toHaveLength(2);
});
