/** The errors of a call: their classes, and messages that say what happened, what it means for money, then the facts. */

import {
  defineErrorClass,
  type ErrorFields,
  type Issue,
  type Outcome,
  PaymentsError,
  withDefaults,
} from '../../base/errors.ts';
import { isRepeatable, type Repetition } from '../request/idempotency.ts';

/** Adds the id of its call to an error. */
export function tieToCall(error: PaymentsError, callId: string): void {
  Object.assign(error, { callId });
}

/**
 * Lets an error say what is known of its operation, where that is more than what is known of its call.
 *
 * @param isKeyKnown Whether the service still knows the key of the earlier calls.
 */
export function raiseOutcome(
  error: PaymentsError,
  outcome: Outcome,
  facts: CallFacts,
  isKeyKnown: boolean,
): void {
  const { message, stack } = error;
  const isSafe = isKeyKnown && isRepeatable(facts);
  const maybe = facts.movesMoney ? 'may have moved money' : 'may have taken effect';
  const happened = outcome === 'executed' ? 'took effect' : maybe;
  const again = isSafe
    ? 'call again with the same operationId or key to get its result'
    : 'look it up before you send it again';
  const raised = `An earlier call of this operation ${happened}: ${again}. This call: ${message}`;
  const retryable = error.retryable && isSafe;
  Object.assign(error, {
    outcome,
    retryable,
    retryAfter: retryable ? error.retryAfter : undefined,
    message: raised,
    // `Error.prepareStackTrace` may have made anything of it.
    stack: typeof stack === 'string' ? stack.replace(message, () => raised) : stack,
  });
}

/** An error of a call that may have been sent. */
export abstract class CallError extends PaymentsError {
  /** How many attempts were made, also those that could not connect. Default: 1. */
  readonly attempts: number;
  /** The idempotency key that every attempt carried, or `undefined`. */
  readonly idempotencyKey: string | undefined;
  /** Whether the service repeated its response to an earlier request with the key (`Idempotent-Replayed`; *shown*). Default: false. */
  readonly idempotentReplayed: boolean;

  /** Creates an error, for example in a test. */
  constructor(message: string, fields: ErrorFields<CallError> = {}) {
    super(message, fields);
    const { attempts, idempotencyKey, idempotentReplayed } = withDefaults(this, fields);
    this.attempts = attempts ?? 1;
    this.idempotencyKey = idempotencyKey;
    this.idempotentReplayed = idempotentReplayed ?? false;
  }
}

/**
 * The service could not be reached, or the connection broke. Default: `NETWORK`, `unknown`, retryable.
 *
 * `code` is the runtime's code (`ECONNREFUSED`, `ECONNRESET`, …), or `NETWORK` if the runtime gives none. It is
 * `FETCH_THREW` if `fetch` failed before a response, for a reason other than the network; such a call is never retried. It is `TOO_MANY_CALLS` if
 * more calls were made at once than the client's `maxConcurrency`: nothing was sent or recorded, and `attempts` is 0.
 */
export class ConnectionError extends CallError {
  /** @internal */
  static override readonly brand: symbol = /* @__PURE__ */ defineErrorClass(this, 'ConnectionError', {
    code: 'NETWORK',
    outcome: 'unknown',
    retryable: true,
  });
}

/** The limit that was reached. */
type TimeoutCode = 'ATTEMPT_TIMEOUT' | 'TOTAL_TIMEOUT' | 'WAIT_TIMEOUT';

/**
 * No complete response came in time. Default: `ATTEMPT_TIMEOUT`, `unknown`, retryable. `code` names the limit:
 *
 * - `ATTEMPT_TIMEOUT`: one attempt took longer than `timeout`;
 * - `TOTAL_TIMEOUT`: the whole call took longer than `totalTimeout`;
 * - `WAIT_TIMEOUT`: the object did not reach the state that `waitFor` waits for.
 */
export class TimeoutError extends CallError {
  /** @internal */
  static override readonly brand: symbol = /* @__PURE__ */ defineErrorClass(this, 'TimeoutError', {
    code: 'ATTEMPT_TIMEOUT',
    outcome: 'unknown',
    retryable: true,
  });
}

/**
 * The caller's `signal` was aborted: `cause` is its reason. Or the client was closed before the call or during it: `code` is `CLIENT_CLOSED`.
 * Default: `ABORTED`, `unknown`, retryable.
 */
export class RequestAbortedError extends CallError {
  /** @internal */
  static override readonly brand: symbol = /* @__PURE__ */ defineErrorClass(this, 'RequestAbortedError', {
    code: 'ABORTED',
    outcome: 'unknown',
    retryable: true,
  });
}

/**
 * The client's `beforeCall` threw: this call sent and recorded nothing. `cause` is a copy of what it threw, with its name, message and `code`,
 * and without secrets. Default: `not_executed`, not retryable.
 */
export class CallRefusedError extends PaymentsError {
  /** @internal */
  static override readonly brand: symbol = /* @__PURE__ */ defineErrorClass(this, 'CallRefusedError', {
    code: 'CALL_REFUSED',
    outcome: 'not_executed',
  });
}

/**
 * A 2xx response has an invalid body, which `body` contains. Default: `executed`, not retryable.
 *
 * For a call that moves money, `outcome` is `executed` if the body is JSON, complete or not. It is `unknown` for the form
 * endpoint, and for any other body, which may come from a login page, a proxy or a wrong `baseUrl`.
 */
export class ResponseValidationError extends CallError {
  /** The issues of the body. Default: none. */
  readonly issues: readonly Issue[];
  readonly #body: unknown;

  /** @internal */
  static override readonly brand: symbol = /* @__PURE__ */ defineErrorClass(this, 'ResponseValidationError', {
    code: 'INVALID_RESPONSE',
    outcome: 'executed',
  });

  /** Creates an error, for example in a test. */
  constructor(message: string, fields: ErrorFields<ResponseValidationError> = {}) {
    super(message, fields);
    this.issues = fields.issues ?? [];
    this.#body = fields.body;
  }

  /** The body: parsed if it was JSON, otherwise text. Not shown by `util.inspect` or `JSON.stringify`. */
  get body(): unknown {
    return this.#body;
  }
}

/**
 * A page breaks the rules of pagination, so the list cannot be read to its end. `code` says how:
 *
 * - `MISSING_HAS_MORE`: the page does not say whether there are more items;
 * - `MISSING_CURSOR`: there are more items, but no cursor leads to them;
 * - `CURSOR_DID_NOT_MOVE`: the cursor leads back to an earlier page;
 * - `REPEATED_ITEM`: the page repeats an item of this walk through the list;
 * - `EMPTY_PAGES`: 100 pages in a row have no item, and there are still more pages.
 */
export class PaginationError extends PaymentsError {
  /** A list is no operation. */
  declare readonly outcome: 'not_an_operation';

  /** @internal */
  static override readonly brand: symbol = /* @__PURE__ */ defineErrorClass(this, 'PaginationError', {
    code: 'MISSING_HAS_MORE',
  });
}

export interface CallFacts extends Repetition {
  /** What names its operation; `undefined` if its caller gave it no name. Then its key is that of this call alone. */
  readonly operationKey?: string | undefined;
  /** The method that was called, for example `refunds.create`. */
  readonly operation: string;
  readonly movesMoney: boolean;
  readonly attempts: number;
}

interface Failure {
  /** What happened, without a full stop. */
  readonly lead: string;
  readonly outcome: Outcome;
  /** What to do next. Default: by outcome. */
  readonly advice?: string | undefined;
  /** A sentence for this failure alone, such as how to correct an inferred path. */
  readonly hint?: string | undefined;
  /** What came, such as `status 402`. Default: the number of attempts. */
  readonly received?: readonly (string | undefined)[];
  /** The service's own text, redacted. */
  readonly detail?: string | undefined;
}

/** Returns what to do next, by outcome; an empty string for a read, which moves nothing. */
function adviceFor(outcome: Outcome, facts: CallFacts, isAnswered: boolean): string {
  if (facts.method === 'GET') return '';
  // The interface shows no response that proves it.
  if (outcome === 'not_executed') return `No money moved by this call${isAnswered ? ' (inferred)' : ''}.`;
  const isExecuted = outcome === 'executed';
  const maybe = facts.movesMoney ? 'Money may have moved' : 'The call may have taken effect';
  const happened = isExecuted ? 'The call took effect' : maybe;
  if (!isRepeatable(facts)) {
    return `${happened}: ${isExecuted ? 'do not send it again' : 'look the call up before you send it again'}.`;
  }
  if (facts.method === 'DELETE') return `${happened}: calling again has no second effect.`;
  if (facts.operationKey === undefined) {
    return `${happened}: call again with { idempotencyKey: error.idempotencyKey } to get its result, and give such calls an operationId.`;
  }
  return `${happened}: call again with the same operationId or key to get its result.`;
}

const plural = (attempts: number) => (attempts === 1 ? '1 attempt' : `${attempts} attempts`);

/** Returns the message of a failed call: what counts comes first, foreign text last. */
export function messageFor(facts: CallFacts, failure: Failure): string {
  const { lead, outcome, received = [plural(facts.attempts)], hint, detail } = failure;
  const { advice = adviceFor(outcome, facts, failure.received !== undefined) } = failure;
  const shown = `${facts.operation}: ${received.filter(Boolean).join(', ')}.`;
  const said = detail && `The service says: ${detail}`;
  return [`${lead}.`, advice, hint, shown, said].filter(Boolean).join(' ');
}

/**
 * Returns the fields that every error of a call has.
 *
 * @param isTransient Whether the cause may go away without a change of the call.
 */
export function fieldsOf(facts: CallFacts, outcome: Outcome, isTransient: boolean): ErrorFields<CallError> {
  const { attempts, idempotencyKey } = facts;
  // A second call of a POST without a name would have another key.
  const isSafe = isRepeatable(facts) && (facts.method !== 'POST' || facts.operationKey !== undefined);
  const retryable = isTransient && (outcome === 'not_executed' || isSafe);
  return { attempts, idempotencyKey, outcome, retryable };
}

/** What is known of a call that ended without a usable response. */
interface Interruption {
  readonly code?: string;
  /** Default: nothing was sent. */
  readonly outcome?: Outcome;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
  readonly hint?: string | undefined;
}

export function unanswered<E>(
  ErrorType: new (message: string, fields: ErrorFields<CallError>) => E,
  facts: CallFacts,
  lead: string,
  { outcome = facts.method === 'GET' ? 'not_an_operation' : 'not_executed', hint, ...more }: Interruption,
): E {
  const fields = fieldsOf(facts, outcome, more.code !== 'FETCH_THREW');
  return new ErrorType(messageFor(facts, { lead, outcome, hint }), { ...fields, ...more });
}

const limits: Record<TimeoutCode, string> = {
  ATTEMPT_TIMEOUT: 'timeout',
  TOTAL_TIMEOUT: 'totalTimeout',
  WAIT_TIMEOUT: 'the timeout of waitFor',
};

/** Returns the error for a wait that reached a limit of `ms` milliseconds. */
export function timeoutOf(
  facts: CallFacts,
  code: TimeoutCode,
  ms: number,
  failure: Interruption = {},
  awaited = 'complete response',
): TimeoutError {
  // A program in seconds would pass 30.
  const unit = ms < 1000 ? '; 30 s is 30_000' : '';
  const lead = `No ${awaited} within ${ms} ms (${limits[code]}${unit})`;
  return unanswered(TimeoutError, facts, lead, { ...failure, code });
}

export function abortedBySignal(facts: CallFacts, failure: Interruption): RequestAbortedError {
  if (failure.cause === clientClosed) return closed(facts, { ...failure, cause: undefined });
  return unanswered(RequestAbortedError, facts, 'The call was aborted by its signal', failure);
}

/** Why the signal of a call is aborted whose client was closed. */
export const clientClosed = /* @__PURE__ */ Symbol();

/** Returns the error for a call that the end of its client has refused, or cut off. */
export function closed(facts: CallFacts, failure: Interruption = {}): RequestAbortedError {
  const hint = 'Call from a process that goes on.';
  return unanswered(RequestAbortedError, facts, 'The client was closed', {
    ...failure,
    code: 'CLIENT_CLOSED',
    hint,
  });
}

/** Returns the error for a call that is not sent, since as many calls of its client are under way as may be. */
export function tooManyCalls(facts: CallFacts, max: number): ConnectionError {
  const { operation, method } = facts;
  const problem = `${operation}: expected at most ${max} calls of the client at once (maxConcurrency), got one more.`;
  const message = `${problem} Nothing was sent or recorded: call again when others have ended.`;
  const fields = fieldsOf(facts, method === 'GET' ? 'not_an_operation' : 'not_executed', true);
  return new ConnectionError(message, { ...fields, code: 'TOO_MANY_CALLS' });
}

/** Returns the error for a call that `beforeCall` refuses. */
export function refusedByVeto({ operation }: CallFacts, cause: Error): CallRefusedError {
  const problem = `${operation}: expected beforeCall to return, but it threw.`;
  const advice = 'Nothing was sent or recorded: call again once it lets the call pass.';
  const said = cause.message && `It says: ${cause.message}`;
  const message = [problem, advice, said].filter(Boolean).join(' ');
  // What is known of the operation of a write replaces it.
  return new CallRefusedError(message, { outcome: 'not_an_operation', cause });
}

export function receivedOf(response: {
  readonly status: number;
  readonly code?: string | undefined;
  readonly requestId: string | undefined;
}): readonly (string | undefined)[] {
  const { status, code, requestId } = response;
  return [`status ${status}`, code && `code ${code}`, requestId && `request id ${requestId}`];
}

/** Returns the error for a page that breaks the rules of pagination. `problem` is a sentence. */
export function incompleteList(
  operation: string,
  code: 'MISSING_HAS_MORE' | 'MISSING_CURSOR' | 'CURSOR_DID_NOT_MOVE' | 'REPEATED_ITEM' | 'EMPTY_PAGES',
  problem: string,
): PaginationError {
  const advice = 'The list is not complete: do not treat these items as all of it.';
  return new PaginationError(`${operation}: ${problem} ${advice}`, { code });
}
