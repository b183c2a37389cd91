/** A reply as plain values, so that it can be stored and replayed. */
export interface Reply {
  /** The HTTP status. */
  readonly status: number;
  /** The headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text. */
  readonly body: string;
}

/** The stored reply of an idempotency key. */
export interface RememberedReply {
  /** The key. There is one secret key, so keys of different callers cannot collide. */
  readonly id: string;
  readonly endpoint: string;
  /** The digest of the body. The body is not stored, since it may hold a card by mistake. */
  readonly bodyDigest: string;
  readonly reply: Reply;
}
