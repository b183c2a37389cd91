import { errorCode } from '../base/error-code.ts';
import { defineErrorClass, PaymentsError } from '../base/errors.ts';
import { messageOf } from '../base/message-of.ts';
import { Redactor } from '../base/redact.ts';

/** Which operation an error is about. Its id stays out of messages, since it may hold anything. */
export interface OperationName {
  readonly operation: string;
}

/** A copy that holds no more than name, message and code: a database's error may hold what was written, and an address with a password. */
function copyOf(error: unknown): Error {
  const copy = new Error(new Redactor().text(messageOf(error)));
  return Object.assign(copy, { name: error instanceof Error ? error.name : 'Error', code: errorCode(error) });
}

/**
 * The journal could not write the operation down, so nothing was sent. `cause` has the name, the message and the code of the store's error.
 */
export class JournalError extends PaymentsError {
  static {
    defineErrorClass(this, 'JournalError');
  }

  /** @internal */
  constructor(name: OperationName, cause: unknown) {
    super(
      `${name.operation}: expected the journal's store to answer, got a failure. Nothing was sent by this call: repeat it once the store works.`,
      { code: 'JOURNAL_UNAVAILABLE', retryable: true, cause: copyOf(cause) },
    );
  }
}

/** Another process, or another call of this one, is sending the same operation. */
export class OperationInProgressError extends PaymentsError {
  /** When the other call has ended at the latest, in ms from now. */
  readonly retryAfter: number;

  static {
    defineErrorClass(this, 'OperationInProgressError');
  }

  /** @internal */
  constructor(name: OperationName, retryAfter: number) {
    super(
      `${name.operation}: expected no other call of this operation, got one that is under way. Call again with the same operationId for its result.`,
      { code: 'OPERATION_IN_PROGRESS', outcome: 'unknown', retryable: true },
    );
    this.retryAfter = retryAfter;
  }
}

/** The same `operationId` was used for another content. Nothing was sent by this call. */
export class OperationMismatchError extends PaymentsError {
  /** The fields that differ, where the journal keeps the content; empty where it keeps a digest alone. */
  readonly differences: readonly string[];

  static {
    defineErrorClass(this, 'OperationMismatchError');
  }

  /** @internal */
  constructor(name: OperationName, differences: readonly string[]) {
    const where = differences.length === 0 ? 'other parameters' : `another ${differences.join(', another ')}`;
    super(
      `${name.operation}: expected the parameters of the first call with this operationId, got ${where}. Nothing was sent: repeat the first parameters, or choose another operationId.`,
      { code: 'OPERATION_MISMATCH', outcome: 'unknown' },
    );
    this.differences = differences;
  }
}

/**
 * The operation may have taken effect, and repeating it could act twice: the form endpoint has no keys, or the service may have forgotten
 * the key. Look it up, then close it with `payments.journal.settle`.
 */
export class OperationUnresolvedError extends PaymentsError {
  /** What helps to look it up: amount, masked card, `orderid`. */
  readonly lookUp: Readonly<Record<string, string>>;
  /** When it was first sent. */
  readonly startedAt: Date;

  static {
    defineErrorClass(this, 'OperationUnresolvedError');
  }

  /** @internal */
  constructor(name: OperationName, startedAt: Date, lookUp: Readonly<Record<string, string>>) {
    super(
      `${name.operation}: expected a known end, got none: it was sent at ${startedAt.toISOString()} and may have taken effect. Nothing was sent by this call: look it up, then close it with payments.journal.settle.`,
      { code: 'OPERATION_UNRESOLVED', outcome: 'unknown' },
    );
    this.lookUp = lookUp;
    this.startedAt = startedAt;
  }
}

/** The operation was closed by hand, without a result that could be returned. */
export class OperationSettledError extends PaymentsError {
  static {
    defineErrorClass(this, 'OperationSettledError');
  }

  /** @internal */
  constructor(name: OperationName) {
    super(
      `${name.operation}: expected an operation without an end, got one that was closed by hand as executed. Nothing was sent by this call.`,
      { code: 'OPERATION_SETTLED', outcome: 'executed' },
    );
  }
}
