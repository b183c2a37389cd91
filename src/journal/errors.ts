import { defineErrorClass, type ErrorFields, type Outcome, PaymentsError } from '../base/errors.ts';
import { errorCode, messageOf } from '../base/functions.ts';
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

/** The codes of a store that works, but could not keep the record. Its message says what to do. */
const unfit = /* @__PURE__ */ new Set<unknown>([
  'STORE_EVICTS',
  'STORE_FAILED_OVER',
  'STORE_FULL',
  'STORE_NOT_REPLICATED',
  'STORE_READ_ONLY',
]);

function isUnfit(cause: unknown): cause is PaymentsError {
  return cause instanceof PaymentsError && unfit.has(cause.code);
}

function journalProblem(cause: unknown): string {
  if (isUnfit(cause)) return `${cause.message} This call sent nothing.`;
  return "expected the journal's store to answer, got a failure. This call sent nothing: repeat it once the store works.";
}

/**
 * The journal could not read or record the business operation, so this call sent nothing. `outcome` is that of the operation: `unknown`,
 * since its record could not be read. `cause` has the name, message and code of the store's error. It is `retryable` unless `memoryStore`
 * is full, Redis evicts records, or a failover is not acknowledged; then the message says what to do.
 */
export class JournalError extends PaymentsError {
  /** @internal */
  static override readonly brand: symbol = /* @__PURE__ */ defineErrorClass(this, 'JournalError', {
    code: 'JOURNAL_UNAVAILABLE',
    outcome: 'unknown',
    retryable: true,
  });
}

/** Returns the error for a store that failed. */
export function journalFailed({ operation }: OperationName, cause: unknown): JournalError {
  return new JournalError(`${operation}: ${journalProblem(cause)}`, {
    retryable: !isUnfit(cause) || cause.retryable,
    cause: copyOf(cause),
  });
}

/**
 * Another process, or another call of this process, is sending the same business operation. This call sent nothing; `outcome`
 * is that of the operation: `unknown`.
 */
export class OperationInProgressError extends PaymentsError {
  /** The latest time at which the other call ends, in seconds from now. */
  declare readonly retryAfter: number;

  /** @internal */
  static override readonly brand: symbol = /* @__PURE__ */ defineErrorClass(
    this,
    'OperationInProgressError',
    {
      code: 'OPERATION_IN_PROGRESS',
      outcome: 'unknown',
      retryable: true,
      retryAfter: 60,
    },
  );
}

/** Returns the error for an operation that another call sends, for at most `msLeft` milliseconds. */
export function operationInProgress({ operation }: OperationName, msLeft: number): OperationInProgressError {
  const problem = 'expected no other call of this operation, but one is in progress.';
  const message = `${operation}: ${problem} Call again with the same operationId to get its result.`;
  return new OperationInProgressError(message, { retryAfter: Math.ceil(msLeft / 1000) });
}

/** How the account of a record differs from that of a call. */
export interface AccountDifference {
  /** Whether the store key names the account, so that only the mode may differ. */
  readonly hasAccount: boolean;
  /** What differs. Never a value. */
  readonly differences: readonly ('base URL' | 'mode' | 'key')[];
}

function accountProblem({ hasAccount, differences }: AccountDifference): string {
  const recorded = `one that was recorded with another ${differences.join(', another ')}`;
  if (hasAccount) {
    return `expected an operation of this account, got ${recorded}. Nothing was sent or changed: the journal's account names one merchant in one environment, so give test keys and live keys an account each.`;
  }
  return `expected an operation that was recorded with this key and base URL, got ${recorded}. Nothing was sent or changed: repeat the call with the former key, or look the operation up before you choose another operationId. Where keys change, give the journal an account.`;
}

/**
 * The `operationId` belongs to an operation that was recorded with another key, another base URL or in another mode: of another
 * merchant, or of yours before a key changed. Without the option `account`, the journal cannot tell the two apart.
 *
 * This call sent nothing, and the record is unchanged; `outcome` is that of the recorded operation: `unknown`.
 */
export class OperationAccountError extends PaymentsError {
  /** @internal */
  static override readonly brand: symbol = /* @__PURE__ */ defineErrorClass(this, 'OperationAccountError', {
    code: 'OPERATION_ACCOUNT',
    outcome: 'unknown',
  });
}

/** Returns the error for an operation of another account. */
export function otherAccount(
  { operation }: OperationName,
  difference: AccountDifference,
): OperationAccountError {
  return new OperationAccountError(`${operation}: ${accountProblem(difference)}`);
}

/** What is known of the first call with an id. */
export type FirstEnd = 'open' | 'planned' | 'declined' | 'refused' | 'executed';

/** How the parameters of a call differ from those of the first call with its id. */
interface ParameterDifference {
  /** The names that the interface or the method knows. */
  readonly names: readonly string[];
  /** How many other fields differ. Their names may hold anything. */
  readonly unnamed: number;
  readonly first: FirstEnd;
}

function differenceText({ names, unnamed }: ParameterDifference): string {
  const others = unnamed === 1 ? 'another field' : `${unnamed} other fields`;
  const parts = [...names.map((name) => `another ${name}`), ...(unnamed === 0 ? [] : [others])];
  return parts.length === 0 ? 'other parameters' : parts.join(', ');
}

const newAttempt =
  'Nothing was sent: give a new attempt, such as one with another card, an operationId of its own, such as order-1042-2.';

const adviceOfFirst = /* @__PURE__ */ (() => ({
  open: 'Nothing was sent: look at what the first call did before you choose another operationId.',
  planned:
    'Nothing was sent, also not what was planned: call it as it was planned, or choose another operationId.',
  executed:
    'Nothing was sent: the first call was executed. Call again with its parameters to get its result.',
  declined: `The first call was declined. ${newAttempt}`,
  refused: `The first call moved no money. ${newAttempt}`,
}))();

/**
 * The `operationId` was already used with other parameters. This call sent nothing; `outcome` is that of the operation that has the id:
 * `executed` if it took effect, `not_executed` if it was declined or refused, or only planned, and otherwise `unknown`.
 */
export class OperationMismatchError extends PaymentsError {
  /**
   * The fields that differ, `path` and `query` included, as far as the method knows their names. Empty if the first parameters
   * were not kept.
   */
  readonly differences: readonly string[];

  /** @internal */
  static override readonly brand: symbol = /* @__PURE__ */ defineErrorClass(this, 'OperationMismatchError', {
    code: 'OPERATION_MISMATCH',
    outcome: 'unknown',
  });

  /** Creates an error, for example in a test. Default: `unknown`, without differences. */
  constructor(message: string, fields: ErrorFields<OperationMismatchError> = {}) {
    super(message, fields);
    this.differences = fields.differences ?? [];
  }
}

/** Returns what is known of an operation by how its first call ended. */
export function outcomeOfFirst(first: FirstEnd): Outcome {
  if (first === 'open') return 'unknown';
  return first === 'executed' ? 'executed' : 'not_executed';
}

/** Returns the error for a call with other parameters than the first call with its id. */
export function operationMismatch(
  { operation }: OperationName,
  difference: ParameterDifference,
): OperationMismatchError {
  const { first, names } = difference;
  const known =
    first === 'planned'
      ? 'with which this operationId was planned'
      : 'of the first call with this operationId';
  const problem = `expected the parameters ${known}, got ${differenceText(difference)}.`;
  return new OperationMismatchError(`${operation}: ${problem} ${adviceOfFirst[first]}`, {
    outcome: outcomeOfFirst(first),
    differences: names,
  });
}

/** An operation that is not sent again. */
interface UnresolvedOperation extends OperationName {
  /** In ms since 1970. */
  readonly startedAt: number;
  readonly lookUp?: Readonly<Record<string, string>> | undefined;
}

/** What parameters hold that no journal keeps, or not this one. */
export type Withheld = 'card_data' | 'personal_data';

/**
 * Why an operation is not sent: it may have been sent before, perhaps with another key or to another base URL; `resume` has nothing
 * to send, since it has ended or its parameters were not kept, perhaps for what they hold; or its record is not what the journal wrote, or is in
 * plain though the ring of keys has no `plain`.
 */
type UnresolvedReason = 'sent' | 'sent elsewhere' | 'nothing to send' | 'damaged' | 'in plain' | Withheld;

function withheldProblem(what: string): string {
  return `expected an open operation with its parameters, got one with their digest alone, since they hold ${what}. Nothing was sent: repeat the call itself, with the same operationId and parameters.`;
}

const closeIt = 'look it up, then close it with payments.journal.settle.';

function unresolved(startedAt: Date, reason: UnresolvedReason): string {
  switch (reason) {
    case 'sent':
      return `expected a known outcome, but it was sent at ${startedAt.toISOString()} and may have taken effect, or may yet. This call sent nothing: ${closeIt}`;
    case 'sent elsewhere':
      return `expected the key and the base URL with which it was sent at ${startedAt.toISOString()}, got others, and it may have taken effect. This call sent nothing: repeat it with the former ones, or ${closeIt}`;
    case 'nothing to send':
      return 'expected an open operation with its parameters, got another. Nothing was sent: repeat the call itself.';
    case 'card_data':
      return withheldProblem('card data');
    case 'personal_data':
      return withheldProblem('personal data, which this journal leaves out');
    case 'damaged':
      return 'expected a record as the journal wrote it, got one that was changed or moved, or that no key of encryptionKey reads. Nothing was sent: add the key that wrote it, as in [new, old]. If there is none, restore the record from a backup.';
    case 'in plain':
      return "expected an encrypted record, got one in plain. Nothing was sent: if it is older than your encryption, add 'plain' to encryptionKey and run journal.reencrypt(). Otherwise it is forged.";
  }
}

/**
 * The business operation may have taken effect, and a retry could act twice: the service knows no idempotency key of it (a sale,
 * a PUT or a PATCH), may have forgotten the key, or got it with another secret key or at another base URL. Look it up, then close
 * it with `payments.journal.settle`.
 *
 * A call also throws it for a record that is damaged, or that no key of `encryptionKey` reads, and `resume` if it has ended or its parameters were not kept: then repeat the call
 * itself.
 *
 * This call sent nothing; `outcome` is that of the operation: `unknown`.
 */
export class OperationUnresolvedError extends PaymentsError {
  /** For looking it up: amount, masked card and `orderid` of a sale; `path` for the JSON API. Empty for a damaged record. */
  readonly lookUp: Readonly<Record<string, string>>;
  /** When it was first sent, or planned. For a damaged record: the time of this call. */
  readonly startedAt: Date;

  /** @internal */
  static override readonly brand: symbol = /* @__PURE__ */ defineErrorClass(
    this,
    'OperationUnresolvedError',
    {
      code: 'OPERATION_UNRESOLVED',
      outcome: 'unknown',
    },
  );

  /** Creates an error, for example in a test. Default: `unknown`, first sent now, with nothing to look it up by. */
  constructor(message: string, fields: ErrorFields<OperationUnresolvedError> = {}) {
    super(message, fields);
    this.lookUp = fields.lookUp ?? {};
    // It is a text if the error was data.
    this.startedAt = new Date(fields.startedAt ?? Date.now());
  }
}

/** Returns the error for an operation that is not sent again. */
export function operationUnresolved(
  { operation, startedAt, lookUp }: UnresolvedOperation,
  reason: UnresolvedReason,
): OperationUnresolvedError {
  const since = new Date(startedAt);
  const message = `${operation}: ${unresolved(since, reason)}`;
  return new OperationUnresolvedError(message, { lookUp, startedAt: since });
}

/** Why a closed operation has no result to return. */
export type MissingResult = 'settled' | 'too long' | 'unreadable';

const missingResults: Record<MissingResult, string> = {
  settled: 'an open operation, got one that was closed manually as executed. This call sent nothing.',
  'too long':
    'a recorded result, but it was too long to record. This call sent nothing: look up what the operation did.',
  unreadable:
    'a recorded result, got a record that cannot be read. This call sent nothing: look up what the operation did.',
};

/**
 * Returns the error for a closed operation without a result to return: it was closed manually without one, or the result was too
 * long to record. This call sent nothing; `outcome` is that of the operation: `executed` if it was closed manually, and otherwise
 * `unknown`, since a decline is a result too.
 */
export function operationSettled(
  { operation }: OperationName,
  missing: MissingResult,
  isSettled: boolean,
): PaymentsError {
  const outcome = isSettled ? 'executed' : 'unknown';
  const message = `${operation}: expected ${missingResults[missing]}`;
  return new PaymentsError(message, { code: 'OPERATION_SETTLED', outcome });
}
