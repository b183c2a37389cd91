/** Options of a call that can become part of your transaction. */
export type TransactionOptions<Client = never> = {
  /** A connection with your open transaction. The call becomes part of this transaction. */
  readonly client?: Client | undefined;
};
