import { defineErrorClass, PaymentsError } from '../core/errors.ts';
import type { DeclinedTransaction } from './result.ts';

/** A transaction was declined, and throwing was asked for with `throwOnDecline`. No money moved. */
export class TransactionDeclinedError extends PaymentsError {
  readonly #result: DeclinedTransaction;

  static {
    defineErrorClass(this, 'TransactionDeclinedError');
  }

  /** @internal */
  constructor(operation: string, result: DeclinedTransaction, reason: string) {
    super(`${operation}: expected an approval, got ${reason}. No money moved.`, {
      code: 'DECLINED',
    });
    this.#result = result;
  }

  /** The whole result. Not shown by `util.inspect` or `JSON.stringify`. */
  get result(): DeclinedTransaction {
    return this.#result;
  }
}
