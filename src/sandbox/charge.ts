/** Money taken for a payment intent, with the fields that the interface lists. */
export interface Charge {
  /** The charge's id, `ch_…`. */
  readonly id: string;
  /** The type's name. */
  readonly object: 'charge';
  /** Always false here. */
  readonly livemode: boolean;
  /** The payment intent's id. */
  readonly intent_id: string;
  /** The payment method's id, `pm_…`. */
  readonly payment_method: string;
  /** What was taken. */
  readonly amount: number;
  /** What was given back, pending refunds included. */
  readonly amount_refunded: number;
  /** The currency, in upper case. */
  readonly currency: string;
  /** The issuer's code. */
  readonly authorization_code: string;
  /** `succeeded`; the interface shows no other. */
  readonly status: string;
  /** Why it was declined, as a code. */
  readonly decline_code: string | null;
  /** Of what kind the decline was. */
  readonly decline_type: string | null;
  /** Why it failed, in words. */
  readonly failure_message: string | null;
  /** When it was settled. */
  readonly settled_at: number | null;
  /** The terminal batch's id. */
  readonly settlement_batch_id: string | null;
  /** When it was created. */
  readonly created_at: number;
  /** When it last changed. */
  readonly updated_at: number;
}
