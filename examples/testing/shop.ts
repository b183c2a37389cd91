/** The part of a shop that takes money: small enough to test whole. `shop.test.ts` does. */

import { ApiError, type PaymentsClient, PaymentsError } from 'payments-client';

/** What is to be paid, in minor units. */
export interface Order {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly paymentMethod: string;
}

/** `unclear`: nobody knows yet. Sell it again, and you get to know, without a second charge. */
export type Sale = 'paid' | 'declined' | 'unclear';

/** Takes the money for an order, once however often it is called. */
export async function sell(payments: PaymentsClient, order: Order): Promise<Sale> {
  const { id: operationId, amount, currency, paymentMethod } = order;
  try {
    const params = { amount, currency, payment_method: paymentMethod };
    const intent = await payments.paymentIntents.create(params, { operationId });
    const { status } = await payments.paymentIntents.confirm(intent.id, {}, { operationId });
    return status === 'succeeded' ? 'paid' : 'unclear';
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error;
    if (error.outcome !== 'not_executed') return 'unclear';
    if (error instanceof ApiError && error.status === 402) return 'declined'; // 402 is inferred
    throw error; // a wrong key, say: yours to mend, and nothing was charged
  }
}
