/** What resume does: it asks for subscriptions whose event may be lost, goes on after a crash, and lists what a person has to do. */

import { describe, expect, it } from 'vitest';
import { json } from '../../support/mock-service.ts';
import { day, hour, notFound, openShop, start, subscription } from './shop.ts';

const read = 'GET /v1/subscriptions/sub_1';
const end = start + 30 * day;

describe('resume', () => {
  it('asks for a subscription an hour after its period ended without news, and learns of its cancellation', async () => {
    const { hear, resume, granted, requests, clock } = openShop({
      answer: () => json(subscription({ status: 'canceled', updated_at: start + day })),
    });
    await hear({});
    clock.seconds = end + hour - 1;
    await resume();
    expect(requests).toEqual([]);
    clock.seconds += 1;
    expect(await resume()).toEqual([]);
    expect(requests).toEqual([read]);
    expect(await granted()).toBe(false);
    clock.seconds += 40 * day;
    await resume();
    expect(requests).toEqual([read]);
  });

  it('asks for none that has renewed, and needs no request for it', async () => {
    const { hear, resume, requests, clock } = openShop();
    await hear({}, { updated_at: end, current_period_end: end + 30 * day });
    clock.seconds = end + hour;
    await resume();
    expect(requests).toEqual([]);
  });

  it('asks once a day for a month, if the service says nothing new', async () => {
    const { hear, resume, requests, clock } = openShop({ answer: notFound });
    await hear({});
    clock.seconds = end;
    for (let hours = 0; hours < 50 * 24; hours += 6) {
      clock.seconds += 6 * hour;
      await resume();
    }
    expect(requests).toHaveLength(30);
  });

  it('lists a need each time, until it has ended', async () => {
    const { hear, giveUp, resume, resolve } = openShop();
    await hear({});
    await giveUp();
    const need = { kind: 'which_subscription', invoice: 'inv_1', subscriptions: ['sub_1'], detail: null };
    for (const _ of [1, 2]) expect(await resume()).toEqual([{ customer: 'cus_1', needs: [need] }]);
    await resolve('cus_1', 'inv_1', null);
    expect(await resume()).toEqual([]);
  });

  it('goes on with other customers if one fails', async () => {
    const { hear, resume, requests, clock } = openShop({
      answer: (request) => (request === read ? json({}, { status: 500 }) : notFound()),
    });
    await hear({}, { id: 'sub_2', customer: 'cus_2' });
    clock.seconds = end + hour;
    expect(await resume()).toEqual([{ customer: 'cus_1', needs: [], error: expect.any(Error) }]);
    expect(requests).toHaveLength(2);
  });

  it('cancels what is to be canceled, though the service cannot be asked', async () => {
    const cancel = 'POST /v1/subscriptions/sub_1/cancel';
    const shop = openShop({ answer: () => json({}, { status: 500 }) });
    await shop.hear({}, { id: 'sub_2' });
    await shop.giveUp({ subscription: 'sub_1' }).catch(() => {});
    shop.clock.seconds = end + hour;
    shop.answer = (request) =>
      request === cancel
        ? json(subscription({ status: 'canceled', updated_at: end }))
        : json({}, { status: 500 });
    await shop.resume();
    const { subscriptions } = await shop.access('cus_1');
    expect(subscriptions.map(({ status }) => status)).toEqual(['canceled', 'active']);
  });

  it('reaches each of many customers', async () => {
    const { hear, resume, requests, clock } = openShop();
    for (let number = 0; number < 250; number += 1)
      await hear({ id: `sub_${number}` as const, customer: `cus_${number}` as const });
    clock.seconds = end + hour;
    await resume();
    expect(new Set(requests).size).toBe(250);
  });
});
