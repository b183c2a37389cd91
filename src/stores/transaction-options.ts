/** Options of an operation that can join a transaction. */
export interface TransactionOptions<Client = never> {
  /** A connection with your open transaction, which the operation becomes part of. */
  readonly client?: Client | undefined;
}
