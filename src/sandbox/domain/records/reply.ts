/** A reply before it is sent: plain values, so that it can be kept and sent again. */
export interface Reply {
  /** The HTTP status. */
  readonly status: number;
  /** The headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text. */
  readonly body: string;
}

/** What was answered under a key. */
export interface RememberedReply {
  /** The key. There is one secret key, so keys of different callers cannot meet. */
  readonly id: string;
  readonly endpoint: string;
  /** The digest of the body: what was sent is not kept, should it hold a card by mistake. */
  readonly bodyDigest: string;
  readonly reply: Reply;
}
