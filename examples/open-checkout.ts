/**
 * Sends the buyer of an order to the hosted checkout. At most one session can be paid, because a new session is created only when the
 * last one is `expired`. `checkout-express.ts` uses it.
 */

import type { CheckoutSession, PaymentsClient } from 'payments-client';

/** A row of your table of orders. Only `paid` is final: the buyer of an `expired` order may come back. */
export interface CheckoutOrder {
  readonly id: string;
  readonly amount: number; // in minor units
  readonly currency: string;
  state: 'open' | 'paid' | 'expired';
  session: string | null; // the id of the newest checkout session: a unique column
  attempt: number; // 1 for the first session, one more for each that expired
}

/** Returns the session where the order can be paid, or was paid. After any error run it again with the stored row. */
export async function openCheckout(
  payments: PaymentsClient,
  order: CheckoutOrder,
  save: (order: CheckoutOrder) => unknown, // UPDATE … WHERE id = $1 AND state <> 'paid': a slow request reopens no paid order
  shopUrl: string, // from your settings, so that a repeated call sends the same body
): Promise<CheckoutSession> {
  let { attempt } = order; // read before any call: two requests at once then make the same attempt
  if (order.session !== null) {
    const last = await payments.checkoutSessions.retrieve(order.session);
    if (last.status !== 'expired') return last; // only `noteSession` marks an order paid, where you ship it
    attempt += 1;
  }
  const { id, amount, currency } = order;
  const session = await payments.checkoutSessions.create(
    {
      mode: 'payment',
      line_items: [{ name: `Order ${id}`, amount, currency, quantity: 1 }],
      success_url: `${shopUrl}/orders/${id}`,
      cancel_url: `${shopUrl}/orders/${id}`,
    },
    { operationId: `${id}/${attempt}` },
  );
  if (order.state === 'expired') order.state = 'open';
  Object.assign(order, { session: session.id, attempt });
  await save(order); // before the buyer comes to the page: an event finds its order by this id
  return session;
}

/** Updates the order whose `session` has the id of this session, from an event or the thank-you page. Ship it when it becomes `paid`. */
export function noteSession(order: CheckoutOrder | undefined, session: CheckoutSession): void {
  if (session.payment_status === 'paid') {
    // The receiver answers 500, so that the service delivers the event again.
    if (order === undefined) throw new Error(`Expected an order with the paid session ${session.id}.`);
    order.state = 'paid';
  } else if (session.status === 'expired' && order !== undefined) order.state = 'expired';
}
