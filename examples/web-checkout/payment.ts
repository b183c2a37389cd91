/** Reads what the browser sends to pay with. */

import * as z from 'zod/mini';

const text = () => z.string().check(z.minLength(1), z.maxLength(500));

const paymentSchema = z.object({
  payment_token: text(),
  /** Collecting it may fail; that is no reason not to sell. */
  risk_session_id: z.optional(text()),
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

/** What the browser sends: a token that stands for the card, and what fraud protection asks for. */
export type Payment = z.infer<typeof paymentSchema>;

/** The payment, where a body has one. What else it has, a card number say, is dropped unread. */
export function readPayment(body: unknown): Payment | undefined {
  const result = paymentSchema.safeParse(body);
  return result.success ? result.data : undefined;
}
