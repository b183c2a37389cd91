/** Refuses what a caller got wrong outside a call. Without schemas, so that pages and small functions stay small. */

import { formatIssue, type Issue, issueAt, issueWithin } from './issue.ts';
import { redactIssues } from './redact.ts';

/** `instanceof` for classes of which a program may have two copies: the package in both module formats, or installed twice. */

interface Branded {
  readonly prototype: object;
  readonly brand?: unknown;
}

/** Whether a value is an instance of a class, made by this copy of the package or by another. */
function isInstance(this: Branded, value: unknown): boolean {
  // A user's subclass has no brand of its own, so the prototype chain decides.
  const brand = Object.hasOwn(this, 'brand') ? this.brand : undefined;
  if (typeof brand !== 'symbol') return Function.prototype[Symbol.hasInstance].call(this, value);
  return typeof value === 'object' && value !== null && brand in value;
}

/**
 * Lets `instanceof` recognize the instances of a class in every copy of the package, by the mark that it returns. It is called for a static
 * field: a static block, or a method named by a symbol, would keep bundlers from leaving out a class that a program does not use.
 */
export function brandClass(type: Branded, name: string): symbol {
  const brand = Symbol.for(`payments-client/${name}`);
  Object.defineProperty(type.prototype, brand, { value: true });
  Object.defineProperty(type, Symbol.hasInstance, { value: isInstance, configurable: true });
  return brand;
}

/**
 * What a failed call may have done:
 * - `not_executed`: this call moved no money. This says nothing about an earlier call with the same `operationId`. After a
 *   4xx it is *inferred*: the interface does not show which rejections guarantee it;
 * - `executed`: the call took effect, but its result could not be used;
 * - `unknown`: the call may have taken effect. If the error is `retryable`, call again with the same `operationId` to get the
 *   original result. Otherwise look it up.
 */
export type Outcome = 'not_executed' | 'executed' | 'unknown';

const defaultsKey = Symbol('payments-client defaults');

interface ErrorClass<Fields> {
  new (message: string, fields?: Fields): object;
  readonly prototype: object;
}

/**
 * Names an error class, sets the fields that its constructor fills in, and returns its brand. The name survives a minifier, which renames the
 * class itself.
 */
export function defineErrorClass<Fields>(type: ErrorClass<Fields>, name: string, defaults?: Fields): symbol {
  // `util.inspect` prints the name of the class, `stack` the name of the instance.
  Object.defineProperty(type, 'name', { value: name, configurable: true });
  Object.defineProperties(type.prototype, {
    name: { value: name, configurable: true, writable: true },
    [defaultsKey]: { value: defaults },
  });
  return brandClass(type, name);
}

/** Returns the fields of an error, completed by the defaults of its class. */
export function withDefaults<Fields extends object>(error: PaymentsError, fields: Fields): Fields {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return { ...fields, ...error[defaultsKey], ...Object.fromEntries(given) };
}

/**
 * The codes that this version knows. The service may send others (its set is not shown), so comparing with any other string
 * compiles.
 */
type ErrorCode =
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
  | 'CARDHOLDER_AUTHENTICATION'
  | 'DECLINED'
  | 'MISSING_HAS_MORE'
  | 'MISSING_CURSOR'
  | 'CURSOR_DID_NOT_MOVE'
  | 'REPEATED_ITEM'
  | 'EMPTY_PAGES'
  | 'JOURNAL_UNAVAILABLE'
  | 'OPERATION_ACCOUNT'
  | 'OPERATION_IN_PROGRESS'
  | 'OPERATION_MISMATCH'
  | 'OPERATION_SETTLED'
  | 'OPERATION_UNRESOLVED'
  | 'STORE_EVICTS'
  | 'STORE_FULL'
  | 'STORE_TIMEOUT'
  | 'WEBHOOK_IN_PROGRESS'
  | 'WEBHOOK_LEASE_LOST'
  | (string & {});

/** What the constructor of an error takes: the fields of its class. A missing one has the default of the class. */
export type ErrorFields<E extends PaymentsError> = {
  [Field in keyof E as Exclude<Field & string, keyof Error | 'toJSON'>]?: E[Field] | undefined;
} & {
  /** The error that caused this one. Default: none. */
  readonly cause?: unknown;
};

/**
 * The base of the errors of calls, of deliveries and of wrong options.
 *
 * `instanceof` works across the ESM and CommonJS builds.
 */
export class PaymentsError extends Error {
  /** A short machine-readable code: the service's code if it sent one; `undefined` if there is none. */
  readonly code: ErrorCode | undefined;
  /**
   * Whether this call may have moved money. Reads move none, so for them it is always `not_executed`. `not_executed` says
   * nothing about an earlier call with the same `operationId`. The SDK assumes that most 4xx mean `not_executed` (*inferred*).
   */
  readonly outcome: Outcome;
  /**
   * Whether you can repeat the same call: it may succeed later, and it cannot act twice.
   *
   * True after a timeout, a broken connection, an abort, 408, 429, 5xx, a key in progress or a response that proves nothing,
   * if the call is a read, a DELETE, a POST with an idempotency key, or was not executed.
   */
  readonly retryable: boolean;
  /**
   * How many seconds to wait before you repeat the call: the `Retry-After` header of the failed response, or the time until
   * another process is done. `undefined` if nothing says so, or the error is not retryable.
   */
  readonly retryAfter: number | undefined;
  /**
   * The request id of the failed response, or `undefined` if it had none, or one that may be a card number (*inferred*: the
   * header `request-id` or `x-request-id`).
   */
  readonly requestId: string | undefined;
  /** The id of the failed call, as in hooks and log lines; `undefined` if the error belongs to no single call. */
  readonly callId: string | undefined;

  /** @internal */
  static readonly brand: symbol = /* @__PURE__ */ defineErrorClass(this, 'PaymentsError');
  /** @internal */
  declare readonly [defaultsKey]?: object;

  /** Creates an error, for example in a test or a derived class. Default: `not_executed`, and not retryable. */
  constructor(message: string, fields: ErrorFields<PaymentsError> = {}) {
    const { cause } = fields;
    super(message, cause === undefined ? undefined : { cause });
    const { code, outcome, retryable, retryAfter, requestId, callId } = withDefaults(this, fields);
    this.code = code;
    this.outcome = outcome ?? 'not_executed';
    this.retryable = retryable ?? false;
    this.retryAfter = this.retryable ? retryAfter : undefined;
    this.requestId = requestId;
    this.callId = callId;
  }

  /** Returns what `JSON.stringify` shows: never a body, a header or a cause, since these can contain secrets. */
  toJSON(): Record<string, unknown> {
    const { name, message } = this;
    return { name, message, ...Object.fromEntries(Object.entries(this)) };
  }
}

export type { Issue };

/** Redacts issues: a field's name may come from outside, and may be a card number. */
function cleanIssues(issues: readonly Issue[]): readonly Issue[] {
  return redactIssues(issues);
}

/** A longer expectation, such as a list of all options, is not repeated. */
const maxRepeatedLength = 60;

/** `path: expected …, got …` for each issue, in one line. */
export function enumerateIssues(issues: readonly Issue[]): string {
  return issues
    .map((issue, index) => {
      const isRepeated =
        issue.expected.length > maxRepeatedLength && issue.expected === issues[index - 1]?.expected;
      return formatIssue(isRepeated ? { ...issue, expected: 'the same as above' } : issue);
    })
    .join('; ');
}

/**
 * An option or an argument of anything but a call is missing or wrong, such as one of the client, of a store or of `formatAmount`.
 * Nothing was sent.
 */
export class ConfigurationError extends PaymentsError {
  /** Each wrong option. Default: none. */
  readonly issues: readonly Issue[];

  /** @internal */
  static override readonly brand: symbol = /* @__PURE__ */ defineErrorClass(this, 'ConfigurationError', {
    code: 'INVALID_CONFIGURATION',
  });

  /** Creates an error, for example in a test. */
  constructor(message: string, fields: ErrorFields<ConfigurationError> = {}) {
    super(message, fields);
    this.issues = fields.issues ?? [];
  }
}

/** A parameter or an option of a call was rejected before anything was sent. */
export class InvalidRequestError extends PaymentsError {
  /** Each invalid parameter, with its path. Default: none. */
  readonly issues: readonly Issue[];

  /** @internal */
  static override readonly brand: symbol = /* @__PURE__ */ defineErrorClass(this, 'InvalidRequestError', {
    code: 'INVALID_REQUEST',
  });

  /** Creates an error, for example in a test. */
  constructor(message: string, fields: ErrorFields<InvalidRequestError> = {}) {
    super(message, fields);
    this.issues = fields.issues ?? [];
  }
}

/** Returns the error for wrong options. `advice` says what to do. */
export function configurationError(issues: readonly Issue[], advice: string): ConfigurationError {
  const shown = cleanIssues(issues);
  return new ConfigurationError(`${enumerateIssues(shown)}. ${advice}`, { issues: shown });
}

/** Returns the error for wrong parameters of a call. `advice` is empty for a function that sends nothing itself. */
export function invalidRequest(
  operation: string,
  issues: readonly Issue[],
  advice = 'Nothing was sent.',
): InvalidRequestError {
  const shown = cleanIssues(issues);
  const message = `${operation}: ${enumerateIssues(shown)}. ${advice}`.trimEnd();
  return new InvalidRequestError(message, { issues: shown });
}

/** @throws ConfigurationError always. */
export function refuse(issues: readonly Issue[], advice: string): never {
  throw configurationError(issues, advice);
}

/** @throws ConfigurationError always: one option or argument is not what was expected. */
export function refuseValue(path: string, expected: string, value: unknown, advice: string): never {
  return refuse([issueAt(path, expected, value)], advice);
}

/** @throws ConfigurationError unless there are no issues of the arguments of a function. */
export function refuseArguments(name: string, issues: readonly Issue[]): void {
  if (issues.length === 0) return;
  const within = issues.map((issue) => issueWithin(name, issue));
  refuse(within, `Correct the arguments of ${name}.`);
}
