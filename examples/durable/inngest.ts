/**
 * Charges an order once as a function of Inngest. Serve it with your client: `functions: [payOrdersWith(new PaymentsClient())]`. Then send the
 * event `order/placed`, with the order as its data and the order's id as its id.
 */

import { eventType, Inngest, staticSchema } from 'inngest';
import type { PaymentsClient } from 'payments-client';
import { type Order, payOrder, type Steps, stepsOf } from './order.ts';

export const inngest = new Inngest({ id: 'shop' });
const placed = eventType('order/placed', { schema: staticSchema<Order & Record<string, unknown>>() });

export function payOrdersWith(payments: PaymentsClient) {
  const steps = stepsOf(payments);
  return inngest.createFunction({ id: 'pay-order', triggers: placed, retries: 20 }, ({ event, step }) => {
    const durable: Steps = {
      open: (order) => step.run('open', () => steps.open(order)),
      charge: (intent, card, operationId) =>
        step.run(`charge ${operationId}`, () => steps.charge(intent, card, operationId)),
    };
    return payOrder(durable, event.data);
  });
}
