import {
  cleanIssues,
  defineErrorClass,
  enumerateIssues,
  type Issue,
  PaymentsError,
  type PaymentsErrorFields,
} from '../base/errors.ts';
import type { Outcome } from '../base/outcome.ts';
import { isRepeatable, type Repetition } from './repeatable.ts';

/** Adds the id of its call to an error. */
export function tieToCall(error: PaymentsError, callId: string): void {
  Object.assign(error, { callId });
}

/** The call that an error came from. */
export interface CallFacts extends Repetition {
  /** The method that was called, for example `refunds.create`. */
  readonly operation: string;
  /** How many attempts were made. */
  readonly attempts: number;
}

/** Whether the same call may be repeated after a failure: it cannot act twice, or has not acted. */
export function mayBeRepeated(outcome: Outcome, facts: Repetition): boolean {
  return outcome === 'not_executed' || isRepeatable(facts);
}

/** Returns what to do next, by outcome; an empty string for a read, which moves nothing. */
export function adviceFor(outcome: Outcome, facts: Repetition): string {
  if (facts.method === 'GET') return '';
  if (outcome === 'not_executed') return 'No money moved by this call.';
  const isExecuted = outcome === 'executed';
  const happened = isExecuted ? 'It took effect' : 'It may have taken effect';
  if (facts.idempotencyKey !== undefined && isRepeatable(facts))
    return `${happened}: call again with the same operationId or key to get the original result.`;
  return `${happened}: ${isExecuted ? 'do not send it again' : 'look it up before you send it again'}.`;
}

/** The fields of a call's error. */
interface CallErrorFields extends PaymentsErrorFields {
  /** Whether the cause may go away without a change of the call. */
  readonly isTransient: boolean;
}

abstract class CallError extends PaymentsError {
  /** How many attempts were made, also those that could not connect. */
  readonly attempts: number;
  /** The idempotency key that every attempt carried, or `undefined`. */
  readonly idempotencyKey: string | undefined;

  /** @internal */
  constructor(problem: string, facts: CallFacts, { isTransient, ...fields }: CallErrorFields) {
    const { outcome = 'not_executed' } = fields;
    const retryable = isTransient && mayBeRepeated(outcome, facts);
    super(`${facts.operation}: ${problem} ${adviceFor(outcome, facts)}`.trimEnd(), { ...fields, retryable });
    this.attempts = facts.attempts;
    this.idempotencyKey = facts.idempotencyKey;
  }

  /** Returns what `JSON.stringify` shows: never a body, a header or a cause. */
  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), attempts: this.attempts, idempotencyKey: this.idempotencyKey };
  }
}

/**
 * The service could not be reached, or the connection broke.
 *
 * `code` is the runtime's code (`ECONNREFUSED`, `ECONNRESET`, …), or `NETWORK` if the runtime gives none. It is
 * `FETCH_THREW` if `fetch` failed before a response, for a reason other than the network; such a call is never retried.
 */
export class ConnectionError extends CallError {
  static {
    defineErrorClass(this, 'ConnectionError');
  }

  /** @internal */
  constructor(
    facts: CallFacts,
    origin: string,
    fields: PaymentsErrorFields & { code: string },
    hint?: string,
  ) {
    const problem = `expected a response from ${origin}, got a failed connection (${fields.code}).`;
    super(hint === undefined ? problem : `${problem} ${hint}`, facts, {
      ...fields,
      isTransient: fields.code !== 'FETCH_THREW',
    });
  }
}

/** The limit that was reached. */
export type TimeoutCode = 'ATTEMPT_TIMEOUT' | 'TOTAL_TIMEOUT' | 'WAIT_TIMEOUT';

const boundNames: Record<TimeoutCode, string> = {
  ATTEMPT_TIMEOUT: 'timeout',
  TOTAL_TIMEOUT: 'totalTimeout',
  WAIT_TIMEOUT: 'the timeout of waitFor',
};

/**
 * No complete response came in time. `code` names the limit:
 *
 * - `ATTEMPT_TIMEOUT`: one attempt took longer than `timeout`;
 * - `TOTAL_TIMEOUT`: the whole call took longer than `totalTimeout`;
 * - `WAIT_TIMEOUT`: the object did not reach the state that `waitFor` waits for.
 */
export class TimeoutError extends CallError {
  static {
    defineErrorClass(this, 'TimeoutError');
  }

  /** @internal */
  constructor(
    facts: CallFacts,
    fields: PaymentsErrorFields & { code: TimeoutCode },
    ms: number,
    awaited = 'a complete response',
  ) {
    super(`expected ${awaited} within ${ms} ms (${boundNames[fields.code]}), got none.`, facts, {
      ...fields,
      isTransient: true,
    });
  }
}

/** The caller's `signal` was aborted. `cause` is the signal's reason. */
export class RequestAbortedError extends CallError {
  static {
    defineErrorClass(this, 'RequestAbortedError');
  }

  /** @internal */
  constructor(facts: CallFacts, fields: PaymentsErrorFields) {
    super('the call was aborted by its signal.', facts, { ...fields, code: 'ABORTED', isTransient: true });
  }
}

/**
 * A 2xx response has an invalid body, which `body` contains.
 *
 * For a call that moves money, `outcome` is `executed` if the body is JSON, complete or not. It is `unknown` for the form
 * endpoint, and for any other body, which may come from a login page, a proxy or a wrong `baseUrl`.
 */
export class ResponseValidationError extends CallError {
  /** The issues of the body. */
  readonly issues: readonly Issue[];
  readonly #body: unknown;

  static {
    defineErrorClass(this, 'ResponseValidationError');
  }

  /** @internal */
  constructor(facts: CallFacts, fields: PaymentsErrorFields & { body: unknown }, issues: readonly Issue[]) {
    const shown = cleanIssues(issues);
    super(`the response is invalid: ${enumerateIssues(shown)}.`, facts, {
      ...fields,
      code: 'INVALID_RESPONSE',
      isTransient: fields.outcome === 'unknown',
    });
    this.issues = shown;
    this.#body = fields.body;
  }

  /** The body: parsed if it was JSON, otherwise text. Not shown by `util.inspect` or `JSON.stringify`. */
  get body(): unknown {
    return this.#body;
  }

  /** Returns what `JSON.stringify` shows: never a body, a header or a cause. */
  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), issues: this.issues };
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
  static {
    defineErrorClass(this, 'PaginationError');
  }

  /** @internal */
  constructor(
    operation: string,
    code: 'MISSING_HAS_MORE' | 'MISSING_CURSOR' | 'CURSOR_DID_NOT_MOVE' | 'REPEATED_ITEM' | 'EMPTY_PAGES',
    problem: string,
  ) {
    super(`${operation}: ${problem} The list is not complete: do not treat these items as all of it.`, {
      code,
    });
  }
}
