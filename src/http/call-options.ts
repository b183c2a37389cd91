import { describeValue } from '../base/describe.ts';
import { InvalidRequestError, type Issue } from '../base/errors.ts';
import { integerIssues, maxTimer } from '../base/integer.ts';
import { unknownNameIssues } from '../base/unknown-names.ts';
import { headerIssues } from './headers.ts';
import type { KeyOptions } from './idempotency.ts';
import type { RequestOptions } from './options.ts';

/** The options that any call may have. */
export type CallOptions = RequestOptions & KeyOptions;

/** How long a call may take, and how often it may be tried. */
export interface Bounds {
  /** Bound on one attempt, in ms. */
  readonly timeout: number;
  /** Bound on the whole call, in ms. */
  readonly totalTimeout: number;
  readonly maxRetries: number;
}

const defaults: Bounds = { timeout: 30_000, totalTimeout: 120_000, maxRetries: 2 };

/** What is wrong with the options that bound a call. */
export function boundsIssues(prefix: string, options: RequestOptions): readonly Issue[] {
  const { timeout, totalTimeout, maxRetries } = options;
  if (timeout === undefined && totalTimeout === undefined && maxRetries === undefined) return [];
  return [
    ...integerIssues(`${prefix}timeout`, timeout, 1, maxTimer),
    ...integerIssues(`${prefix}totalTimeout`, totalTimeout, 1, maxTimer),
    ...integerIssues(`${prefix}maxRetries`, maxRetries, 0, 100),
  ];
}

/** The bounds of one call: its own options first, then the client's. */
export function boundsOf(options: RequestOptions, fallback: Bounds = defaults): Bounds {
  return {
    timeout: options.timeout ?? fallback.timeout,
    totalTimeout: options.totalTimeout ?? fallback.totalTimeout,
    maxRetries: options.maxRetries ?? fallback.maxRetries,
  };
}

/** The options that every call takes. */
const optionNames = [
  'operationId',
  'idempotencyKey',
  'signal',
  'timeout',
  'totalTimeout',
  'maxRetries',
  'headers',
  'checkIds',
] as const satisfies (keyof CallOptions)[];

/**
 * The options of a call, checked.
 *
 * @param own The names of the options that only this kind of call takes.
 * @throws InvalidRequestError that names each wrong one.
 */
export function checkCallOptions(
  operation: string,
  options: CallOptions | undefined,
  own: readonly string[],
): CallOptions {
  if (options === undefined) return {};
  if (typeof options !== 'object' || options === null) {
    const issue = {
      path: 'options',
      expected: 'an object',
      received: describeValue(options, 'options', true),
    };
    throw new InvalidRequestError(operation, [issue]);
  }
  const issues = [
    ...unknownNameIssues('options.', options, [...optionNames, ...own]),
    ...boundsIssues('options.', options),
    ...headerIssues('options.headers', options.headers),
  ];
  if (options.checkIds !== undefined && typeof options.checkIds !== 'boolean') {
    issues.push({
      path: 'options.checkIds',
      expected: 'true or false',
      received: describeValue(options.checkIds, ''),
    });
  }
  if (options.signal !== undefined && !isAbortSignal(options.signal)) {
    issues.push({
      path: 'options.signal',
      expected: 'an AbortSignal',
      received: describeValue(options.signal, ''),
    });
  }
  if (issues.length > 0) throw new InvalidRequestError(operation, issues);
  return options;
}

/** By its shape and not its class, since test runners and polyfills bring classes of their own. */
function isAbortSignal(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('aborted' in value)) return false;
  return 'addEventListener' in value && typeof value.addEventListener === 'function';
}
