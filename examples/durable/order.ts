/**
 * Charges an order once in a durable engine, whatever crashes: the steps that call the service, and the workflow. The workflow branches only on
 * what a step returned, which the engine stores, so it takes the same branch again. `dbos.ts`, `temporal.ts` and `inngest.ts` run it.
 */

import { isDecline, type PaymentsClient, PaymentsError } from 'payments-client';

export interface Order {
  readonly id: string; // a UUID: a number that a restored database issues again gets the payment of another buyer
  readonly amount: number; // in minor units
  readonly currency: string;
  readonly cards: readonly string[]; // the payment methods to charge, one after the other
}

/** An error as data, if another try cannot change it. Any other is thrown, so that the engine tries the step again. */
function refusalOf(error: unknown) {
  if (!(error instanceof PaymentsError) || error.retryable) throw error;
  return error.toJSON();
}

/** What charging a card came to. The engine stores it, so it is data alone. */
interface Charged {
  readonly status: string;
  readonly refusal?: Record<string, unknown> | undefined;
}

/** The steps. One that runs again after a crash gives its call the same `operationId`, so it does not act twice. */
export function stepsOf({ paymentIntents }: PaymentsClient) {
  return {
    async open({ id, amount, currency }: Order) {
      const intent = await paymentIntents.create({ amount, currency }, { operationId: id });
      return intent.id;
    },
    async charge(intent: string, payment_method: string, operationId: string): Promise<Charged> {
      const confirmed = paymentIntents.confirm(intent, { payment_method }, { operationId });
      const refusal = await confirmed.then(() => undefined, refusalOf);
      const isDone = ({ status }: { status: string }) => status !== 'processing';
      const { status } = await paymentIntents.waitFor(intent, { until: isDone }); // it decides, not the error
      return { status, refusal };
    },
  };
}

export type Steps = ReturnType<typeof stepsOf>;

/**
 * The workflow. An order has one intent, and an intent takes money at most once: two cards cannot both be charged. If it returns `succeeded`,
 * ship; `requires_payment_method`, ask the buyer for another card; anything else, look into it.
 */
export async function payOrder(steps: Steps, order: Order): Promise<string> {
  const intent = await steps.open(order);
  for (const [index, card] of order.cards.entries()) {
    const { status, refusal } = await steps.charge(intent, card, `${order.id}/${index + 1}`);
    if (status !== 'requires_payment_method' || refusal === undefined) return status;
    // No bank refused it, and an earlier try may still be on its way: do not ask for another card.
    if (!isDecline(PaymentsError.from(refusal))) return 'refused';
  }
  return 'requires_payment_method';
}
