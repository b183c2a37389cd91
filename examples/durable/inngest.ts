/**
 * Charges an order once as a function of Inngest. Serve it with the `orders` of your shop: `functions: [payOrdersWith(orders)]`. Then send the
 * event `order/placed`, with the order as its data and the order's id as its id.
 */

import { eventType, Inngest, staticSchema } from 'inngest';
import type { Orders } from 'payments-client/orders';
import { type Order, payOrder, stepsOf } from './order.ts';

export const inngest = new Inngest({ id: 'shop' });
const placed = eventType('order/placed', { schema: staticSchema<Order & Record<string, unknown>>() });

export function payOrdersWith(orders: Orders) {
  const { charge } = stepsOf(orders);
  return inngest.createFunction({ id: 'pay-order', triggers: placed, retries: 20 }, ({ event, step }) =>
    payOrder({ charge: (id, card) => step.run(`charge ${card}`, () => charge(id, card)) }, event.data),
  );
}
