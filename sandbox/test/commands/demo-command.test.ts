/** Reaches inside: the entries and stories of the control API have no public types. */

import { deriveIdempotencyKey } from 'payments-client';
import { type Sandbox, type SandboxOptions } from 'payments-client-sandbox';
import { expect, it } from 'vitest';
import type { RecordedRequest } from '../../src/stories/entry.ts';
import { record } from '../stories/support.ts';

/** The orders in the order of their making: the verdict, what its reason says, and what must be done. */
const told = [
  ['webhook-down', 'charged_once', '$27.90 was charged. Your webhook endpoint failed once', undefined],
  ['failed-refund', 'charged_once', 'A refund of $46.20 failed.', 'refund_failed'],
  ['first-click', 'charged_twice', 'second-click', 'charged_twice'],
  ['second-click', 'charged_twice', 'first-click', 'charged_twice'],
  ['second-card', 'charged_once', 'An earlier attempt was declined: insufficient funds.', undefined],
  ['lost-reply', 'charged_once', 'got the same reply.', undefined],
] as const;

const ids = (run: number) => told.map(([name]) => `demo-${run}-${name}`);

/** Starts a sandbox in which the demo can run. */
function start(options: SandboxOptions = {}) {
  const recorded = record(options);
  return { ...recorded, demo: async () => (await recorded.call('commands', { name: 'demo' })).body };
}

/** Checks the stories of a run. */
function checkStories(sandbox: Sandbox, run = 1): void {
  for (const [name, verdict, reason, why] of told) {
    const story = sandbox.story(`demo-${run}-${name}`);
    expect([story?.title, story?.verdict, story?.needs?.why]).toEqual([`demo-${run}-${name}`, verdict, why]);
    expect(story?.reason).toContain(
      reason.includes('click') ? `'demo-${run}-${reason}' charged the same` : reason,
    );
  }
}

it('makes orders whose stories say what went wrong, and names the one to open; a second run repeats none', async () => {
  const { sandbox, demo, stories } = start();
  for (const run of [1, 2]) {
    expect(await demo()).toMatchObject({
      result: {
        orders: ids(run).map((id) => ({ id, what: expect.stringMatching(/\.$/) })),
        open: `demo-${run}-lost-reply`,
      },
      message: `Made 6 orders. Open demo-${run}-lost-reply first.`,
    });
  }
  for (const run of [1, 2]) checkStories(sandbox, run);
  const listed = (await stories()).map(({ id }) => id);
  expect(listed.toSorted()).toEqual([...ids(1), ...ids(2)].toSorted());
});

it.each<readonly [string, SandboxOptions]>([
  ['whose refunds do not complete by themselves', { refunds: 'manual' }],
  ['with other forms of replies and errors', { interface: { objectPlace: 'data', errorShape: 'list' } }],
  [
    'with other paths',
    { interface: { routes: { 'paymentIntents.confirm': 'POST /v1/payment_intents/{id}/pay' } } },
  ],
])('makes the same orders in a sandbox %s', async (_, options) => {
  const { sandbox, demo } = start(options);
  await demo();
  checkStories(sandbox);
});

it('sends the requests of an app that uses this package', async () => {
  const { demo, entries } = start();
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

it('leaves the clock, the endpoints and the armed faults as they were', async () => {
  const { sandbox, payments, demo, call } = start();
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
  const { sandbox, payments, demo } = start();
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
