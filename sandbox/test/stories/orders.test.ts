/** Orders that met a problem: was each charged once, what to do now, what the page offers, and what each request came to. */

import type { Sandbox, StorySummary } from 'payments-client-sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOrder, moreOrders, troubledOrders } from '../../../test/support/troubled-orders.ts';
import { dashboardOf } from './support.ts';

const orders = [...troubledOrders, ...moreOrders];

/** The labels of an order's actions; an advised one begins with a star. */
const offered: Readonly<Record<string, readonly string[]>> = {
  'order-100': ['Refund $55.00'],
  // A refund beside the dispute would give the money back twice.
  'order-103': [],
  // Of two payments for one purchase, the later one is refunded.
  'order-105-first-click': ['Refund $31.00'],
  'order-105-second-click': ['* Refund $31.00'],
  'order-107': ['* Repeat paymentIntents.confirm with the same operation id', 'Refund $64.00'],
  'order-109': ['* Cancel the subscription', 'Refund $12.00'],
  'order-219': ['* Void $49.99', '* Void $49.99'],
  'order-224': [
    '* Redeliver payment_intent.created',
    '* Redeliver payment_intent.succeeded',
    'Refund $19.00',
  ],
};

/** What each request of an order came to, in a word or two. */
const requests: Readonly<Record<string, readonly string[]>> = {
  'order-100': [
    'create 5500 USD ✓ created',
    'confirm 5500 USD ✗ reply lost (charged)',
    'create 5500 USD ↻ replayed',
    // The client retrieves the object of a replay.
    'retrieve - ✓ 200',
    'confirm 5500 USD ↻ replayed',
    'retrieve - ✓ 200',
  ],
  'order-101': [
    'create 2300 USD ✓ created',
    'confirm 2300 USD ✗ declined: insufficient funds',
    'retry 2300 USD ✓ charged',
  ],
  'order-102': [
    'create 8000 USD ✓ created',
    'confirm 8000 USD ✓ charged',
    'refund 3000 USD ✓ pending',
    'retry refund 3000 USD ✓ pending',
  ],
  'order-204': [
    'create 4300 USD ✓ created',
    'confirm 4300 USD ✓ charged',
    'refund 4300 USD ✗ reply lost (pending)',
  ],
  'order-219': ['sale 4999 USD ✗ reply lost (charged)', 'sale 4999 USD ✓ charged'],
  'order-221': ['sale 4999 USD ✗ declined: insufficient funds'],
  'order-222': ['sale 4999 USD ✓ charged', 'void 4999 USD ✓ canceled'],
  'order-227': [
    'session 1200 USD ✓ created',
    'GET /v1/subscriptions - ✓ 200',
    'cancel subscription 1200 USD ✓ canceled',
  ],
  'order-231': ['create 3100 USD ✓ created', 'confirm 3100 USD ✓ authorized', 'capture 3100 USD ✓ charged'],
  'order-232': ['create 3100 USD ✗ request lost'],
  'order-233': ['create 3100 USD ✗ 502 (created)'],
  'order-235': ['create 3100 JPY ✓ created', 'confirm 3100 JPY ✓ charged'],
  'order-236': [
    'session 1200 USD ✓ created',
    'checkout 1200 USD ✗ 3-D Secure failed',
    'checkout 1200 USD ✓ charged',
  ],
};

type Logged = { what: string; money: StorySummary['money']; result: { mark: string; text: string } };

async function linesOf(sandbox: Sandbox): Promise<readonly string[]> {
  const { data }: { data: readonly Logged[] } = Object((await dashboardOf(sandbox).call('requests')).body);
  return data.map(({ what, money, result }) => {
    const amount = money === null ? '-' : `${money.amount} ${money.currency}`;
    return `${what} ${amount} ${result.mark} ${result.text}`;
  });
}

describe.each(orders)('$id: $what', (order) => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await makeOrder(order);
  });
  afterAll(() => sandbox.close());

  it('has its verdict and its need', () => {
    const { verdict, reason, needs } = sandbox.story(order.id) ?? {};
    expect({ verdict, reason, needs: needs && { why: needs.why, action: needs.action } }).toEqual({
      verdict: order.verdict,
      reason: order.reason,
      needs: order.needs ?? null,
    });
  });

  // The buyer's second click made an order beside this one.
  const own = [order.id, order.id.replace('first', 'second')];
  const stories = Object.keys(offered).filter((id) => own.includes(id));
  it.runIf(stories.length > 0)('offers what is possible, and advises what its need asks for', async () => {
    for (const id of stories) {
      const { actions } = await dashboardOf(sandbox).story(id);
      expect(actions.map(({ isAdvised, label }) => `${isAdvised ? '* ' : ''}${label}`)).toEqual(offered[id]);
    }
  });

  const lines = requests[order.id];
  it.runIf(lines !== undefined)('says what each request came to', async () => {
    expect(await linesOf(sandbox)).toEqual(lines);
  });
});

it('has an order for each row of the tables', () => {
  const ids = orders.map(({ id }) => id);
  const rows = [...Object.keys(offered), ...Object.keys(requests)];
  expect(rows.filter((id) => !ids.includes(id))).toEqual(['order-105-second-click']);
});
