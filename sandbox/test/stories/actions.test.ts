/** What the page of an order offers to do, and what it advises. */

import { expect, it, onTestFinished } from 'vitest';
import { makeOrder, moreOrders, troubledOrders } from '../../../test/support/troubled-orders.ts';
import { dashboardOf } from './support.ts';

/** Returns the labels of an order's actions; an advised one begins with a star. */
async function labelsOf(id: string, story = id): Promise<readonly string[]> {
  const order = [...troubledOrders, ...moreOrders].find((one) => one.id === id);
  if (order === undefined) throw new Error(`Expected a known order, got '${id}'.`);
  const sandbox = await makeOrder(order);
  onTestFinished(() => sandbox.close());
  const { actions } = await dashboardOf(sandbox).story(story);
  return actions.map(({ isAdvised, label }) => `${isAdvised ? '* ' : ''}${label}`);
}

it('advises to refund the later of two orders alone', async () => {
  const [first, second] = ['order-105-first-click', 'order-105-second-click'] as const;
  expect(await labelsOf(first)).toEqual(['Refund $31.00']);
  expect(await labelsOf(first, second)).toEqual(['* Refund $31.00']);
});

it.each([
  ['order-100', 'Refund $55.00'],
  // A refund beside the dispute would give the money back twice.
  ['order-103'],
  ['order-107', '* Repeat paymentIntents.confirm with the same operation id', 'Refund $64.00'],
  ['order-109', '* Cancel the subscription', 'Refund $12.00'],
  ['order-219', '* Void $49.99', '* Void $49.99'],
  [
    'order-224',
    '* Redeliver payment_intent.created',
    '* Redeliver payment_intent.succeeded',
    'Refund $19.00',
  ],
])('%s', async (id, ...labels) => {
  expect(await labelsOf(id)).toEqual(labels);
});
