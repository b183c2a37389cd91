/**
 * Charges an order once in a durable engine, whatever crashes: the step, and the workflow. `orders.charge` may run any number of times: the
 * order's record knows what was sent. `dbos.ts`, `temporal.ts` and `inngest.ts` run the workflow.
 */

import type { Orders } from 'payments-client/orders';

export interface Order {
  readonly id: string; // of its row, which has the price
  readonly cards: readonly string[]; // the payment methods to charge, one after the other
}

/** The step. If it throws, nobody knows yet: the engine runs it again. */
export function stepsOf(orders: Orders) {
  return {
    async charge(id: string, card: string) {
      const { state } = await orders.charge(id, card);
      return state; // alone: the engine stores it, and no secret of a buyer
    },
  };
}

export type Steps = ReturnType<typeof stepsOf>;

/**
 * The workflow. It branches only on what the step returned, which the engine stores. `paid`: `onPaid` has shipped it. `declined`: ask the buyer for
 * another card. Anything else, and an error: look into it.
 */
export async function payOrder({ charge }: Steps, { id, cards }: Order) {
  for (const card of cards) {
    const state = await charge(id, card);
    if (state !== 'declined') return state;
  }
  return 'declined';
}
