import { errorCode } from '../base/error-code.ts';
import { defineErrorClass, PaymentsError } from '../base/errors.ts';
import { messageOf } from '../base/message-of.ts';
import { Redactor } from '../base/redact.ts';

/** The operation of an error. Its id stays out of messages, since it may contain anything. */
export interface OperationName {
  readonly operation: string;
}

/** Copies only name, message and code: a database error may hold the written data, or a URL with a password. */
function copyOf(error: unknown): Error {
  const copy = new Error(new Redactor().text(messageOf(error)));
  return Object.assign(copy, { name: error instanceof Error ? error.name : 'Error', code: errorCode(error) });
}

/**
 * The journal could not record the business operation, so nothing was sent. `cause` has the name, message and code of the
 * store's error.
 */
export class JournalError extends PaymentsError {
  static {
    defineErrorClass(this, 'JournalError');
  }

  /** @internal */
  constructor(name: OperationName, cause: unknown) {
    super(
      `${name.operation}: expected the journal's store to answer, got a failure. This call sent nothing: repeat it once the store works.`,
      { code: 'JOURNAL_UNAVAILABLE', retryable: true, cause: copyOf(cause) },
    );
  }
}

/** Another process, or another call of this process, is sending the same business operation. */
export class OperationInProgressError extends PaymentsError {
  /** The latest time at which the other call ends, in ms from now. */
  readonly retryAfter: number;

  static {
    defineErrorClass(this, 'OperationInProgressError');
  }

  /** @internal */
  constructor(name: OperationName, retryAfter: number) {
    super(
      `${name.operation}: expected no other call of this operation, but one is in progress. Call again with the same operationId to get its result.`,
      { code: 'OPERATION_IN_PROGRESS', outcome: 'unknown', retryable: true },
    );
    this.retryAfter = retryAfter;
  }
}

/** The `operationId` was already used with other parameters. This call sent nothing. */
export class OperationMismatchError extends PaymentsError {
  /** The fields that differ, if the journal keeps the parameters; empty if it keeps only a digest. */
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
 * The business operation may have taken effect, and a retry could act twice: the form endpoint has no idempotency keys, or
 * the service may have forgotten the key. Look it up, then close it with `payments.journal.settle`.
 */
export class OperationUnresolvedError extends PaymentsError {
  /** Fields for looking it up: amount, masked card, `orderid`. */
  readonly lookUp: Readonly<Record<string, string>>;
  /** When it was first sent. */
  readonly startedAt: Date;

  static {
    defineErrorClass(this, 'OperationUnresolvedError');
  }

  /** @internal */
  constructor(name: OperationName, startedAt: Date, lookUp: Readonly<Record<string, string>>) {
    super(
      `${name.operation}: expected a known outcome, but it was sent at ${startedAt.toISOString()} and may have taken effect. This call sent nothing: look it up, then close it with payments.journal.settle.`,
      { code: 'OPERATION_UNRESOLVED', outcome: 'unknown' },
    );
    this.lookUp = lookUp;
    this.startedAt = startedAt;
  }
}

/** The business operation was closed manually, without a result to return. */
export class OperationSettledError extends PaymentsError {
  static {
    defineErrorClass(this, 'OperationSettledError');
  }

  /** @internal */
  constructor(name: OperationName) {
    super(
      `${name.operation}: expected an open operation, got one that was closed manually as executed. This call sent nothing.`,
      { code: 'OPERATION_SETTLED', outcome: 'executed' },
    );
  }
}
