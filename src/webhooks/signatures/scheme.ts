/** The body of a delivery as it came, byte for byte. A string stands for its UTF-8 bytes. */
export type RawBody = string | Uint8Array;

/** What is verified. */
export interface VerifyInput {
  /** The body as it came. */
  readonly body: RawBody;
  /** A header's value by its name in lower case; `undefined` where it is absent. */
  header(name: string): string | undefined;
  /** The names of the headers that seem to carry a signature, for the error of a scheme that finds no header of its own. */
  signatureHeaders?(): readonly string[];
  /** The secret to verify with. Where there are several, the scheme is asked once for each. */
  readonly secret: string;
  /** The present time, in ms since 1970. */
  readonly now: number;
  /** How far the timestamp may be from now in either direction, in ms. */
  readonly tolerance: number;
}

/** What is signed. */
export interface SignInput {
  /** The body, as it will be sent. */
  readonly body: RawBody;
  /** The id of the delivery, for schemes that sign one. */
  readonly id: string;
  /** When it is sent, in ms since 1970. */
  readonly timestamp: number;
  /** The secret to sign with. */
  readonly secret: string;
}

/** How deliveries are signed. Write one of your own where none of those here fits. */
export interface SignatureScheme {
  /**
   * Whether the delivery was signed with the secret. Must compare in constant time.
   *
   * @returns False where no signature matches. A value where the runtime can verify at once, else a promise.
   * @throws WebhookVerificationError when a header is missing or malformed, or a right signature is too old or too new.
   */
  verify(input: VerifyInput): boolean | Promise<boolean>;
  /** The headers that sign a body, by name in lower case. */
  sign(input: SignInput): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  /**
   * What is wrong with a secret, in words that do not repeat it; `undefined` where nothing is. Asked once for each
   * secret, when a `Webhooks` is made. Default: every non-empty secret is right.
   */
  checkSecret?(secret: string): string | undefined;
}
