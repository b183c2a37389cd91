/**
 * Sends the buyer of an order to the hosted checkout, and ships the order once, whatever the buyer pays. A new session is created only
 * when the last one is `expired`. Whether nobody can pay that one any more is not documented, so a second payment of an order is
 * refunded. `checkout-express.ts` uses it.
 */

import { type CheckoutSession, type PaymentsClient, toDate } from 'payments-client';

/** A row of your table of orders, and the ids of its checkout sessions from their own table. */
export interface CheckoutOrder {
  readonly id: string; // a UUID: a number that a restored database issues again gets the session of another buyer
  readonly amount: number; // in minor units
  readonly currency: string;
  readonly createdAt: number; // when the row was inserted, in ms since 1970
  readonly sessions: readonly string[]; // oldest first
  paidBy: string | null; // the session that paid it: ship it once
}

/** Returns the session where the order can be paid, or was paid. After any error run it again with the stored row. */
export async function openCheckout(
  payments: PaymentsClient,
  order: CheckoutOrder,
  addSession: (id: string, attempt: number) => unknown, // INSERT INTO sessions (id, order_id, attempt) … ON CONFLICT DO NOTHING
  shopUrl: string, // from your settings, so that a repeated call sends the same body
): Promise<CheckoutSession> {
  const { id, amount, currency, createdAt, sessions, paidBy } = order;
  const attempt = sessions.length; // read before any call: two requests at once then make the same attempt
  const last = paidBy ?? sessions.at(-1);
  if (last !== undefined) {
    const session = await payments.checkoutSessions.retrieve(last);
    if (session.status !== 'expired') return session; // only `noteSession` marks an order paid, where you ship it
  }
  const session = await payments.checkoutSessions.create(
    {
      mode: 'payment',
      line_items: [{ name: `Order ${id}`, amount, currency, quantity: 1 }],
      success_url: `${shopUrl}/orders/${id}`,
      cancel_url: `${shopUrl}/orders/${id}`,
    },
    { operationId: `${id}/${attempt + 1}` },
  );
  // That of an earlier order with this id, of another buyer. The clocks may differ by five minutes.
  const isOlder = toDate(session.created_at).getTime() < createdAt - 300_000;
  if (isOlder) throw new Error(`${session.id} is older than ${id}: was its id issued twice?`);
  await addSession(session.id, attempt); // before the buyer comes to the page: an event finds its order by this id
  return session;
}

/**
 * Notes that a session was paid, from an event or the thank-you page. `order` is the order with this session. Ship it when its `paidBy` is set.
 */
export async function noteSession(
  payments: PaymentsClient,
  order: CheckoutOrder | undefined,
  session: CheckoutSession,
): Promise<void> {
  if (session.payment_status !== 'paid') return;
  // The receiver answers 500, and keeps the event.
  if (order === undefined) throw new Error(`Expected an order with the paid session ${session.id}.`);
  order.paidBy ??= session.id; // UPDATE … SET paid_by = $2 WHERE id = $1 AND paid_by IS NULL: ship if it changed the row
  if (order.paidBy === session.id) return;
  const { payment_intent_id, amount_total: amount } = session;
  await payments.refunds.create(
    { payment_intent_id, amount },
    { operationId: `${session.id}/second-payment` },
  );
}
