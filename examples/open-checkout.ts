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
  session: string | null; // the newest checkout session
  attempt: number; // 1 for the first session, one more for each that expired
}

/** Returns the session where the order can be paid, or was paid. After any error run it again with the stored row. */
export async function openCheckout(
  payments: PaymentsClient,
  order: CheckoutOrder,
  save: (order: CheckoutOrder) => unknown,
  shopUrl: string, // from your settings, so that a repeated call sends the same body
): Promise<CheckoutSession> {
  let { attempt } = order; // read before any call: two requests at once then make the same attempt
  if (order.session !== null) {
    const last = await payments.checkoutSessions.retrieve(order.session);
    noteSession(order, last);
    await save(order);
    if (last.status !== 'expired') return last;
    attempt += 1;
    Object.assign(order, { state: 'open', session: null, attempt });
    await save(order);
  }
  const { id, amount, currency } = order;
  const session = await payments.checkoutSessions.create(
    {
      mode: 'payment',
      line_items: [{ name: `Order ${id}`, amount, currency, quantity: 1 }],
      success_url: `${shopUrl}/orders/${id}`,
      cancel_url: `${shopUrl}/orders/${id}`,
      client_reference_id: id, // identifies the order in events
    },
    { operationId: `${id}/${attempt}` },
  );
  order.session = session.id;
  await save(order);
  return session;
}

/** Updates an order from its session, from the API or from an event. */
export function noteSession(order: CheckoutOrder, session: CheckoutSession): void {
  if (session.payment_status === 'paid') order.state = 'paid';
  // A late event of an earlier session does not change the order.
  else if (session.status === 'expired' && session.id === order.session) order.state = 'expired';
}
