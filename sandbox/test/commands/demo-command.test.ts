/** Reaches inside: the entries and stories of the control API have no public types. */

import { deriveIdempotencyKey } from 'payments-client';
import { createSandbox, type Sandbox, type SandboxOptions } from 'payments-client-sandbox';
import { expect, it } from 'vitest';
import type { RecordedRequest } from '../../src/stories/entry.ts';
import { record } from '../stories/support.ts';

/** The orders in the order of their making, as people read them. */
const told = [
  [
    'webhook-down',
    'charged_once',
    '$27.90 was charged. Your webhook endpoint failed once and misses an event.',
    undefined,
  ],
  ['failed-refund', 'charged_once', '$46.20 was charged. A refund of $46.20 failed.', 'refund_failed'],
  [
    'first-click',
    'charged_twice',
    "$31.30 was charged. 'demo-1-second-click' charged the same customer the same amount: $62.60 in total.",
    'charged_twice',
  ],
  [
    'second-click',
    'charged_twice',
    "$31.30 was charged. 'demo-1-first-click' charged the same customer the same amount: $62.60 in total.",
    'charged_twice',
  ],
  [
    'second-card',
    'charged_once',
    '$23.70 was charged. An earlier attempt was declined: insufficient funds.',
    undefined,
  ],
  [
    'lost-reply',
    'charged_once',
    '$54.80 was charged. A reply was lost; the app retried the request and got the same reply.',
    undefined,
  ],
] as const;

const ids = (run: number) => told.map(([name]) => `demo-${run}-${name}`);

/** Starts a sandbox in which the demo can run. */
async function start(options: SandboxOptions = {}) {
  const recorded = await record(options);
  return { ...recorded, demo: async () => (await recorded.call('commands', { name: 'demo' })).body };
}

function summaries(sandbox: Sandbox, run = 1) {
  return ids(run).map((id) => sandbox.story(id));
}

it('makes orders whose stories say what went wrong, and names the one to open', async () => {
  const { sandbox, demo, stories } = await start();
  expect(await demo()).toMatchObject({
    result: {
      orders: ids(1).map((id) => ({ id, what: expect.stringMatching(/\.$/) })),
      open: 'demo-1-lost-reply',
    },
    message: 'Made 6 orders. Open demo-1-lost-reply first.',
  });
  expect(
    summaries(sandbox).map((story) => [story?.title, story?.verdict, story?.reason, story?.needs?.why]),
  ).toEqual(told.map(([name, ...rest]) => [`demo-1-${name}`, ...rest]));
  const listed = (await stories()).map(({ id }) => id);
  // Those that need somebody come first.
  expect(listed.toSorted()).toEqual(ids(1).toSorted());
});

it.each<readonly [string, SandboxOptions]>([
  ['whose refunds do not complete by themselves', { refunds: 'manual' }],
  ['with other forms of replies and errors', { interface: { objectPlace: 'data', errorShape: 'list' } }],
  [
    'with other paths',
    { interface: { routes: { 'paymentIntents.confirm': 'POST /v1/payment_intents/{id}/pay' } } },
  ],
])('makes the same orders in a sandbox %s', async (_, options) => {
  const { sandbox, demo } = await start(options);
  await demo();
  expect(summaries(sandbox).map((story) => story?.reason)).toEqual(told.map(([, , reason]) => reason));
});

it('sends the requests of an app that uses this package', async () => {
  const { demo, entries } = await start();
  await demo();
  const requests = (await entries('kind=request&limit=100')).filter(
    (entry): entry is RecordedRequest => entry.kind === 'request' && entry.operation !== null,
  );
  expect(requests).toHaveLength(16);
  for (const { source, operation, operationId, idempotencyKey } of requests) {
    expect(source).toBe('app');
    expect(idempotencyKey).toBe(deriveIdempotencyKey(String(operation), String(operationId)));
  }
});

it('records each step', async () => {
  const { demo, entries } = await start();
  await demo();
  const actions = (await entries('kind=action')).toReversed();
  expect(actions.map((entry) => entry.kind === 'action' && entry.name)).toEqual([
    'webhooks.add',
    'webhooks.delete',
    'update',
    'faults.inject',
  ]);
});

it('makes new orders in a second run, which are no repetition of the first', async () => {
  const { sandbox, demo } = await start();
  await demo();
  expect(await demo()).toMatchObject({ result: { open: 'demo-2-lost-reply' } });
  for (const run of [1, 2]) {
    const reasons = summaries(sandbox, run).map((story) => story?.reason);
    expect(reasons).toEqual(told.map(([, , reason]) => reason.replace('demo-1', `demo-${run}`)));
  }
});

it('leaves the clock, the endpoints and the armed faults as they were', async () => {
  const { sandbox, payments, demo, call } = await start();
  const received: string[] = [];
  sandbox.webhooks.deliverTo(async (request) => {
    received.push(JSON.parse(await request.text()).type);
    return new Response();
  });
  sandbox.faults.inject({ kind: 'rate_limit', skip: 1 });
  sandbox.faults.inject({ kind: 'duplicate_delivery', times: 2 });
  sandbox.faults.inject({ kind: 'drop_delivery' });
  const present = async () => ({
    now: sandbox.clock.now(),
    endpoints: sandbox.webhooks.endpoints(),
    faults: (await call('faults')).body,
    history: sandbox.faults.history(),
  });
  const before = await present();
  await demo();
  expect(await present()).toEqual(before);

  // The events of its orders arrive once each, and the next one of the user meets the fault.
  await sandbox.settled();
  expect(received.filter((type) => type === 'payment_intent.succeeded')).toHaveLength(6);
  received.length = 0;
  sandbox.add('customer');
  await sandbox.settled();
  expect(received).toEqual(['customer.created', 'customer.created']);
  await payments.customers.list();
  await expect(payments.customers.list()).rejects.toMatchObject({ status: 429 });
});

it('refuses no event of a payment of the user meanwhile', async () => {
  const { sandbox, payments, demo } = await start();
  const order = { operationId: 'order-1' };
  const { id } = await payments.paymentIntents.create({ amount: 5500, currency: 'USD' }, order);
  sandbox.webhooks.deliverTo(
    async (request) => {
      const isOfDemo = (await request.text()).includes('"amount":2790');
      // The demo waits for this delivery, with its endpoint.
      if (isOfDemo && sandbox.get('payment_intent', id)?.status !== 'succeeded') sandbox.pay(id);
      return new Response();
    },
    { events: ['payment_intent.succeeded'] },
  );
  await demo();
  expect(sandbox.story('order-1')).toMatchObject({
    reason: '$55.00 was charged.',
    webhooks: { delivered: 2, failing: 0 },
  });
});

it('has stories also in a sandbox that does not listen', async () => {
  const sandbox = createSandbox();
  const body = JSON.stringify({ name: 'demo' });
  const headers = { authorization: `Bearer ${sandbox.secretKey}`, 'content-type': 'application/json' };
  await sandbox.fetch(new Request(`${sandbox.url}/_sandbox/commands`, { method: 'POST', headers, body }));
  expect(sandbox.story('demo-1-lost-reply')?.verdict).toBe('charged_once');
});
