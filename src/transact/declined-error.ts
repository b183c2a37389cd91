import { defineErrorClass, PaymentsError } from '../base/errors.ts';
import { PaymentDeclinedError } from '../http/api-errors.ts';
import type { DeclinedTransaction } from './result.ts';

/**
 * A transaction was not approved, and `throwOnDecline` is set: it was declined, or it could not be processed
 * (`result.errored`). No money moved.
 */
export class TransactionDeclinedError extends PaymentsError {
  readonly #result: DeclinedTransaction;

  static {
    defineErrorClass(this, 'TransactionDeclinedError');
  }

  /** @internal */
  constructor(operation: string, result: DeclinedTransaction, reason: string) {
    super(`${operation}: expected an approval, got ${reason}. No money moved by this call.`, {
      code: 'DECLINED',
    });
    this.#result = result;
  }

  /** The whole result. Not shown by `util.inspect` or `JSON.stringify`. */
  get result(): DeclinedTransaction {
    return this.#result;
  }
}

/**
 * Returns whether an error is a decline, of the JSON API or of the form endpoint: another card may be accepted. A declined
 * transaction is an error only with `throwOnDecline`; one that could not be processed is no decline. The SDK assumes that
 * the JSON API responds to a decline with a 402 that has a code (*inferred*). A 402 without one may come from a proxy: it is a plain
 * `ApiError` of unknown outcome.
 *
 * @example
 * if (isDecline(error)) return askForAnotherCard();
 */
export function isDecline(error: unknown): error is PaymentDeclinedError | TransactionDeclinedError {
  if (error instanceof TransactionDeclinedError) return !error.result.errored;
  return error instanceof PaymentDeclinedError && (error.declineCode ?? error.code) !== undefined;
}
