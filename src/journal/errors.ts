import { defineErrorClass, PaymentsError } from '../base/errors.ts';

/** Which operation an error is about. */
export interface OperationName {
  readonly operation: string;
  readonly operationId: string;
}

function nameOf({ operation, operationId }: OperationName): string {
  return `${operation} ('${operationId.slice(0, 100)}')`;
}

/**
 * The journal could not write the operation down, so nothing was sent. `cause` is the store's error.
 */
export class JournalError extends PaymentsError {
  static {
    defineErrorClass(this, 'JournalError');
  }

  /** @internal */
  constructor(name: OperationName, cause: unknown) {
    super(
      `${nameOf(name)}: expected the journal's store to answer, got a failure. Nothing was sent by this call: repeat it once the store works.`,
      { code: 'JOURNAL_UNAVAILABLE', retryable: true, cause },
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
      `${nameOf(name)}: expected no other call of this operation, got one that is under way. Call again with the same operationId for its result.`,
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
      `${nameOf(name)}: expected the parameters of the first call with this operationId, got ${where}. Nothing was sent: repeat the first parameters, or choose another operationId.`,
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
      `${nameOf(name)}: expected a known end, got none: it was sent at ${startedAt.toISOString()} and may have taken effect. Nothing was sent by this call: look it up, then close it with payments.journal.settle.`,
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
      `${nameOf(name)}: expected an operation without an end, got one that was closed by hand as executed. Nothing was sent by this call.`,
      { code: 'OPERATION_SETTLED', outcome: 'executed' },
    );
  }
}
