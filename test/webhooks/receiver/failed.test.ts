/** Failed deliveries that the store keeps: the list, their bytes, and `discard`. `suite-of-modes.ts` has their life in each mode. */

import { ConfigurationError } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import type { FailedDelivery, ReceiverOptions, WebhooksOptions } from 'payments-client/webhooks';
import { describe, expect, it } from 'vitest';
import { anything } from '../../support/anything.ts';
import { delivery, eventOf, webhooksAt } from '../../support/deliveries.ts';
import { bySize } from '../../support/size.ts';

const refund = (id: string) => eventOf('refund.failed', { id });
const keyOf = (id: string) => `webhook.default/test//${id}`;

/** A shop whose handler fails until it works, with a clock. */
function shop(options: Partial<ReceiverOptions> = {}, settings: Partial<WebhooksOptions> = {}) {
  const clock = { time: 1_000_000 };
  const state = { works: false };
  const handled: string[] = [];
  const webhooks = webhooksAt(settings);
  const common = { store: memoryStore({ now: () => clock.time }), onError: () => {}, ...options };
  const receiver = webhooks.receiver({
    ...common,
    on: {
      'refund.failed': ({ id }, { attempt }) => {
        if (!state.works) throw new Error(`no stock for ${id}`);
        handled.push(`${id} ${attempt}`);
      },
    },
  });
  const deliverBody = async (body: string | Uint8Array) =>
    (await receiver.handle({ body, headers: await webhooks.sign(body) })).status;
  const deliver = (value: unknown) => deliverBody(JSON.stringify(value));
  return { clock, common, handled, receiver, state, webhooks, deliver, deliverBody };
}

async function listOf(list: AsyncIterable<FailedDelivery>): Promise<FailedDelivery[]> {
  const all: FailedDelivery[] = [];
  for await (const one of list) all.push(one);
  return all;
}

const idsOf = async (list: AsyncIterable<FailedDelivery>) => (await listOf(list)).map(({ id }) => id);

describe('failed', () => {
  it.each([100, bySize({ short: 101, all: 450 })])('lists %i oldest first, over all pages', async (count) => {
    const { clock, receiver, deliver } = shop();
    const ids = Array.from({ length: count }, (_, index) => `evt_${(index * 7919) % count}`);
    for (const id of ids) {
      clock.time += 1;
      await deliver(refund(id));
    }
    expect(await idsOf(receiver.failed())).toEqual(ids.map(keyOf));
    expect(await receiver.backlog()).toMatchObject({ count, oldest: count - 1 });
  });

  it('lists the time since the first claim, and how often it was claimed', async () => {
    const { clock, receiver, deliver } = shop();
    await deliver(refund('evt_1'));
    clock.time += 5000;
    await deliver(refund('evt_1'));
    expect(await listOf(receiver.failed())).toMatchObject([{ id: keyOf('evt_1'), attempt: 2, age: 5000 }]);
    expect(await receiver.backlog()).toMatchObject({ count: 1, oldest: 5000 });
  });

  it('leaves out what a process is handling, which discard refuses', async () => {
    const { receiver, common, webhooks, deliver } = shop();
    await deliver(refund('evt_1'));
    const seen: unknown[] = [];
    const other = webhooks.receiver({
      ...common,
      on: {
        'refund.failed': async () => {
          const refused = await receiver.discard(keyOf('evt_1')).catch((error: unknown) => error);
          seen.push(await idsOf(receiver.failed()), await receiver.backlog(), refused);
        },
      },
    });
    await other.handle(await delivery(refund('evt_1')));
    expect(seen).toEqual([
      [],
      { count: 1, oldest: 0, isWritable: true },
      expect.objectContaining({ code: 'WEBHOOK_IN_PROGRESS', retryAfter: 60 }),
    ]);
  });

  it.each([
    ['bill', 'billing'],
    ['billing', 'bill'],
  ])('is of its own consumer alone: %s, not %s', async (own, theirs) => {
    const { receiver, common, webhooks, deliver } = shop({ consumer: own });
    await deliver(refund('evt_1'));
    const [id = ''] = await idsOf(receiver.failed());
    for (const consumer of [theirs, 'default']) {
      const other = webhooks.receiver({ ...common, consumer, on: {} });
      expect([await idsOf(other.failed()), await other.backlog()]).toEqual([
        [],
        { count: 0, oldest: undefined, isWritable: true },
      ]);
      await expect(other.discard(id)).rejects.toThrow(ConfigurationError);
    }
    expect(await idsOf(receiver.failed())).toEqual([id]);
  });

  it('leaves out what another program keeps in the space of its keys', async () => {
    const { receiver, common } = shop();
    const { store } = common;
    for (const [index, data] of ['text', '{}', '{"body":"{}","receivedAt":"now"}'].entries()) {
      const claim = await store.claim(`webhook.default/foreign/${index}`, 1000);
      if (claim.status === 'claimed')
        await store.release(`webhook.default/foreign/${index}`, claim.token, { data });
    }
    expect(await idsOf(receiver.failed())).toEqual([]);
  });
});

describe('a kept body', () => {
  const bodies: readonly (readonly [what: string, body: string | Uint8Array])[] = [
    ['text', 'maintenance'],
    ['broken JSON', '{"id":'],
    ['nothing', ''],
    ['bytes that are not UTF-8', Uint8Array.of(0xff, 0x00, 0x7b)],
    ['a byte order mark', '\ufeffoops'],
    ['an event without an id', '{"type":"refund.failed"}'],
    ['an event with a long id', JSON.stringify({ id: 'e'.repeat(256), type: 'refund.failed' })],
  ];

  it.each(bodies)('is repeated byte for byte: %s', async (_what, body) => {
    const unreadable: Buffer[] = [];
    const headers: unknown[] = [];
    const { receiver, deliverBody } = shop({
      onUnreadable: (one) => {
        unreadable.push(Buffer.from(one.rawBody));
        headers.push([one.headers.get('Webhook-Signature'), one.headers.get('x-none')]);
      },
    });
    expect(await deliverBody(body)).toBe(500);
    const [kept] = await listOf(receiver.failed());
    expect(kept).toMatchObject({ error: 'WebhookVerificationError (WEBHOOK_INVALID_PAYLOAD)' });
    await expect(receiver.dispatch(anything(JSON.parse(JSON.stringify(kept))))).rejects.toThrow();
    expect(unreadable).toEqual([Buffer.from(body), Buffer.from(body)]);
    expect(headers).toEqual([
      [expect.stringMatching(/^v1,/), null],
      [null, null],
    ]);
    expect(await receiver.backlog()).toMatchObject({ count: 1 });
  });

  it.each([undefined, () => Promise.reject(new Error('no disk'))])(
    'stays kept without onUnreadable, or if it fails: %s',
    async (onUnreadable) => {
      const failures: string[] = [];
      const { receiver, deliverBody } = shop({
        onUnreadable,
        onError: ({ error }) => failures.push(String(error)),
      });
      expect(await deliverBody('[]')).toBe(500);
      expect(failures).toEqual([
        expect.stringMatching(
          onUnreadable === undefined ? /^WebhookVerificationError: / : /^Error: no disk$/,
        ),
      ]);
      expect(await receiver.backlog()).toMatchObject({ count: 1 });
    },
  );

  it('is handled by a version that can read it, and kept no longer', async () => {
    const live = shop({}, { livemode: true });
    await live.deliver(refund('evt_1'));
    live.clock.time += 1;
    await live.deliver(refund('evt_2'));
    const [kept] = await listOf(live.receiver.failed());
    expect(kept?.id).toMatch(/^webhook\.default\/unreadable\//);
    const handled: string[] = [];
    const corrected = webhooksAt().receiver({ ...live.common, onEvent: ({ id }) => handled.push(id) });
    expect(await corrected.dispatch(anything(kept))).toBe('handled');
    expect(handled).toEqual(['evt_1']);
    expect(await corrected.backlog()).toMatchObject({ count: 1 });
  });

  it('is dropped from the store once its event is handled', async () => {
    const { common, handled, state, deliver } = shop();
    await deliver(refund('evt_1'));
    state.works = true;
    expect(await deliver(refund('evt_1'))).toBe(200);
    expect(handled).toEqual(['evt_1 2']);
    expect(await common.store.claim(keyOf('evt_1'), 1000)).toEqual({ status: 'completed', data: '' });
  });

  it('is not kept by a full store, which still lets the next delivery be handled at once', async () => {
    const { receiver, state, handled, deliver } = shop({ store: memoryStore({ maxOperations: 1 }) });
    for (const id of ['evt_1', 'evt_2']) expect(await deliver(refund(id))).toBe(500);
    expect(await receiver.backlog()).toMatchObject({ count: 1 });
    state.works = true;
    expect(await deliver(refund('evt_2'))).toBe(200);
    expect(handled).toEqual(['evt_2 2']);
  });
});

describe('discard', () => {
  it('ends a kept delivery for the retention of the receiver', async () => {
    const { clock, receiver, state, handled, deliver, common } = shop({ retention: 7000 });
    await deliver(refund('evt_1'));
    await receiver.discard(keyOf('evt_1'));
    await receiver.discard(keyOf('evt_1'));
    expect(await idsOf(receiver.failed())).toEqual([]);
    expect(await common.store.claim(keyOf('evt_1'), 1000)).toEqual({ status: 'completed', data: '' });
    state.works = true;
    clock.time += 6999;
    expect([await deliver(refund('evt_1')), handled]).toEqual([200, []]);
    clock.time += 1;
    await deliver(refund('evt_1'));
    expect(handled).toEqual(['evt_1 1']);
  });

  it('leaves an event alone that did not fail', async () => {
    const { receiver, state, handled, deliver } = shop();
    await receiver.discard(keyOf('evt_1'));
    state.works = true;
    await deliver(refund('evt_1'));
    expect(handled).toEqual(['evt_1 1']);
  });

  it.each([undefined, 7, 'evt_1', 'webhook.other/test//evt_1'])('refuses %j', async (id) => {
    await expect(shop().receiver.discard(anything(id))).rejects.toThrow(
      /^receiver\.discard\.id: expected the id of a delivery that this consumer's failed\(\) lists, got/,
    );
  });
});
