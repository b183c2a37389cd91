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

/**
 * Another process, or another call of this process, is sending the same business operation. This call sent nothing; `outcome`
 * is that of the operation: `unknown`.
 */
export class OperationInProgressError extends PaymentsError {
  /** The latest time at which the other call ends, in seconds from now. */
  declare readonly retryAfter: number;

  static {
    defineErrorClass(this, 'OperationInProgressError');
  }

  /** @internal */
  constructor(name: OperationName, msLeft: number) {
    super(
      `${name.operation}: expected no other call of this operation, but one is in progress. Call again with the same operationId to get its result.`,
      {
        ...{ code: 'OPERATION_IN_PROGRESS', outcome: 'unknown', retryable: true },
        retryAfter: Math.ceil(msLeft / 1000),
      },
    );
  }
}

/**
 * The `operationId` was already used with other parameters. This call sent nothing; `outcome` is that of the first call:
 * `unknown`.
 */
export class OperationMismatchError extends PaymentsError {
  /**
   * The fields that differ, `path` and `query` included. Empty if the first parameters were not kept, or cannot be decrypted.
   */
  readonly differences: readonly string[];

  static {
    defineErrorClass(this, 'OperationMismatchError');
  }

  /** @internal */
  constructor(name: OperationName, differences: readonly string[]) {
    const where = differences.length === 0 ? 'other parameters' : `another ${differences.join(', another ')}`;
    super(
      `${name.operation}: expected the parameters of the first call with this operationId, got ${where}. Nothing was sent: look at what the first call did before you choose another operationId.`,
      { code: 'OPERATION_MISMATCH', outcome: 'unknown' },
    );
    this.differences = differences;
  }
}

/** An operation that is not sent again. */
export interface UnresolvedOperation extends OperationName {
  /** In ms since 1970. */
  readonly startedAt: number;
  readonly lookUp?: Readonly<Record<string, string>> | undefined;
}

/** Why an operation is not sent: it may have been sent before, or `resume` has no parameters to send. */
type UnresolvedReason = 'sent' | 'no parameters';

function unresolved(startedAt: Date, reason: UnresolvedReason): string {
  if (reason === 'sent') {
    return `expected a known outcome, but it was sent at ${startedAt.toISOString()} and may have taken effect. This call sent nothing: look it up, then close it with payments.journal.settle.`;
  }
  return 'expected its parameters, but they were not kept or cannot be decrypted. Nothing was sent: repeat the call itself.';
}

/**
 * The business operation may have taken effect, and a retry could act twice: the service knows no idempotency key of it (a sale,
 * a PUT or a PATCH), or may have forgotten the key. Look it up, then close it with `payments.journal.settle`.
 *
 * `resume` throws it too if the parameters were not kept or cannot be decrypted: repeat the call itself.
 *
 * This call sent nothing; `outcome` is that of the operation: `unknown`.
 */
export class OperationUnresolvedError extends PaymentsError {
  /** Fields for looking it up: amount, masked card, `orderid`. Empty for the JSON API. */
  readonly lookUp: Readonly<Record<string, string>>;
  /** When it was first sent, or planned. */
  readonly startedAt: Date;

  static {
    defineErrorClass(this, 'OperationUnresolvedError');
  }

  /** @internal */
  constructor({ operation, startedAt, lookUp = {} }: UnresolvedOperation, reason: UnresolvedReason) {
    const since = new Date(startedAt);
    super(`${operation}: ${unresolved(since, reason)}`, { code: 'OPERATION_UNRESOLVED', outcome: 'unknown' });
    this.lookUp = lookUp;
    this.startedAt = since;
  }
}

/** Why a closed operation has no result to return. */
export type MissingResult = 'settled' | 'encrypted' | 'too long' | 'unreadable';

const missingResults: Record<MissingResult, string> = {
  settled: 'an open operation, got one that was closed manually as executed. This call sent nothing.',
  encrypted:
    'a recorded result, got one that the encryptionKey cannot decrypt. This call sent nothing: repeat it with the encryptionKey of the first call.',
  'too long':
    'a recorded result, but it was too long to record. This call sent nothing: look up what the operation did.',
  unreadable:
    'a recorded result, got a record that cannot be read. This call sent nothing: look up what the operation did.',
};

/**
 * The business operation is closed, and its result cannot be returned: it was closed manually without one, the result was
 * too long to record, or it cannot be decrypted. This call sent nothing; `outcome` is that of the operation: `executed` if it
 * was closed manually, and otherwise `unknown`, since a decline is a result too.
 */
export class OperationSettledError extends PaymentsError {
  static {
    defineErrorClass(this, 'OperationSettledError');
  }

  /** @internal */
  constructor(name: OperationName, missing: MissingResult, isSettled: boolean) {
    const outcome = isSettled ? 'executed' : 'unknown';
    super(`${name.operation}: expected ${missingResults[missing]}`, { code: 'OPERATION_SETTLED', outcome });
  }
}
