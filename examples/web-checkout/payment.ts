/** Validates the payment data of the browser. */

import * as z from 'zod/mini';

const text = () => z.string().check(z.minLength(1), z.maxLength(500));

const paymentSchema = z.object({
  payment_token: text(),
  /** Optional, because the collection may fail without a reason to refuse the sale. */
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

/** The payment data of the browser: a token instead of the card, and the fields for fraud detection. */
export type Payment = z.infer<typeof paymentSchema>;

/** Returns the payment in a body, or `undefined`. Drops other fields, such as a card number, without reading them. */
export function readPayment(body: unknown): Payment | undefined {
  const result = paymentSchema.safeParse(body);
  return result.success ? result.data : undefined;
}
