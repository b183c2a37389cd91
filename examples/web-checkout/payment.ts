/** Pays an order by a card whose token the browser sends. */

import { toDecimalAmount } from 'payments-client';
import type { OrderView } from 'payments-client/orders';
import * as z from 'zod/mini';
import type { ShopOrders } from './orders.ts';

const text = () => z.string().check(z.minLength(1), z.maxLength(500));

const paymentSchema = z.object({
  amount: text(), // that the buyer saw
  payment_token: text(),
  risk_session_id: z.optional(text()), // the collection may fail, which is no reason to refuse the sale
  threeDSecure: z.object({
    authenticated: z.boolean(),
    cardholder_auth: z.nullish(z.string()),
    cavv: z.nullish(z.string()),
    xid: z.nullish(z.string()),
    eci: z.nullish(z.string()),
  }),
  email: text(),
  phone: text(),
  address1: text(),
  city: text(),
  state: text(),
  zip: text(),
});

/** What the browser gets to know. */
export interface Answer {
  readonly state: OrderView['state'];
  /** Why the order is not paid; shown while it can be paid again. */
  readonly message: string;
}

const messages = {
  declined: 'You have not paid: your bank declined it, or could not confirm you. Please try again.',
  changed: 'The price has changed. Please load the page again.',
  other: 'The payment is not possible at the moment. Please try again later.',
};

/** Returns `undefined` for a body that is no payment. Drops other fields, such as a card number, without reading them. */
export async function payByCard(
  orders: ShopOrders,
  id: string,
  body: unknown,
  ipaddress = '',
): Promise<Answer | undefined> {
  const payment = paymentSchema.safeParse(body);
  if (!payment.success) return undefined;
  const { amount, ...fields } = payment.data;
  const { due, state } = await orders.get(id);
  if (amount !== toDecimalAmount(due.amount, due.currency)) return { state, message: messages.changed };
  const card = { ...fields, ipaddress, orderid: id }; // a person finds the sale by `orderid` (inferred)
  // If the bank could not be asked, the service's risk scoring decides.
  const options = { due, allowUnavailableAuthentication: true };
  const sold = await orders.sell(id, card, options).catch(console.error);
  const view = await orders.get(id); // after an error, what is known of the payment
  return { state: view.state, message: messages[sold?.state === 'declined' ? 'declined' : 'other'] };
}
