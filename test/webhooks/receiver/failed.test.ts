/** The store keeps a failed delivery until it is handled or discarded. */

import { ConfigurationError } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import type { FailedDelivery, ReceiverOptions, WebhooksOptions } from 'payments-client/webhooks';
import { describe, expect, it } from 'vitest';
import { anything } from '../../support/anything.ts';
import { delivery, eventOf, secret, webhooksAt } from '../../support/deliveries.ts';

const refund = (id: string) => eventOf('refund.failed', { id });

/** A shop whose handler fails until it works. */
function shop(options: Partial<ReceiverOptions> = {}, settings: Partial<WebhooksOptions> = {}) {
  const clock = { time: 1_000_000 };
  const handled: string[] = [];
  const state = { works: false };
  const webhooks = webhooksAt(settings);
  const common = {
    store: memoryStore({ now: () => clock.time }),
    onError: () => {},
    ...options,
  };
  const receiver = webhooks.receiver({
    ...common,
    on: {
      'refund.failed': ({ id }, { attempt, scope }) => {
        if (!state.works) throw Object.assign(new TypeError(`no stock for ${id}`), { code: 'NO_STOCK' });
        handled.push(`${id} ${attempt} ${scope}`);
      },
    },
  });
  const deliver = async (value: unknown) => (await receiver.handle(await delivery(value, webhooks))).status;
  const deliverBody = async (body: string | Uint8Array) =>
    (await receiver.handle({ body, headers: await webhooks.sign(body) })).status;
  return { clock, common, handled, receiver, state, webhooks, deliver, deliverBody };
}

async function listOf(list: AsyncIterable<FailedDelivery>): Promise<FailedDelivery[]> {
  const all: FailedDelivery[] = [];
  for await (const one of list) all.push(one);
  return all;
}

const idsOf = async (list: AsyncIterable<FailedDelivery>) => (await listOf(list)).map(({ id }) => id);
const keyOf = (id: string) => `webhook.default/test//${id}`;

describe('a delivery whose handler failed', () => {
  it('is kept with its bytes and the class of its error, without the message', async () => {
    const { clock, receiver, deliver } = shop();
    expect(await deliver(refund('evt_1'))).toBe(500);
    clock.time += 5000;
    expect(await deliver(refund('evt_1'))).toBe(500);
    const kept = await listOf(receiver.failed());
    expect(kept).toEqual([
      {
        id: keyOf('evt_1'),
        body: JSON.stringify(refund('evt_1')),
        receivedAt: expect.stringMatching(/^\d{4}-.+Z$/),
        error: 'TypeError (NO_STOCK)',
        attempt: 2,
        age: 5000,
      },
    ]);
    expect(await receiver.backlog()).toEqual({ count: 1, oldest: 5000 });
  });

  it('is listed oldest first, over many pages', async () => {
    const { clock, receiver, deliver } = shop();
    const ids = Array.from({ length: 250 }, (_, index) => `evt_${(index * 7919) % 250}`);
    for (const id of ids) {
      clock.time += 1;
      await deliver(refund(id));
    }
    expect(await idsOf(receiver.failed())).toEqual(ids.map(keyOf));
    expect(await receiver.backlog()).toEqual({ count: 250, oldest: 249 });
  });

  it('is handled by the next delivery, and kept no longer', async () => {
    const { common, handled, receiver, state, deliver } = shop();
    await deliver(refund('evt_1'));
    state.works = true;
    expect(await deliver(refund('evt_1'))).toBe(200);
    expect(handled).toEqual(['evt_1 2 undefined']);
    expect(await receiver.backlog()).toEqual({ count: 0, oldest: undefined });
    const claim = await common.store.claim(keyOf('evt_1'), 1000);
    expect(claim).toEqual({ status: 'completed', data: '' });
  });

  it('is handled by dispatch, while others stay', async () => {
    const { handled, receiver, state, deliver } = shop({}, { secrets: { acct_1: secret } });
    for (const id of ['evt_1', 'evt_2']) await deliver(refund(id));
    state.works = true;
    const [first] = await listOf(receiver.failed());
    expect(first).toMatchObject({ scope: 'acct_1' });
    expect(await receiver.dispatch(anything(first))).toBe('handled');
    expect(await receiver.dispatch(anything(first))).toBe('duplicate');
    expect(handled).toEqual(['evt_1 2 acct_1']);
    expect(await receiver.backlog()).toMatchObject({ count: 1 });
  });

  it('stays if dispatch fails too', async () => {
    const { receiver, deliver } = shop();
    await deliver(refund('evt_1'));
    const [first] = await listOf(receiver.failed());
    await expect(receiver.dispatch(anything(first))).rejects.toThrow('no stock for evt_1');
    expect(await listOf(receiver.failed())).toEqual([{ ...first, attempt: 2, age: expect.any(Number) }]);
  });

  it('is not listed while a process handles it', async () => {
    const { receiver, deliver, state, webhooks, common } = shop();
    await deliver(refund('evt_1'));
    state.works = true;
    const seen: unknown[] = [];
    const other = webhooks.receiver({
      ...common,
      on: {
        'refund.failed': async () => seen.push(await idsOf(receiver.failed()), await receiver.backlog()),
      },
    });
    await other.handle(await delivery(refund('evt_1')));
    expect(seen).toEqual([[], { count: 1, oldest: expect.any(Number) }]);
  });

  it('is kept for its own consumer alone', async () => {
    const { receiver, common, webhooks, deliver } = shop();
    await deliver(refund('evt_1'));
    const other = webhooks.receiver({ ...common, consumer: 'billing', on: {} });
    expect(await idsOf(other.failed())).toEqual([]);
    const [id = ''] = await idsOf(receiver.failed());
    await expect(other.discard(id)).rejects.toThrow(ConfigurationError);
  });
});

describe('a body that no handler can read', () => {
  const bodies: readonly [what: string, body: string | Uint8Array][] = [
    ['text', 'maintenance'],
    ['bytes that are not UTF-8', Uint8Array.of(0xff, 0x00, 0x7b)],
    ['escapes', '"\\u0000 \ud83c\udf75'],
  ];

  it.each(bodies)('is kept byte for byte: %s', async (_what, body) => {
    const unreadable: unknown[] = [];
    const { receiver, deliverBody } = shop({ onUnreadable: ({ rawBody }) => unreadable.push(rawBody) });
    expect(await deliverBody(body)).toBe(500);
    const [kept] = await listOf(receiver.failed());
    expect(kept).toMatchObject({ error: 'WebhookVerificationError (WEBHOOK_INVALID_PAYLOAD)' });
    await receiver.dispatch(anything(JSON.parse(JSON.stringify(kept)))).catch(() => {});
    expect(unreadable.map((bytes) => Buffer.from(anything(bytes)))).toEqual([
      Buffer.from(body),
      Buffer.from(body),
    ]);
    expect(await receiver.backlog()).toMatchObject({ count: 1 });
  });

  it('is handled by a version that can read it, and kept no longer', async () => {
    const live = shop({}, { livemode: true });
    await live.deliver(refund('evt_1'));
    const [kept] = await listOf(live.receiver.failed());
    expect(kept?.id).toMatch(/^webhook\.default\/unreadable\//);
    const handled: string[] = [];
    const corrected = webhooksAt().receiver({ ...live.common, onEvent: ({ id }) => handled.push(id) });
    expect(await corrected.dispatch(anything(kept))).toBe('handled');
    expect(handled).toEqual(['evt_1']);
    expect(await corrected.backlog()).toEqual({ count: 0, oldest: undefined });
  });
});

describe('discard', () => {
  it('ends a failed delivery: it counts as handled', async () => {
    const { handled, receiver, state, deliver } = shop();
    await deliver(refund('evt_1'));
    const [id = ''] = await idsOf(receiver.failed());
    await receiver.discard(id);
    await receiver.discard(id);
    expect(await idsOf(receiver.failed())).toEqual([]);
    state.works = true;
    expect(await deliver(refund('evt_1'))).toBe(200);
    expect(handled).toEqual([]);
  });

  it('refuses one that a process is handling', async () => {
    const { receiver, common, webhooks, deliver } = shop();
    await deliver(refund('evt_1'));
    const errors: unknown[] = [];
    const other = webhooks.receiver({
      ...common,
      on: { 'refund.failed': () => receiver.discard(keyOf('evt_1')).catch((error) => errors.push(error)) },
    });
    await other.handle(await delivery(refund('evt_1')));
    expect(errors).toMatchObject([{ code: 'WEBHOOK_IN_PROGRESS', retryAfter: 60 }]);
  });

  it('leaves an event alone that did not fail', async () => {
    const { receiver, state, handled, deliver } = shop();
    await receiver.discard(keyOf('evt_1'));
    state.works = true;
    await deliver(refund('evt_1'));
    expect(handled).toEqual(['evt_1 1 undefined']);
  });

  it.each([undefined, 7, 'evt_1', 'webhook.other/test//evt_1'])('refuses %j', async (id) => {
    const { receiver } = shop();
    await expect(receiver.discard(anything(id))).rejects.toThrow(
      /^receiver\.discard\.id: expected the id of a delivery that this consumer's failed\(\) lists, got/,
    );
  });
});

describe('the store keeps nothing', () => {
  it('of a job whose handler failed: the queue keeps it', async () => {
    const { receiver } = shop();
    const job = { body: JSON.stringify(refund('evt_1')), receivedAt: '2026-01-31T12:00:00.000Z' };
    await expect(receiver.dispatch(job)).rejects.toThrow('no stock');
    expect(await receiver.backlog()).toEqual({ count: 0, oldest: undefined });
  });

  it('if it is full, and still lets the next delivery be handled at once', async () => {
    const { receiver, state, handled, deliver } = shop({ store: memoryStore({ maxOperations: 1 }) });
    for (const id of ['evt_1', 'evt_2']) expect(await deliver(refund(id))).toBe(500);
    expect(await receiver.backlog()).toMatchObject({ count: 1 });
    state.works = true;
    expect(await deliver(refund('evt_2'))).toBe(200);
    expect(handled).toEqual(['evt_2 2 undefined']);
  });
});
