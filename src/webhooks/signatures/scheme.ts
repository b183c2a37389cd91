import type { Inline } from '../../base/runtime/runtime.ts';

/** The body of a delivery as received, byte for byte. A string means its UTF-8 bytes. */
export type RawBody = Inline<string | Uint8Array>;

/** The input of `verify`. */
export type VerifyInput = {
  /** The body as received. */
  readonly body: RawBody;
  /** Returns a header's value by its name in lower case; `undefined` if absent. */
  header(name: string): string | undefined;
  /** Returns the names of headers that may carry a signature, for the error of a scheme that does not find its own header. */
  signatureHeaders?(): readonly string[];
  /** The secret to verify with. With several secrets, the scheme is called once for each. */
  readonly secret: string;
  /** The present time, in ms since 1970. */
  readonly now: number;
  /** How far the timestamp may be from now in either direction, in ms. */
  readonly tolerance: number;
};

/** The input of `sign`. */
export type SignInput = {
  /** The body, as it will be sent. */
  readonly body: RawBody;
  /** The id of the delivery, for schemes that sign one. */
  readonly id: string;
  /** When it is sent, in ms since 1970. */
  readonly timestamp: number;
  /** The secret to sign with. */
  readonly secret: string;
};

/** Signs and verifies deliveries. Write your own if no built-in scheme fits. */
export interface SignatureScheme {
  /**
   * Returns whether the delivery was signed with the secret. Must compare in constant time.
   *
   * @returns False if no signature matches. A plain value if the runtime can verify synchronously, otherwise a promise.
   * @throws WebhookVerificationError when a header is missing or malformed, or a valid signature is too old or too new.
   */
  verify(input: VerifyInput): boolean | Promise<boolean>;
  /** Returns the headers that sign a body, by name in lower case. */
  sign(input: SignInput): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
  /**
   * Returns the issue of a secret, without quoting it; `undefined` if it is valid. Called once for each secret when a
   * `Webhooks` is created; if `secrets` is a function, for each delivery. Default: accepts every non-empty secret.
   */
  checkSecret?(secret: string): string | undefined;
  /**
   * Whether the signature covers when the delivery was sent. If it does not, a captured delivery passes for ever, so a receiver handles no
   * event older than its `retention`. Default: true.
   */
  readonly signsTime?: boolean | undefined;
}
