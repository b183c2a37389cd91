/** An invoice that the service gave up: its own subscription is canceled, never another one, and what nobody says a person decides. */

import {
  ConfigurationError,
  InvalidRequestError,
  PermissionError,
  ServerError,
  UnprocessableError,
} from 'payments-client';
import { describe, expect, it } from 'vitest';
import { anything } from '../../support/anything.ts';
import { failureOf } from '../../support/failure.ts';
import { json } from '../../support/mock-service.ts';
import { day, hour, notFound, openShop, start, subscription } from './shop.ts';

const cancelOne = 'POST /v1/subscriptions/sub_1/cancel';
const readOne = 'GET /v1/subscriptions/sub_1';
const canceled = () => json(subscription({ status: 'canceled', updated_at: start + 2 * hour }));
const own = { subscription: 'sub_1' };
const refusal = () => json({ error: { code: 'not_now' } }, { status: 422 });
const whose = (...subscriptions: readonly string[]) => [
  { kind: 'which_subscription', invoice: 'inv_1', subscriptions, detail: null },
];
const notCanceled = (detail: string) => [
  { kind: 'not_canceled', invoice: 'inv_1', subscriptions: ['sub_1'], detail },
];

describe('an invoice that names its subscription', () => {
  it.each([own, { subscription: { id: 'sub_1' } }, { subscription_id: 'sub_1' }])(
    'as %j cancels that one, and no other',
    async (named) => {
      const { hear, giveUp, access, requests } = openShop({ answer: canceled });
      await hear({ status: 'past_due' }, { id: 'sub_2', status: 'past_due' });
      await giveUp(named);
      expect(requests).toEqual([cancelOne]);
      const { subscriptions, needs } = await access('cus_1');
      expect(subscriptions.map(({ status }) => status)).toEqual(['canceled', 'past_due']);
      expect(needs).toEqual([]);
    },
  );

  it('cancels nothing if that one is over: the last invoice of one cancels no other', async () => {
    const { hear, giveUp, requests, needs } = openShop({ answer: canceled });
    await hear({ status: 'canceled' }, { id: 'sub_2', status: 'past_due' });
    await giveUp(own);
    expect([requests, await needs()]).toEqual([[], []]);
  });

  it('cancels nothing if that one has ended by the clock, though no event says it', async () => {
    const { hear, giveUp, requests, needs, clock } = openShop({ answer: canceled });
    await hear({ cancel_at_period_end: true });
    clock.seconds = start + 30 * day;
    await giveUp(own);
    expect([requests, await needs()]).toEqual([[], []]);
  });

  it('cancels it once, also if its event is repeated after the service resumed it', async () => {
    const { hear, giveUp, requests, needs } = openShop({ answer: canceled });
    await hear({});
    await giveUp(own);
    await hear({ updated_at: start + day });
    await giveUp(own);
    expect(requests).toEqual([cancelOne]);
    expect(await needs()).toEqual([]);
  });

  it('is kept, though the service cannot be asked for one of which nothing is known yet', async () => {
    const { giveUp, needs } = openShop({ answer: () => json({}, { status: 403 }) });
    await expect(giveUp(own)).rejects.toThrow(PermissionError);
    expect(await needs()).toEqual(notCanceled('it is no known subscription of the customer'));
  });

  it('waits for one of which nothing is known yet', async () => {
    const shop = openShop();
    await shop.giveUp(own);
    expect(shop.requests).toEqual([readOne]);
    expect(await shop.needs()).toEqual(notCanceled('it is no known subscription of the customer'));
    shop.answer = canceled;
    await shop.hear({});
    expect(shop.requests).toEqual([readOne, cancelOne]);
    expect(await shop.needs()).toEqual([]);
  });

  it('asks the service for one whose events were lost', async () => {
    const { giveUp, requests, granted } = openShop({
      answer: (request) => (request === readOne ? json(subscription()) : canceled()),
    });
    await giveUp(own);
    expect(requests).toEqual([readOne, cancelOne]);
    expect(await granted()).toBe(false);
  });

  it('never cancels one of another customer', async () => {
    const { hear, giveUp, requests, needs } = openShop({
      answer: () => json(subscription({ customer: 'cus_2' })),
    });
    await hear({ customer: 'cus_2' });
    await giveUp(own);
    expect(requests).toEqual([readOne]);
    expect(await needs()).toEqual(notCanceled('it is no known subscription of the customer'));
  });
});

describe('an invoice that names none', () => {
  it('cancels nothing, even with one past due: a person says which', async () => {
    const shop = openShop({ answer: canceled });
    await shop.hear({ status: 'past_due' }, { id: 'sub_2' });
    await shop.giveUp();
    expect(shop.requests).toEqual([]);
    expect(await shop.needs()).toEqual(whose('sub_1', 'sub_2'));
    expect(await shop.resolve('cus_1', 'inv_1', 'sub_1')).toMatchObject({ needs: [] });
    expect(shop.requests).toEqual([cancelOne]);
  });

  it('may be of one that was created shortly after it: a service may make the invoice first', async () => {
    const { hear, giveUp, needs } = openShop();
    await hear({ created_at: start + hour + day - 1 });
    await giveUp();
    expect(await needs()).toEqual(whose('sub_1'));
  });

  it('may be of one that is over, or is to end, but not of one that was created a day later', async () => {
    const { hear, giveUp, needs, clock } = openShop();
    await hear(
      { status: 'canceled' },
      { id: 'sub_2', cancel_at_period_end: true },
      { id: 'sub_3', created_at: start + hour + day },
    );
    await giveUp();
    expect(await needs()).toEqual(whose('sub_1', 'sub_2'));
    clock.seconds = start + 30 * day;
    expect(await needs()).toEqual([]);
  });

  it('needs a person as soon as one becomes known that it may be of', async () => {
    const { hear, giveUp, needs } = openShop();
    await giveUp();
    expect(await needs()).toEqual([]);
    await hear({});
    expect(await needs()).toEqual(whose('sub_1'));
  });

  it('is settled by a person for whom nothing is to be canceled, also if its event comes again', async () => {
    const { hear, giveUp, resolve, requests, needs } = openShop();
    await hear({});
    await giveUp();
    expect(await resolve('cus_1', 'inv_1', null)).toMatchObject({ granted: true, needs: [] });
    await giveUp(own);
    expect([requests, await needs()]).toEqual([[], []]);
  });

  it('is one that names two', async () => {
    const { hear, giveUp, requests, needs } = openShop({ answer: canceled });
    await hear({}, { id: 'sub_2' });
    await giveUp({ subscription: 'sub_1', subscription_id: 'sub_2' });
    expect([requests, await needs()]).toEqual([[], whose('sub_1', 'sub_2')]);
  });

  it('is that of the subscription that the shop returns', async () => {
    const { hear, giveUp, requests } = openShop({
      answer: canceled,
      subscriptionOf: async ({ customer }) => (customer === 'cus_1' ? 'sub_1' : undefined),
    });
    await hear({}, { id: 'sub_2' });
    await giveUp();
    expect(requests).toEqual([cancelOne]);
  });

  it('is that of a person if the shop returns null, as a database does', async () => {
    const { hear, giveUp, needs } = openShop({ subscriptionOf: () => null });
    await hear({});
    await giveUp();
    expect(await needs()).toEqual(whose('sub_1'));
  });

  it('keeps the delivery if the shop returns no id of a subscription, or throws', async () => {
    for (const subscriptionOf of [() => anything('cus_1'), () => Promise.reject(new Error('database'))]) {
      const { hear, giveUp, needs } = openShop({ subscriptionOf });
      await hear({});
      await expect(giveUp()).rejects.toThrow(/the id of a subscription|database/);
      expect(await needs()).toEqual([]);
    }
  });
});

describe('a cancellation', () => {
  it.each([
    ['is refused', (request: string) => (request === cancelOne ? refusal() : notFound()), 'not_now'],
    ['has no path', notFound, 'not_found'],
    ['has no effect', () => json(subscription()), "the service answered with the status 'active'"],
  ])('that %s needs a person, who may ask again', async (_, answer, detail) => {
    const shop = openShop({ answer });
    await shop.hear({});
    await shop.giveUp(own);
    expect(await shop.needs()).toEqual(notCanceled(detail));
    shop.answer = canceled;
    expect(await shop.resolve('cus_1', 'inv_1', 'sub_1')).toMatchObject({ granted: false, needs: [] });
    expect(new Set(shop.keys.filter((key) => key !== null)).size).toBe(2);
  });

  it('that is refused needs nobody once an event says that it is over', async () => {
    const shop = openShop({ answer: refusal });
    await shop.hear({});
    // The look at the subscription is refused too.
    await failureOf(shop.giveUp(own), UnprocessableError);
    await shop.giveUp(own);
    expect(shop.requests).toEqual([cancelOne, readOne]);
    expect(await shop.needs()).toEqual(notCanceled('not_now'));
    await shop.hear({ status: 'canceled', updated_at: start + 1 });
    expect(await shop.needs()).toEqual([]);
  });

  it('that is refused since it is over already needs nobody', async () => {
    const { hear, giveUp, needs, granted } = openShop({
      answer: (request) => (request === cancelOne ? refusal() : canceled()),
    });
    await hear({});
    await giveUp(own);
    expect([await needs(), await granted()]).toEqual([[], false]);
  });

  it('whose answer is lost is sent again with the same key, by a delivery or by resume', async () => {
    const shop = openShop({ answer: () => json({}, { status: 500 }) });
    await shop.hear({});
    await failureOf(shop.giveUp(own), ServerError);
    await failureOf(shop.giveUp(own), ServerError);
    expect(await shop.resume()).toEqual([{ customer: 'cus_1', needs: [], error: expect.any(ServerError) }]);
    shop.answer = canceled;
    expect(await shop.resume()).toEqual([]);
    expect(shop.requests).toEqual(Array(4).fill(cancelOne));
    expect(new Set(shop.keys).size).toBe(1);
  });
});

describe('resolve', () => {
  it('refuses what it does not know, and changes nothing', async () => {
    const { hear, giveUp, resolve, requests, needs } = openShop();
    await hear({}, { id: 'sub_2', customer: 'cus_2' });
    await giveUp();
    const refused = async (call: Promise<unknown>) => (await failureOf(call, ConfigurationError)).message;
    expect(await refused(resolve('cus_1', 'inv_2', 'sub_1'))).toContain(
      'resolve.invoice: expected an invoice of a need of the customer, got a string of 5 characters. Nothing was changed.',
    );
    expect(await refused(resolve('cus_3', 'inv_1', null))).toContain('resolve.invoice: expected');
    expect(await refused(resolve('cus_1', 'inv_1', 'sub_2'))).toContain(
      'resolve.subscription: expected a known subscription of the customer, or null, got a string of 5 characters.',
    );
    expect(await refused(resolve('cus_1', 'inv_1', anything('cus_2')))).toContain('the id of a subscription');
    expect([requests, await needs()]).toEqual([[], whose('sub_1')]);
  });

  it('refuses a second subscription for an invoice, so that two persons never cancel two', async () => {
    const { hear, giveUp, resolve, requests } = openShop({ answer: refusal });
    await hear({}, { id: 'sub_2' });
    await giveUp();
    await resolve('cus_1', 'inv_1', 'sub_1').catch(() => {});
    const { message } = await failureOf(resolve('cus_1', 'inv_1', 'sub_2'), ConfigurationError);
    expect(message).toContain('expected null or sub_1, which is the one of the invoice');
    await resolve('cus_1', 'inv_1', null);
    await failureOf(resolve('cus_1', 'inv_1', 'sub_2'), ConfigurationError);
    expect(requests).toEqual([cancelOne, readOne]);
  });

  it('cancels nothing if a person names one that is over', async () => {
    const { hear, giveUp, resolve, requests } = openShop({ answer: canceled });
    await hear({ status: 'canceled' }, { id: 'sub_2' });
    await giveUp();
    expect(await resolve('cus_1', 'inv_1', 'sub_1')).toMatchObject({ granted: true, needs: [] });
    expect(requests).toEqual([]);
  });

  it('refuses a subscription after null, which would change nothing', async () => {
    const { hear, giveUp, resolve } = openShop();
    await hear({});
    await giveUp();
    await resolve('cus_1', 'inv_1', null);
    const { message } = await failureOf(resolve('cus_1', 'inv_1', 'sub_1'), ConfigurationError);
    expect(message).toContain('resolve.subscription: expected null, which ended the need');
  });

  it('may be repeated after the need has ended', async () => {
    const { hear, giveUp, resolve, requests } = openShop({ answer: canceled });
    await hear({});
    await giveUp();
    for (const _ of [1, 2])
      expect(await resolve('cus_1', 'inv_1', 'sub_1')).toMatchObject({ granted: false, needs: [] });
    expect(requests).toEqual([cancelOne]);
  });
});

it('refuses an event of an invoice without a customer', async () => {
  const { message } = await failureOf(openShop().giveUp({ customer: anything(null) }), ConfigurationError);
  expect(message).toContain("invoice.customer: expected an id that starts with 'cus_', got null.");
});

it('never sends a name that is no id', async () => {
  const { hear, giveUp, requests, needs } = openShop();
  await hear({});
  for (const named of ['../refunds', '', 7, null, 'cus_2']) await giveUp({ subscription: named });
  expect([requests, await needs()]).toEqual([[], whose('sub_1')]);
  await giveUp({ id: 'inv_2', subscription: 'sub_..' }).catch((error) => {
    if (!(error instanceof InvalidRequestError)) throw error;
  });
});
