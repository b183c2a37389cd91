/** Events that the store has forgotten, with signatures that cover no time. */

import { memoryStore } from 'payments-client/stores';
import {
  bodyHmac,
  type DeliveryFailure,
  type DeliveryReport,
  type ReceiverOptions,
  type SignatureScheme,
  standardWebhooks,
  timestampedHmac,
  type WebhookJob,
  type WebhooksOptions,
} from 'payments-client/webhooks';
import { describe, expect, it } from 'vitest';
import { anything } from '../../support/anything.ts';
import { chargeback, delivery, envelope, eventOf, now, webhooksAt } from '../../support/deliveries.ts';

const day = 86_400_000;
const retention = 3 * day;
const header = 'x-signature';
const timeless: readonly (readonly [string, () => SignatureScheme])[] = [
  ['bodyHmac', () => bodyHmac({ header })],
  ['timestampedHmac with a nonce', () => timestampedHmac({ header, nonce: true })],
  ['a scheme of your own', () => ({ ...standardWebhooks(), signsTime: false })],
];

/** A receiver at a time, with what it handled and reported. */
function receiverAt(
  time: number,
  options: Partial<ReceiverOptions> = {},
  scheme = bodyHmac({ header }),
  settings: Partial<WebhooksOptions> = {},
) {
  const webhooks = webhooksAt({ scheme, now: () => time, ...settings });
  const handled: string[] = [];
  const unreadable: unknown[] = [];
  const failures: DeliveryFailure[] = [];
  const reports: DeliveryReport[] = [];
  const receiver = webhooks.receiver({
    store: memoryStore(),
    retention,
    onEvent: ({ id }) => handled.push(id),
    onUnreadable: ({ issues }) => unreadable.push(issues),
    onError: (failure) => failures.push(failure),
    onDelivery: (report) => reports.push(report),
    ...options,
  });
  const deliver = async (value: unknown) => receiver.handle(await delivery(value, webhooks));
  return { receiver, deliver, handled, unreadable, failures, reports };
}

const at = (time: number) => eventOf('refund.failed', { created: new Date(time).toISOString() });

describe.each(timeless)('with %s', (_name, scheme) => {
  it('an event older than the retention reaches onUnreadable as too_old, is counted and kept', async () => {
    const { receiver, deliver, handled, unreadable, failures, reports } = receiverAt(now, {}, scheme());
    expect(await deliver(at(now - retention - 1))).toMatchObject({ outcome: 'failed', status: 500 });
    const received = 'one of 2026-01-28T11:59:59.999Z';
    expect(unreadable).toEqual([[expect.objectContaining({ path: 'created', received })]]);
    expect(failures).toEqual([
      {
        event: undefined,
        outcome: 'failed',
        error: expect.objectContaining({ name: 'WebhookVerificationError', reason: 'too_old' }),
      },
    ]);
    expect(failures[0]?.error).toHaveProperty(
      'message',
      expect.stringMatching(
        /created: expected an event that is at most 259200000 ms old \(retention\), since its signature covers no time, got one of .+Z\. It was not handled: it may be a replay\. If it is not, pass the event itself/,
      ),
    );
    expect(reports).toMatchObject([
      { outcome: 'failed', verified: true, error: { code: 'WEBHOOK_TOO_OLD' } },
    ]);
    expect((await receiver.backlog()).count).toBe(1);
    expect(handled).toEqual([]);
  });

  it('an event at the edge of the retention is handled', async () => {
    const { deliver, handled } = receiverAt(now, {}, scheme());
    expect(await deliver(at(now - retention))).toMatchObject({ outcome: 'handled', status: 200 });
    expect(handled).toEqual(['evt_1']);
  });
});

it('a delivery that is replayed at any time is handled once', async () => {
  const store = memoryStore();
  const outcomes: string[] = [];
  for (const days of [0, 1, 2, 3, 4, 40, 400]) {
    const { deliver } = receiverAt(now + days * day, { store });
    outcomes.push((await deliver(at(now))).outcome);
  }
  expect(outcomes).toEqual(['handled', 'duplicate', 'duplicate', 'duplicate', 'failed', 'failed', 'failed']);
});

it('a body that is no event is unreadable as such', async () => {
  const { deliver, failures } = receiverAt(now);
  expect(await deliver('no event')).toMatchObject({ outcome: 'failed' });
  expect(failures).toMatchObject([{ error: { reason: 'invalid_payload' } }]);
});

it('a signature that covers the time of sending lets an old event pass', async () => {
  for (const signed of [standardWebhooks(), timestampedHmac({ header })]) {
    expect(await receiverAt(now, {}, signed).deliver(at(now - 400 * day))).toMatchObject({
      outcome: 'handled',
    });
  }
});

describe('created', () => {
  const old = now - 4 * day;

  it.each<[what: string, value: unknown, outcome: 'handled' | 'failed']>([
    ['in seconds', eventOf('refund.failed', { created: old / 1000 }), 'failed'],
    ['in milliseconds', eventOf('refund.failed', { created: old }), 'failed'],
    ['with an offset', eventOf('refund.failed', { created: '2026-01-27T14:00:00+02:00' }), 'failed'],
    ['of an unknown type, in seconds', envelope('a.b', {}, { created: old / 1000 }), 'failed'],
    ['of an unknown type, in seconds, now', envelope('a.b', {}, { created: now / 1000 }), 'handled'],
    ['of a bare chargeback', { ...chargeback, timestamp: '2026-01-27T12:00:00Z' }, 'failed'],
    ['of a bare chargeback, now', chargeback, 'handled'],
    ['ahead of this clock', at(now + day), 'handled'],
    ['ahead of this clock by the tolerance', at(now + 300_000), 'handled'],
  ])('%s is read', async (_what, value, outcome) => {
    const { deliver, handled } = receiverAt(now);
    expect(await deliver(value)).toMatchObject({ outcome });
    expect(handled).toHaveLength(outcome === 'handled' ? 1 : 0);
  });

  it.each<[what: string, created: unknown]>([
    ['absent', undefined],
    ['no time', 'yesterday'],
    ['no integer', 1_769_860_800.5],
    ['a small number', 7],
    ['beyond what a date can hold', 1e300],
  ])('that is %s is accepted, and reported once', async (_what, created) => {
    const { deliver, handled, failures } = receiverAt(now);
    for (const id of ['evt_1', 'evt_2']) await deliver(envelope('a.b', {}, { id, created }));
    expect(handled).toEqual(['evt_1', 'evt_2']);
    expect(failures).toMatchObject([
      {
        outcome: 'handled',
        event: { id: 'evt_1' },
        error: {
          reason: 'invalid_payload',
          message:
            "webhooks: created: expected a time that is at most 300000 ms ahead of this machine's clock (tolerance), since the signature covers none, got none. The event is handled; so is a replay after the retention. This is reported once.",
        },
      },
    ]);
  });
});

/** Returns what becomes of an event and of its replays, each after some ms, in processes that share a store, and what they report. */
async function replays(
  scheme: SignatureScheme,
  value: unknown,
  delays: readonly number[],
  settings: Partial<WebhooksOptions> = {},
) {
  let time = now;
  const store = memoryStore({ now: () => time });
  const outcomes: string[] = [];
  const failures: DeliveryFailure[] = [];
  for (const delay of delays) {
    time = now + delay;
    const shop = receiverAt(time, { store }, scheme, settings);
    outcomes.push((await shop.deliver(value)).outcome);
    failures.push(...shop.failures);
  }
  return { outcomes, failures };
}

describe.each(timeless)('with %s, an event ahead of the clock', (_name, scheme) => {
  const settings = { tolerance: 1000 };

  it.each([0, 1, 999, 1000])('by %i ms is handled once', async (ahead) => {
    const delays = [0, retention, retention + ahead, retention + ahead + 1, 400 * day];
    const { outcomes, failures } = await replays(scheme(), at(now + ahead), delays, settings);
    expect(outcomes).toEqual(['handled', 'duplicate', 'duplicate', 'failed', 'failed']);
    expect(failures).toMatchObject([{ error: { reason: 'too_old' } }, { error: { reason: 'too_old' } }]);
  });

  it.each([1001, day, 36_500 * day])('by %i ms, more than the tolerance, is reported', async (ahead) => {
    const delays = [0, retention + 1000, retention + 1001];
    const { outcomes, failures } = await replays(scheme(), at(now + ahead), delays, settings);
    expect(outcomes).toEqual(['handled', 'duplicate', 'handled']);
    const created = new Date(now + ahead).toISOString();
    expect(failures[0]).toMatchObject({
      outcome: 'handled',
      event: { id: 'evt_1' },
      error: {
        reason: 'invalid_payload',
        message: expect.stringContaining(
          `1000 ms ahead of this machine's clock (tolerance), since the signature covers none, got ${created}. Check the clock. The`,
        ),
      },
    });
  });
});

it('the longest retention that a store takes works with a tolerance', async () => {
  const { deliver } = receiverAt(now, { retention: 3_155_760_000_000 });
  expect(await deliver(at(now))).toMatchObject({ outcome: 'handled' });
});

it('a discarded delivery is remembered as long as a handled event', async () => {
  let time = now;
  const store = memoryStore({ now: () => time });
  const { receiver, deliver } = receiverAt(now, { store }, undefined, { tolerance: 1000 });
  await deliver('no event');
  for await (const { id } of receiver.failed()) await receiver.discard(id);
  time += retention + 1000;
  expect(await deliver('no event')).toMatchObject({ outcome: 'duplicate' });
  time += 1;
  expect(await deliver('no event')).toMatchObject({ outcome: 'failed' });
});

describe('a delivery that is too_old only for a fast clock', () => {
  /** Receives an event while the clock is fast, and returns the receiver with the right clock and the kept delivery. */
  async function corrected() {
    const store = memoryStore();
    await receiverAt(now + 400 * day, { store }).deliver(at(now));
    const shop = receiverAt(now, { store });
    const { value } = await shop.receiver.failed().next();
    if (value === undefined) throw new Error('expected a kept delivery');
    return { ...shop, kept: value };
  }

  it('stays kept, so that no timer handles a replay', async () => {
    const { receiver, deliver, kept, handled } = await corrected();
    expect(await deliver(at(now))).toMatchObject({ outcome: 'handled' });
    await expect(receiver.dispatch(kept)).rejects.toMatchObject({
      reason: 'too_old',
      message: expect.stringMatching(
        /pass the event itself to dispatch\(\), discard\(\) the kept one, and raise/,
      ),
    });
    expect([(await receiver.backlog()).count, handled]).toEqual([1, ['evt_1']]);
  });

  it.each([true, false])('ends by the event itself and discard, redelivered before: %s', async (isBefore) => {
    const { receiver, deliver, kept, handled } = await corrected();
    if (isBefore) await deliver(at(now));
    const outcome = await receiver.dispatch(JSON.parse(kept.body), { scope: kept.scope });
    expect(outcome).toBe(isBefore ? 'duplicate' : 'handled');
    await receiver.discard(kept.id);
    expect(await deliver(at(now))).toMatchObject({ outcome: 'duplicate' });
    expect([(await receiver.backlog()).count, handled]).toEqual([0, ['evt_1']]);
  });
});

describe('behind a queue', () => {
  async function jobOf(time: number, value: unknown): Promise<WebhookJob> {
    const jobs: WebhookJob[] = [];
    const { deliver } = receiverAt(time, { enqueue: (job) => jobs.push(job) });
    expect(await deliver(value)).toMatchObject({ outcome: 'enqueued' });
    return anything(jobs[0]);
  }

  it('the worker refuses a job whose event was old when it was received, however late it works', async () => {
    const replay = await jobOf(now + 4 * day, at(now));
    const { receiver, handled } = receiverAt(now + 400 * day);
    await expect(receiver.dispatch(replay)).rejects.toMatchObject({ reason: 'too_old' });
    expect(await receiver.dispatch(await jobOf(now, at(now)))).toBe('handled');
    expect(handled).toEqual(['evt_1']);
  });

  it('an event that you dispatch by itself is handled at any age', async () => {
    const { receiver } = receiverAt(now);
    expect(await receiver.dispatch(anything(at(now - 400 * day)))).toBe('handled');
  });
});
