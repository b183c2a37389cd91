/** The credited total of an invoice: a derived index. */
export interface CreditedAmount {
  /** The invoice's id. */
  readonly id: string;
  /** The sum of its credit notes that are issued and not void, in the service's integer unit. */
  readonly amount: number;
}

/** A charge or refund that waits for settlement: a derived index. */
export interface UnsettledAmount {
  /** The id of the charge or the refund. */
  readonly id: string;
  /** Its kind. */
  readonly kind: 'charge' | 'refund';
  /** When it is settled by itself, in milliseconds since 1970; null for manual settlement. */
  readonly due_at: number | null;
}
