/** An order of `payments-client/orders` that was edited after a payment: is it charged once? */

import { expect, it } from 'vitest';
import { recordShop } from './support.ts';

it.each([
  [2, '$12.00 was charged twice: a part, and then the rest.'],
  [3, '$12.00 and $24.00 were charged: a part, and then the rest.'],
])('is charged once if the rest is paid after it was edited to %i boxes', async (boxes, reason) => {
  const { pay, row, sandbox } = recordShop();
  await pay('order-1', () => {
    row.boxes = boxes;
  });
  expect(sandbox.story('order-1')).toMatchObject({ verdict: 'charged_once', net: 1200 });
  await pay('order-1');
  const money = { amount: 1200 * boxes, currency: 'USD' };
  expect(sandbox.story('order-1')).toMatchObject({
    verdict: 'charged_once',
    reason,
    money,
    net: money.amount,
  });
});

it('is charged twice if a second page is paid too, until the app gives that back', async () => {
  const { orders, row, sandbox } = recordShop({}, { expiredSessions: 'payable' });
  const pages: string[] = [];
  for (const boxes of [1, 2]) {
    row.boxes = boxes;
    const checkout = await orders.checkout('order-1');
    if (checkout.state === 'open') pages.push(checkout.session);
  }
  for (const page of pages) sandbox.pay(page);
  expect(sandbox.story('order-1')).toMatchObject({ verdict: 'charged_twice', charges: 2, net: 3600 });
  await orders.refresh('order-1');
  expect(sandbox.story('order-1')).toMatchObject({
    verdict: 'charged_once',
    money: { amount: 2400, currency: 'USD' },
    net: 2400,
  });
});

it('has the amount of the page that was opened last, while nothing is paid', async () => {
  const { orders, row, sandbox } = recordShop();
  await orders.checkout('order-1');
  row.boxes = 2;
  await orders.checkout('order-1');
  expect(sandbox.story('order-1')).toMatchObject({
    verdict: 'open',
    money: { amount: 2400, currency: 'USD' },
  });
});
