/** Who has access: the newest known version of each subscription decides, whatever arrives when. */

import { ConfigurationError, PaymentsError, unlisted } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { anything } from '../../support/anything.ts';
import { failureOf } from '../../support/failure.ts';
import { json } from '../../support/mock-service.ts';
import { day, hour, openShop, start, subscription } from './shop.ts';

const canceledAt = (updated_at: number) => ({ status: 'canceled', updated_at }) as const;

describe('access', () => {
  it.each([
    ['active', true],
    ['past_due', true],
    ['incomplete', false],
    ['canceled', false],
    ['ended', false],
    [unlisted('paused'), false],
  ] as const)('of a customer with one that is %s is %s', async (status, granted) => {
    const { hear, access } = openShop();
    await hear({ status, updated_at: start });
    expect(await access('cus_1')).toEqual({
      granted,
      subscriptions: [
        {
          id: 'sub_1',
          status,
          grants: granted,
          endsAt: status === 'canceled' ? start * 1000 : null,
          items: [{ price: 'price_tea', quantity: 2 }],
        },
      ],
      needs: [],
    });
  });

  it('is that of the statuses that the shop names', async () => {
    const { hear, granted } = openShop({ grants: ['active', unlisted('trialing')] });
    await hear({ status: 'past_due' });
    expect(await granted()).toBe(false);
    await hear({ status: unlisted('trialing'), updated_at: start + 1 });
    expect(await granted()).toBe(true);
  });

  it('is granted by one of several, and never by those of another customer', async () => {
    const { hear, access, granted } = openShop();
    await hear(canceledAt(start), { id: 'sub_2' }, { id: 'sub_3', customer: 'cus_2', status: 'canceled' });
    const { subscriptions } = await access('cus_1');
    expect(subscriptions.map(({ id, grants }) => [id, grants])).toEqual([
      ['sub_1', false],
      ['sub_2', true],
    ]);
    expect(await granted('cus_2')).toBe(false);
    expect(await access('cus_3')).toEqual({ granted: false, subscriptions: [], needs: [] });
  });

  it('needs no request', async () => {
    const { hear, granted, requests } = openShop();
    await hear({});
    await granted();
    expect(requests).toEqual([]);
  });

  it('ends by the clock with the period, if it is to end then and no event says it', async () => {
    const { hear, granted, clock } = openShop();
    await hear({ cancel_at_period_end: true });
    clock.seconds = start + 30 * day - 1;
    expect(await granted()).toBe(true);
    clock.seconds += 1;
    expect(await granted()).toBe(false);
  });

  it('goes on after the end of a period that renews, though its event is late', async () => {
    const { hear, granted, clock } = openShop();
    await hear({});
    clock.seconds = start + 31 * day;
    expect(await granted()).toBe(true);
  });

  it('ends with `ended_at` whatever the status is called, in milliseconds too', async () => {
    const { hear, granted } = openShop();
    await hear({ status: unlisted('active'), ended_at: start * 1000 });
    expect(await granted()).toBe(false);
  });
});

describe('a late version', () => {
  const older = { updated_at: start + 1 };
  const newer = canceledAt(start + 2);

  it('of an event changes nothing', async () => {
    const { hear, granted } = openShop();
    await hear(newer, older);
    expect(await granted()).toBe(false);
  });

  it('of a read changes nothing, so that a stale replica brings no access back', async () => {
    const { hear, refresh } = openShop({ answer: () => json(subscription(older)) });
    await hear(newer);
    expect(await refresh('sub_1')).toMatchObject({ granted: false });
  });

  it('of a read that overlaps with a cancellation changes nothing', async () => {
    const { hear, refresh } = openShop({
      answer: async () => {
        await hear(newer);
        return json(subscription(older));
      },
    });
    expect(await refresh('sub_1')).toMatchObject({ granted: false });
  });

  it('is no reason against a newer one: the service may resume', async () => {
    const { hear, granted } = openShop();
    await hear(newer, { updated_at: start + 3 });
    expect(await granted()).toBe(true);
  });

  it.each([
    ['incomplete', 'active', true],
    ['active', 'canceled', false],
    ['past_due', 'canceled', false],
    [unlisted('paused'), 'canceled', false],
    ['active', 'ended', false],
    ['active', unlisted('paused'), false],
  ] as const)('within one second: %s comes before %s', async (earlier, later, granted) => {
    const versions = [earlier, later].map((status) => ({ status, updated_at: start }));
    for (const order of [versions, versions.toReversed()]) {
      const shop = openShop();
      await shop.hear(...order);
      expect((await shop.access('cus_1')).subscriptions.map(({ status }) => status)).toEqual([later]);
      expect(await shop.granted()).toBe(granted);
    }
  });

  it('within one second: one that is to end comes last, and the rest ends alike in each order', async () => {
    const items = (price: 'price_1' | 'price_2') =>
      [{ id: 'si_1', price, quantity: 1, metadata: {} }] as const;
    for (const [one, other] of [
      [{ cancel_at_period_end: true }, {}],
      [{ items: items('price_1') }, { items: items('price_2') }],
    ] as const) {
      const [first, second] = [openShop(), openShop()];
      await first.hear(one, other);
      await second.hear(other, one);
      const seen = await first.access('cus_1');
      expect(await second.access('cus_1')).toEqual(seen);
      if ('cancel_at_period_end' in one) expect(seen.subscriptions[0]?.endsAt).not.toBeNull();
    }
  });
});

describe('refresh', () => {
  it('learns of a subscription whose events were lost', async () => {
    const { refresh, requests } = openShop({ answer: () => json(subscription()) });
    expect(await refresh('sub_1')).toMatchObject({ granted: true });
    expect(requests).toEqual(['GET /v1/subscriptions/sub_1']);
  });

  it('keeps what is known if the service has no such path', async () => {
    const { hear, refresh, granted } = openShop();
    await hear({});
    expect(await refresh('sub_1')).toBeUndefined();
    expect(await granted()).toBe(true);
  });

  it('passes another failure on', async () => {
    const { refresh } = openShop({ answer: () => json({}, { status: 500 }) });
    expect(await failureOf(refresh('sub_1'), PaymentsError)).toMatchObject({ status: 500 });
  });
});

describe('what is kept', () => {
  it('is separate for each account of a store', async () => {
    const store = memoryStore();
    const [one, other] = [openShop({ store }), openShop({ store, account: 'other' })];
    await one.hear({});
    expect(await other.access('cus_1')).toEqual({ granted: false, subscriptions: [], needs: [] });
  });

  it('loses nothing that two processes learn at once', async () => {
    const { hear, access } = openShop();
    await Promise.all([hear({}), hear({ id: 'sub_2' })]);
    expect((await access('cus_1')).subscriptions).toHaveLength(2);
  });

  it('keeps the delivery if other processes are always faster', async () => {
    const { load, due } = memoryStore();
    const { hear } = openShop({ store: { load, due, save: async () => false } });
    expect(await failureOf(hear({}), PaymentsError)).toMatchObject({
      code: 'SUBSCRIPTION_CHANGED',
      retryable: true,
    });
  });

  it('refuses an object of the other mode', async () => {
    const { hear, giveUp, granted } = openShop();
    await hear({ livemode: true, status: 'canceled' });
    for (const call of [hear({ updated_at: start + hour }), giveUp()]) {
      expect(await failureOf(call, PaymentsError)).toMatchObject({
        code: 'SUBSCRIPTION_MODE',
        message: expect.stringContaining('expected an object of live mode, got one of test mode.'),
      });
    }
    expect(await granted()).toBe(false);
  });

  it('refuses a record that is none, and changes it not', async () => {
    const { store, hear, granted } = openShop();
    await store.save('subscriptions:tea-shop-test/cus_1', 0, '{"format":2}', { wakeAt: null });
    for (const call of [hear({}), granted()])
      expect(await failureOf(call, PaymentsError)).toMatchObject({ code: 'SUBSCRIPTION_RECORD' });
    expect(await store.load('subscriptions:tea-shop-test/cus_1')).toMatchObject({ data: '{"format":2}' });
  });

  it('has no name, no address and no metadata of the customer', async () => {
    const { store, hear } = openShop();
    await hear({ metadata: { name: 'Ada Lovelace' } });
    expect((await store.load('subscriptions:tea-shop-test/cus_1'))?.data).not.toContain('Ada');
  });
});

describe('an event that differs from the interface', () => {
  it('still ends access if it can be ordered', async () => {
    const { deliver, hear, granted } = openShop();
    await hear({});
    const { id, customer, livemode } = subscription();
    await deliver('subscription.canceled', { id, customer, livemode, ...canceledAt(start) });
    expect(await granted()).toBe(false);
  });

  it.each([
    ['updated_at', undefined, 'subscription.updated_at: expected an integer, got nothing'],
    ['updated_at', '1', 'subscription.updated_at: expected an integer, got a string'],
    ['customer', null, "subscription.customer: expected an id that starts with 'cus_', got null"],
    ['livemode', 'no', "subscription.livemode: expected true or false, got 'no'"],
  ])('is refused if its %s is %j', async (field, value, words) => {
    const { deliver } = openShop();
    const call = deliver('subscription.updated', { ...subscription(), [field]: value });
    const { message } = await failureOf(call, ConfigurationError);
    expect(message).toContain(words);
  });
});

it('refuses the id of another kind', async () => {
  const { access, refresh } = openShop();
  for (const call of [access(anything('sub_1')), refresh(anything('cus_1'))])
    expect((await failureOf(call, ConfigurationError)).message).toMatch(/expected the id of a/);
});
