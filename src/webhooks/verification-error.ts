import { defineErrorClass, PaymentsError } from '../base/errors.ts';

/**
 * Why a delivery was refused:
 *
 * - `missing_header`: a header that the signature needs is not there;
 * - `malformed_header`: it is there and cannot be read;
 * - `no_match`: no signature was made with one of the secrets;
 * - `too_old`, `too_new`: the signature is right, but its timestamp is further from now than the tolerance;
 * - `invalid_payload`: the body is not raw, too large, not JSON, or not an event.
 */
export type WebhookVerificationReason =
  | 'missing_header'
  | 'malformed_header'
  | 'no_match'
  | 'too_old'
  | 'too_new'
  | 'invalid_payload';

/** A delivery is not what the service sent, or cannot be read. Do not act on it. `code` is `WEBHOOK_` and the reason. */
export class WebhookVerificationError extends PaymentsError {
  /** Why. */
  readonly reason: WebhookVerificationReason;

  static {
    defineErrorClass(this, 'WebhookVerificationError');
  }

  /**
   * An error of your own scheme.
   *
   * @param problem What was expected, what came, and what to do. It must hold no secret and no signature.
   */
  constructor(reason: WebhookVerificationReason, problem: string, cause?: unknown) {
    super(`webhooks: ${problem}`, { code: `WEBHOOK_${reason.toUpperCase()}`, cause });
    this.reason = reason;
  }

  /** What `JSON.stringify` shows: never the body or a header. */
  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), reason: this.reason };
  }
}
