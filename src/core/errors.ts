import type { Issue } from '../base/issue.ts';
import type { Outcome } from './outcome.ts';
import { Redactor } from './redact.ts';
import { isRepeatable, type Repetition } from './repeatable.ts';

const brandKey = Symbol('payments-client brand');

interface Branded {
  readonly prototype: object;
  [brandKey]?: symbol;
}

/**
 * Names an error class and brands its instances. `instanceof` compares brands, which the ESM and the CommonJS
 * build share, so an error made by one build is recognised by the class of the other.
 */
export function defineErrorClass(type: Branded, name: string): void {
  const brand = Symbol.for(`payments-client/${name}`);
  type[brandKey] = brand;
  Object.defineProperties(type.prototype, {
    name: { value: name, configurable: true, writable: true },
    [brand]: { value: true },
  });
}

/**
 * The codes that this version knows. The service may send others (its set is not shown), so a comparison with any other text compiles.
 */
export type ErrorCode =
  | 'IDEMPOTENCY_KEY_TOO_LONG'
  | 'IDEMPOTENCY_KEY_IN_PROGRESS'
  | 'IDEMPOTENCY_BODY_MISMATCH'
  | 'IDEMPOTENCY_ROUTE_CONFLICT'
  | 'IDEMPOTENCY_STORE_UNAVAILABLE'
  | 'INVALID_CONFIGURATION'
  | 'INVALID_REQUEST'
  | 'INVALID_RESPONSE'
  | 'ABORTED'
  | 'ATTEMPT_TIMEOUT'
  | 'TOTAL_TIMEOUT'
  | 'WAIT_TIMEOUT'
  | 'NETWORK'
  | 'FETCH_THREW'
  | 'ECONNREFUSED'
  | 'ECONNRESET'
  | 'DECLINED'
  | 'MISSING_HAS_MORE'
  | 'MISSING_CURSOR'
  | 'CURSOR_DID_NOT_MOVE'
  | (string & {});

/** What every error of this package is made from. */
export interface PaymentsErrorFields {
  code?: string | undefined;
  outcome?: Outcome | undefined;
  retryable?: boolean | undefined;
  cause?: unknown;
  requestId?: string | undefined;
}

/**
 * The base of every error that this package throws.
 *
 * `instanceof` works across the ESM and CommonJS builds.
 */
export class PaymentsError extends Error {
  /** A short machine-readable code, from the service where it sent one; `undefined` where there is none. */
  readonly code: ErrorCode | undefined;
  /**
   * Whether money may have moved by this call. Reads move nothing, so for them it is always `not_executed`. A `not_executed` says
   * nothing of an earlier run with the same `operationId`.
   */
  readonly outcome: Outcome;
  /**
   * Whether the same call, unchanged, may succeed later and cannot act twice. True for a time-out, a broken connection, 408, 429, 5xx and
   * a key in progress, where the call is a read, carries an idempotency key, or was not executed; false for everything else.
   */
  readonly retryable: boolean;
  /**
   * The request id of the response that it came from, or `undefined` where there was none (*inferred*: `request-id`,
   * `x-request-id`).
   */
  readonly requestId: string | undefined;
  /** The id of the call that it ended, as hooks and log lines have it; `undefined` where it was no single call. */
  readonly callId: string | undefined;

  /** @internal */
  static [brandKey]?: symbol;
  static {
    defineErrorClass(this, 'PaymentsError');
  }

  /** Whether a value is an error of this class, made by this build of the package or by the other. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    const brand = Object.hasOwn(this, brandKey) ? this[brandKey] : undefined;
    // A class that a user derives has no brand of its own, so the ordinary rule holds for it.
    if (brand === undefined) return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === 'object' && value !== null && brand in value;
  }

  /** An error of your own kind, for example in a test or a derived class. */
  constructor(
    message: string,
    { code, outcome = 'not_executed', retryable = false, cause, requestId }: PaymentsErrorFields = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.outcome = outcome;
    this.retryable = retryable;
    this.requestId = requestId;
  }

  /** What `JSON.stringify` shows: never a body, a header or a cause, since those can hold secrets. */
  toJSON(): Record<string, unknown> {
    const { name, message, code, outcome, retryable, requestId, callId } = this;
    return { name, message, code, outcome, retryable, requestId, callId };
  }
}

/** The error, which now says to which call it belongs. */
export function tieToCall(error: PaymentsError, { callId }: { readonly callId: string }): PaymentsError {
  return Object.assign(error, { callId });
}

export type { Issue };

const redactor = /* @__PURE__ */ new Redactor();

/** The name of a field comes from outside too, and may be a card number. */
function clean(issues: readonly Issue[]): readonly Issue[] {
  return redactor.issues(issues);
}

function enumerate(issues: readonly Issue[]): string {
  return issues
    .map(({ path, expected, received }) => `${path}: expected ${expected}, got ${received}`)
    .join('; ');
}

/** `path: expected …, got …` for each issue of a foreign value, in one line. */
export function describeIssues(issues: readonly Issue[]): string {
  return enumerate(redactor.foreignIssues(issues));
}

/** An option of the client is missing or wrong. Nothing was sent. */
export class ConfigurationError extends PaymentsError {
  /** Each wrong option. */
  readonly issues: readonly Issue[];

  static {
    defineErrorClass(this, 'ConfigurationError');
  }

  /** @internal */
  constructor(issues: readonly Issue[], advice: string) {
    const shown = clean(issues);
    super(`${enumerate(shown)}. ${advice}`, { code: 'INVALID_CONFIGURATION' });
    this.issues = shown;
  }
}

/** A parameter was refused before anything was sent. */
export class InvalidRequestError extends PaymentsError {
  /** Each bad parameter, with its path. */
  readonly issues: readonly Issue[];

  static {
    defineErrorClass(this, 'InvalidRequestError');
  }

  /** @internal */
  constructor(operation: string, issues: readonly Issue[], advice = 'Nothing was sent.') {
    const shown = clean(issues);
    super(`${operation}: ${enumerate(shown)}. ${advice}`, { code: 'INVALID_REQUEST' });
    this.issues = shown;
  }
}

/** What an error says about the call it came from. */
export interface CallFacts extends Repetition {
  /** The method that was called, for example `refunds.create`. */
  readonly operation: string;
  /** How many attempts were made. */
  readonly attempts: number;
}

/** Whether a failure that may pass can be answered by the same call: it cannot act twice, or has not acted. */
export function mayBeRepeated(outcome: Outcome, facts: Repetition): boolean {
  return outcome === 'not_executed' || isRepeatable(facts);
}

function adviceWithKey(outcome: Outcome): string {
  if (outcome === 'not_executed') {
    return 'No money moved by this call; an earlier one with the same operationId or key may have moved some.';
  }
  const happened = outcome === 'executed' ? 'It took effect' : 'It may have taken effect';
  return `${happened}: call again with the same operationId or key to get the original result.`;
}

const adviceWithoutKey: Record<Outcome, string> = {
  not_executed: 'No money moved by this call.',
  executed: 'It took effect: do not send it again.',
  unknown: 'It may have taken effect: look it up before you send it again.',
};

/** What the caller should know or do next, by what may have happened; empty for a read, which moves nothing. */
export function adviceFor(outcome: Outcome, { method, idempotencyKey }: Repetition): string {
  if (method === 'GET') return '';
  return idempotencyKey === undefined ? adviceWithoutKey[outcome] : adviceWithKey(outcome);
}

/** What a failure of a call is made from. */
interface CallErrorFields extends PaymentsErrorFields {
  /** Whether what went wrong may pass by itself. */
  readonly isTransient: boolean;
}

abstract class CallError extends PaymentsError {
  /** How many attempts were made; 0 when nothing was sent. */
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

  /** What `JSON.stringify` shows: never a body, a header or a cause. */
  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), attempts: this.attempts, idempotencyKey: this.idempotencyKey };
  }
}

/**
 * The service could not be reached, or the connection broke.
 *
 * `code` is the runtime's (`ECONNREFUSED`, `ECONNRESET`, …), `NETWORK` where the runtime gives none, or
 * `FETCH_THREW` when `fetch` failed in a way that is not a network failure; the last is never retried.
 */
export class ConnectionError extends CallError {
  static {
    defineErrorClass(this, 'ConnectionError');
  }

  /** @internal */
  constructor(facts: CallFacts, fields: PaymentsErrorFields & { code: string }) {
    super(`expected a response, got a failed connection (${fields.code}).`, facts, {
      ...fields,
      isTransient: fields.code !== 'FETCH_THREW',
    });
  }
}

/** Which bound was used up. */
export type TimeoutCode = 'ATTEMPT_TIMEOUT' | 'TOTAL_TIMEOUT' | 'WAIT_TIMEOUT';

const boundNames: Record<TimeoutCode, string> = {
  ATTEMPT_TIMEOUT: 'timeout',
  TOTAL_TIMEOUT: 'totalTimeout',
  WAIT_TIMEOUT: 'the timeout of waitFor',
};

/**
 * No complete response came in time. `code` is `ATTEMPT_TIMEOUT` when one attempt used up `timeout`,
 * `TOTAL_TIMEOUT` when the whole call used up `totalTimeout`, and `WAIT_TIMEOUT` when `waitFor` did not see what it
 * waited for.
 */
export class TimeoutError extends CallError {
  static {
    defineErrorClass(this, 'TimeoutError');
  }

  /** @internal */
  constructor(facts: CallFacts, fields: PaymentsErrorFields & { code: TimeoutCode }, ms: number) {
    const awaited = fields.code === 'WAIT_TIMEOUT' ? 'what was waited for' : 'a complete response';
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
 * A 2xx response whose body is not what it should be; `body` holds what came. For a call that moves money `outcome` is `executed` where
 * the body is JSON, whole or not, and `unknown` where it is anything else: a login page, a proxy, a wrong `baseUrl`.
 */
export class ResponseValidationError extends CallError {
  /** What is wrong with the body. */
  readonly issues: readonly Issue[];
  readonly #body: unknown;

  static {
    defineErrorClass(this, 'ResponseValidationError');
  }

  /** @internal */
  constructor(facts: CallFacts, fields: PaymentsErrorFields & { body: unknown }, issues: readonly Issue[]) {
    const shown = clean(issues);
    super(`the response is not what it should be: ${enumerate(shown)}.`, facts, {
      ...fields,
      code: 'INVALID_RESPONSE',
      isTransient: fields.outcome === 'unknown',
    });
    this.issues = shown;
    this.#body = fields.body;
  }

  /** The body as it came: parsed where it was JSON, else text. Not shown by `util.inspect` or `JSON.stringify`. */
  get body(): unknown {
    return this.#body;
  }

  /** What `JSON.stringify` shows: never a body, a header or a cause. */
  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), issues: this.issues };
  }
}

/**
 * A page breaks the rules of pagination, so the list cannot be walked to its end. `code` is `MISSING_HAS_MORE`,
 * `MISSING_CURSOR`, or `CURSOR_DID_NOT_MOVE`.
 */
export class PaginationError extends PaymentsError {
  static {
    defineErrorClass(this, 'PaginationError');
  }

  /** @internal */
  constructor(
    operation: string,
    code: 'MISSING_HAS_MORE' | 'MISSING_CURSOR' | 'CURSOR_DID_NOT_MOVE',
    problem: string,
  ) {
    super(`${operation}: ${problem} The list is not complete: do not treat what came as all of it.`, {
      code,
    });
  }
}
