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
 * What is known of the business operation that the call's `operationId` or `idempotencyKey` names, over all its calls; without either, of
 * this call:
 * - `not_executed`: it took no effect. After a 4xx it is *inferred*: the interface does not show which rejections guarantee it;
 * - `executed`: it took effect, in this call or an earlier one, but this call has no result that can be used;
 * - `unknown`: it may have taken effect, in this call or an earlier one. Call again with the same `operationId` to get the result, or look
 *   it up;
 * - `not_an_operation`: the error belongs to no operation, so it says nothing about any: a read failed, or a webhook, an option or an
 *   argument was refused.
 *
 * Without a journal, no process knows of the calls of another one: after a restart, `not_executed` speaks of this process alone.
 */
export type Outcome = 'not_executed' | 'executed' | 'unknown' | 'not_an_operation';

const defaultsKey = Symbol('payments-client defaults');

interface ErrorClass<Fields> {
  new (message: string, fields?: Fields): object;
  readonly prototype: object;
}

/** The classes of this copy of the package, by name, as far as they are loaded. */
const classes = /* @__PURE__ */ new Map<string, unknown>();

/** Whether a class makes errors from a message and fields: those of {@link classes} do. */
function makesErrors(
  type: unknown,
): type is new (
  message: string,
  fields: Readonly<Record<string, unknown>>,
) => PaymentsError {
  return typeof type === 'function' && type.prototype instanceof Error;
}

/**
 * Names an error class, sets the fields that its constructor fills in, and returns its brand. The name survives a minifier, which renames the
 * class itself.
 */
export function defineErrorClass<Fields>(type: ErrorClass<Fields>, name: string, defaults?: Fields): symbol {
  // `util.inspect` prints the name of the class, `stack` the name of the instance.
  Object.defineProperty(type, 'name', { value: name, configurable: true });
  classes.set(name, type);
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
  | 'TOO_MANY_CALLS'
  | 'ECONNREFUSED'
  | 'ECONNRESET'
  | 'CALL_REFUSED'
  | 'CLIENT_CLOSED'
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
  | 'STORE_FAILED_OVER'
  | 'STORE_FULL'
  | 'STORE_NOT_REPLICATED'
  | 'STORE_READ_ONLY'
  | 'STORE_REFERENCE_TAKEN'
  | 'STORE_TIMEOUT'
  | 'WEBHOOK_DRAINING'
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
   * Whether money may have moved for the business operation that the `operationId` names, in this call or in an earlier one of this
   * process; with a journal, of any process. Without a journal nobody can know of an earlier process. It is `not_an_operation` for a read.
   * The SDK assumes that most 4xx mean `not_executed` (*inferred*).
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

  /** Creates an error, for example in a test or a derived class. Default: `not_an_operation`, and not retryable. */
  constructor(message: string, fields: ErrorFields<PaymentsError> = {}) {
    const { cause } = fields;
    super(message, cause === undefined ? undefined : { cause });
    const { code, outcome, retryable, retryAfter, requestId, callId } = withDefaults(this, fields);
    this.code = code;
    this.outcome = outcome ?? 'not_an_operation';
    this.retryable = retryable ?? false;
    this.retryAfter = this.retryable ? retryAfter : undefined;
    this.requestId = requestId;
    this.callId = callId;
  }

  /**
   * Returns the error as data, as `JSON.stringify` shows it: never a body, a header or a cause, since these can contain secrets.
   * `paymentsError` is the version of its form. `PaymentsError.from` makes an error of it again, in any process. To send an error through
   * `structuredClone`, which drops the fields of errors, write `structuredClone(error.toJSON())`.
   */
  toJSON(): Record<string, unknown> {
    const { name, message } = this;
    return { paymentsError: formVersion, name, message, ...Object.fromEntries(Object.entries(this)) };
  }

  /**
   * Makes an error of what `toJSON` returned, also after it went through JSON, or became the fields of another `Error`, as in a durable
   * engine: it has the class and the fields, but no body, no headers and no cause. Returns an error of the package as it is, and `undefined`
   * for any other value.
   *
   * @example
   * const error = PaymentsError.from(JSON.parse(body));
   * if (isDecline(error)) askForAnotherCard();
   */
  static from(value: unknown): PaymentsError | undefined {
    if (value instanceof PaymentsError) return value;
    const form: Readonly<Record<string, unknown>> = Object(value);
    const { paymentsError, name, message } = form;
    if (paymentsError !== formVersion || typeof name !== 'string' || typeof message !== 'string')
      return undefined;
    const known = classes.get(name);
    const type = makesErrors(known) ? known : PaymentsError;
    // What is not understood proves nothing.
    const error = new type(message, { outcome: 'unknown', ...fieldsIn(form) });
    // One of a part of the package that is not loaded here, or of your own.
    if (error.name !== name) Object.defineProperty(error, 'name', { value: name, configurable: true });
    return error;
  }
}

/** The version of the form of an error as data. */
const formVersion = 1;

const isText = (value: unknown) => typeof value === 'string';
const isNumber = (value: unknown) => typeof value === 'number';
const isBoolean = (value: unknown) => typeof value === 'boolean';
const outcomes = ['not_executed', 'executed', 'unknown', 'not_an_operation'];
const isOfTexts = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.values(value).every(isText);

/** The fields of errors as data, and whether a value is one. */
const fieldForms: Readonly<Record<string, (value: unknown) => boolean>> = {
  code: isText,
  outcome: (value) => isText(value) && outcomes.includes(String(value)),
  retryable: isBoolean,
  retryAfter: (value) => isNumber(value) && Number(value) >= 0 && Number.isFinite(value),
  requestId: isText,
  callId: isText,
  attempts: isNumber,
  idempotencyKey: isText,
  idempotentReplayed: isBoolean,
  status: isNumber,
  declineCode: isText,
  declineReason: isText,
  errored: isBoolean,
  reason: isText,
  issues: (value) => Array.isArray(value) && value.every(isOfTexts),
  differences: (value) => Array.isArray(value) && value.every(isText),
  lookUp: isOfTexts,
  startedAt: (value) =>
    (isText(value) || value instanceof Date) && !Number.isNaN(new Date(String(value)).getTime()),
};

/** Returns the fields of an error as data, without values of another form: the data may come from anywhere. */
function fieldsIn(form: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const fields = Object.entries(fieldForms).filter(([name, isField]) => isField(form[name]));
  return Object.fromEntries(fields.map(([name]) => [name, form[name]]));
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

/** A parameter or an option of a call was rejected before this call sent anything. */
export class InvalidRequestError extends PaymentsError {
  /** Each invalid parameter, with its path. Default: none. */
  readonly issues: readonly Issue[];

  /** @internal */
  static override readonly brand: symbol = /* @__PURE__ */ defineErrorClass(this, 'InvalidRequestError', {
    code: 'INVALID_REQUEST',
    outcome: 'not_executed',
  });

  /** Creates an error, for example in a test. Default: `not_executed`, without issues. */
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

/**
 * Returns the error for wrong parameters of a call. Only the call knows its operation, so until then it belongs to none.
 *
 * @param advice Empty for a function that sends nothing itself.
 */
export function invalidRequest(
  operation: string,
  issues: readonly Issue[],
  advice = 'Nothing was sent.',
): InvalidRequestError {
  const shown = cleanIssues(issues);
  const message = `${operation}: ${enumerateIssues(shown)}. ${advice}`.trimEnd();
  return new InvalidRequestError(message, { issues: shown, outcome: 'not_an_operation' });
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
