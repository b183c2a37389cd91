import { defineErrorClass, type ErrorFields, PaymentsError } from '../base/errors.ts';
import { PaymentDeclinedError } from '../http/failure/api-errors.ts';
import type { DeclinedTransaction } from './result.ts';

const decline: DeclinedTransaction = {
  approved: false,
  errored: false,
  response: '2',
  responsetext: 'DECLINE',
  transactionid: '',
  avs: undefined,
  cvv: undefined,
  risk: undefined,
  fields: { response: '2', responsetext: 'DECLINE' },
};

/**
 * A transaction was not approved, and `throwOnDecline` is set: it was declined, or it could not be processed
 * (`result.errored`). That no money moved is *inferred*.
 */
export class TransactionDeclinedError extends PaymentsError {
  /** Why, in the service's words (`responsetext`), with keys and card numbers replaced. */
  readonly declineReason: string;
  /** Whether it was not declined but could not be processed, as in `result`. */
  readonly errored: boolean;
  readonly #result: DeclinedTransaction;

  /** @internal */
  static override readonly brand: symbol = /* @__PURE__ */ defineErrorClass(
    this,
    'TransactionDeclinedError',
    {
      code: 'DECLINED',
      outcome: 'not_executed',
    },
  );

  /** Creates an error, for example in a test. Default: the result of a decline. */
  constructor(message: string, fields: ErrorFields<TransactionDeclinedError> = {}) {
    super(message, fields);
    const { result = decline, errored = result.errored } = fields;
    this.declineReason = fields.declineReason ?? result.responsetext;
    this.errored = errored;
    this.#result = result;
  }

  /** The whole result. Not shown by `util.inspect` or `JSON.stringify`; that of an error which was data is an empty decline. */
  get result(): DeclinedTransaction {
    return this.#result;
  }
}

/**
 * Why a 3-D Secure result is no success: the authentication failed, was not available, or was not finished by the buyer; or
 * its fields contradict each other.
 */
export type CardholderAuthenticationReason = 'failed' | 'unavailable' | 'unfinished' | 'contradictory';

const advice: Readonly<Record<CardholderAuthenticationReason, readonly [received: string, next: string]>> = {
  failed: [
    'a failed one, which is a high risk of fraud',
    'ask the buyer for another card, or set allowFailedAuthentication: true',
  ],
  unfinished: [
    'a challenge that the buyer did not finish',
    'ask the buyer to try again, or set allowFailedAuthentication: true',
  ],
  unavailable: [
    'none, since it was not available',
    'ask the buyer for another card, or set allowUnavailableAuthentication: true',
  ],
  contradictory: [
    'a result that contradicts itself',
    "pass the browser's result unchanged, or ask the buyer for another card",
  ],
};

/**
 * 3-D Secure did not authenticate the cardholder, so the transaction was not sent: `reason` says why, and `isDecline` is true. Only
 * `authenticated: true` with `cardholder_auth: 'Y'` is a success (*shown*). No option passes a result that contradicts itself.
 */
export class CardholderAuthenticationError extends PaymentsError {
  /** Why the result is no success. */
  readonly reason: CardholderAuthenticationReason;
  /** The same, under the name that all declines share. */
  readonly declineReason: CardholderAuthenticationReason;

  /** @internal */
  static override readonly brand: symbol = /* @__PURE__ */ defineErrorClass(
    this,
    'CardholderAuthenticationError',
    {
      code: 'CARDHOLDER_AUTHENTICATION',
      outcome: 'not_executed',
    },
  );

  /** Creates an error, for example in a test. Default: `failed`. */
  constructor(message: string, fields: ErrorFields<CardholderAuthenticationError> = {}) {
    super(message, fields);
    this.reason = fields.reason ?? fields.declineReason ?? 'failed';
    this.declineReason = this.reason;
  }
}

/** Returns the error for a 3-D Secure result that is no success. */
export function unauthenticatedCardholder(
  operation: string,
  reason: CardholderAuthenticationReason,
): CardholderAuthenticationError {
  const expected = "an authenticated cardholder (authenticated: true, cardholder_auth: 'Y')";
  const [received, next] = advice[reason];
  const message = `${operation}: expected ${expected}, got ${received}. Nothing was sent: ${next}.`;
  return new CardholderAuthenticationError(message, { reason });
}

/**
 * Returns whether an error is a decline: another card may be accepted. It is one of the JSON API, one of the form endpoint
 * (with `throwOnDecline`; one that could not be processed is no decline), or a 3-D Secure authentication that did not
 * succeed. The SDK assumes that the JSON API responds to a decline with a 402 that has a readable code (*inferred*): a 402 without one may
 * come from a proxy, and is a plain `ApiError` of unknown outcome.
 *
 * An error of an operation that took effect, or may have (`outcome`), is no decline. Every decline has a `declineReason`, also one that
 * `PaymentsError.from` made of data.
 *
 * @example
 * if (isDecline(error)) return askForAnotherCard();
 */
export function isDecline(
  error: unknown,
): error is PaymentDeclinedError | TransactionDeclinedError | CardholderAuthenticationError {
  // A repeat may be declined of an operation that took effect: another card would charge the buyer twice.
  if (!(error instanceof PaymentsError) || error.outcome !== 'not_executed') return false;
  if (error instanceof TransactionDeclinedError) return !error.errored;
  if (error instanceof CardholderAuthenticationError) return true;
  return error instanceof PaymentDeclinedError && error.declineReason !== undefined;
}
