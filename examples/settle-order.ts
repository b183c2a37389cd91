/**
 * Charges an order once, whatever fails. One order has one payment intent, an intent is charged at most once, and only the intent's
 * status closes the order. With a journal it is shorter: `safe-retry/sqlite.ts`.
 */

import {
  BadRequestError,
  isDecline,
  NotFoundError,
  type PaymentIntent,
  type PaymentsClient,
  toDate,
  UnprocessableError,
} from 'payments-client';

/** A row of your table of orders. `paid` and `failed` are final; everything else stays open. */
export interface Order {
  readonly id: string; // a UUID: a number that a restored database issues again gets the payment of another buyer
  readonly amount: number; // in minor units
  readonly currency: string;
  readonly createdAt: number; // when the row was inserted, in ms since 1970
  state: 'open' | 'canceling' | 'paid' | 'failed';
  intent: string | null; // the order's one payment intent
  card: string | null; // the payment method to charge; null while the buyer has to choose one
  attempt: number; // how many cards the buyer has chosen
}

/** Records the card that the buyer chose: the first one, or another one after a decline. */
export function chooseCard(order: Order, card: string): void {
  if (order.state !== 'open') throw new Error(`${order.id} is ${order.state}.`);
  if (order.card !== null) throw new Error(`${order.id}: the result of the last card is not known yet.`);
  order.card = card;
  order.attempt += 1;
}

/** Advances an order towards `paid` or `failed`. After any error, run it again with the stored row: it never charges twice. */
export async function settleOrder(
  payments: PaymentsClient,
  order: Order,
  save: (order: Order) => unknown,
): Promise<void> {
  const { id: operationId, amount, currency } = order;
  const intent =
    order.intent === null
      ? await payments.paymentIntents.create({ amount, currency }, { operationId })
      : await payments.paymentIntents.retrieve(order.intent);
  if (isOlder(intent, order))
    throw new Error(`${intent.id} is older than ${operationId}: was its id issued twice?`);
  order.intent = intent.id;
  await save(order); // before any money moves, so that every later run uses the same intent
  const { status } = await advance(payments, order, intent);
  if (status === 'succeeded') order.state = 'paid';
  if (status === 'canceled') order.state = 'failed'; // inferred: a canceled intent moves no money
  await save(order);
}

/** Whether a payment is that of an earlier order with this id, of another buyer. The clocks may differ by five minutes. */
function isOlder(intent: PaymentIntent, order: Order): boolean {
  return toDate(intent.created_at).getTime() < order.createdAt - 300_000;
}

/** A decline, or a payment method that the service does not accept. */
function isCardRefused(error: unknown): boolean {
  const refusals = [BadRequestError, NotFoundError, UnprocessableError];
  return isDecline(error) || refusals.some((refusal) => error instanceof refusal);
}

async function advance(
  payments: PaymentsClient,
  order: Order,
  intent: PaymentIntent,
): Promise<PaymentIntent> {
  const { id, status } = intent;
  if (status === 'succeeded' || status === 'canceled') return intent;
  if (order.state === 'canceling') return payments.paymentIntents.cancel(id);
  if (status !== 'requires_payment_method' || order.card === null) return intent;
  const operationId = `${order.id}/${order.attempt}`; // one for each card
  try {
    return await payments.paymentIntents.confirm(id, { payment_method: order.card }, { operationId });
  } catch (error) {
    if (!isCardRefused(error)) throw error;
    const declined = await payments.paymentIntents.retrieve(id); // the intent decides, not the error
    const isOver = declined.status === 'requires_payment_method' && declined.payment_method === null;
    if (isOver) order.card = null; // ask the buyer for another card
    return declined;
  }
}
