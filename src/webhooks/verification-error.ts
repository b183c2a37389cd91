import { defineErrorClass, type ErrorFields, PaymentsError } from '../base/errors.ts';

/**
 * Why a delivery was refused:
 *
 * - `missing_header`: a header of the signature is missing;
 * - `malformed_header`: the header cannot be parsed;
 * - `no_match`: no signature matches one of the secrets;
 * - `too_old`, `too_new`: the signature is valid, but its timestamp is outside the tolerance; `too_old` also for an event that a receiver
 *   may have forgotten, if no timestamp is signed;
 * - `invalid_payload`: the body is not raw, too large, incomplete, not JSON, or not an event; or the event has the other
 *   mode, or differs from the interface.
 */
export type WebhookVerificationReason =
  | 'missing_header'
  | 'malformed_header'
  | 'no_match'
  | 'too_old'
  | 'too_new'
  | 'invalid_payload';

/**
 * The service did not send this delivery, or its body is not an event that you accept; see `reason`. If it is thrown, do
 * not act on the delivery. `code` is `WEBHOOK_` and the reason.
 */
export class WebhookVerificationError extends PaymentsError {
  /** Why the delivery was refused. */
  readonly reason: WebhookVerificationReason;
  /** A delivery is no operation of yours. */
  declare readonly outcome: 'not_an_operation';

  /** @internal */
  static override readonly brand: symbol = /* @__PURE__ */ defineErrorClass(this, 'WebhookVerificationError');

  /**
   * Creates an error for your own scheme. Default: `no_match`.
   *
   * @param message What was expected, what came, and what to do. It must contain no secret and no signature.
   */
  constructor(message: string, fields: ErrorFields<WebhookVerificationError> = {}) {
    const { reason = 'no_match' } = fields;
    super(message, { ...fields, code: fields.code ?? `WEBHOOK_${reason.toUpperCase()}` });
    this.reason = reason;
  }
}

/** Returns the error for a delivery that is refused. `problem` is what was expected, what came, and what to do. */
export function unverified(
  reason: WebhookVerificationReason,
  problem: string,
  cause?: unknown,
): WebhookVerificationError {
  return new WebhookVerificationError(`webhooks: ${problem}`, { reason, cause });
}
