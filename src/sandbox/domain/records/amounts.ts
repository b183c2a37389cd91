/** What the credit notes of one invoice come to. An index, so that nobody adds them up. */
export interface CreditedAmount {
  /** The invoice's id. */
  readonly id: string;
  /** The sum of the notes that are issued and not void, in the service's integer unit. */
  readonly amount: number;
}

/** Money that waits for a batch, by the id of the charge or the refund. An index, so that nobody searches. */
export interface UnsettledAmount {
  /** The id of the charge or the refund. */
  readonly id: string;
  /** Which of the two it is. */
  readonly kind: 'charge' | 'refund';
  /** When it is settled by itself, in milliseconds since 1970; null where it waits to be. */
  readonly due_at: number | null;
}
