/** Options of an operation that a transaction can hold. */
export interface TransactionOptions<Client = never> {
  /** A connection with your open transaction: the operation becomes part of it. */
  readonly client?: Client | undefined;
}
