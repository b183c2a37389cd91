import { describeValue } from '../base/describe.ts';
import { invalidRequest } from '../base/errors.ts';
import { maxTimer } from '../base/integer.ts';
import { issueWithin } from '../base/issue.ts';
import { isRecord, type Snapshot, snapshot } from '../base/json.ts';
import { type FieldsOf, integerFrom, optionsOf, timeFrom, unchecked } from '../base/options.ts';
import * as s from '../base/schema.ts';
import { conforms, issuesOf } from '../base/validation.ts';
import type { WebAbortSignal } from '../base/web-types.ts';
import { headerIssues } from './headers.ts';
import type { KeyOptions } from './idempotency.ts';
import type { ListOptions, RequestOptions } from './options.ts';

/** The options that any call may have. */
export type CallOptions = RequestOptions & KeyOptions;

/** The limits of one call. */
export interface Bounds {
  /** Bound on one attempt, in ms. */
  readonly timeout: number;
  /** Bound on the whole call, in ms. */
  readonly totalTimeout: number;
  readonly maxRetries: number;
}

const defaults: Bounds = { timeout: 30_000, totalTimeout: 120_000, maxRetries: 2 };

/** Returns the bounds of one call: its own options first, then the client's. */
export function boundsOf(options: RequestOptions, fallback: Bounds = defaults): Bounds {
  return {
    timeout: options.timeout ?? fallback.timeout,
    totalTimeout: options.totalTimeout ?? fallback.totalTimeout,
    maxRetries: options.maxRetries ?? fallback.maxRetries,
  };
}

/** The schemas of the bounds. */
export const boundsFields = {
  timeout: s.optional(timeFrom(1, maxTimer)),
  totalTimeout: s.optional(timeFrom(1, maxTimer)),
  maxRetries: s.optional(integerFrom(0, 100)),
};

/** Compares shape, not class, since test runners and polyfills bring classes of their own. */
function isAbortSignal(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('aborted' in value)) return false;
  return ['addEventListener', 'removeEventListener'].every(
    (name) => typeof Reflect.get(value, name) === 'function',
  );
}

/** The schemas of the options that every call takes. */
export const requestOptionFields: FieldsOf<RequestOptions> = {
  ...boundsFields,
  signal: s.optional(s.custom<WebAbortSignal>(isAbortSignal, 'an AbortSignal')),
  headers: unchecked(),
  checkIds: s.optional(s.boolean()),
};

/** The options of a call of one object. */
export const callOptionsSchema = optionsOf<CallOptions>({
  ...requestOptionFields,
  // `chooseIdempotencyKey` checks these two.
  operationId: unchecked(),
  idempotencyKey: unchecked(),
});

/** The options of a list. */
export const listOptionsSchema = optionsOf<ListOptions>({
  ...requestOptionFields,
  prefetch: s.optional(s.boolean()),
});

/** Copies the options of a call when it begins: the caller may change them while it waits. */
export function copyOptions(options: RequestOptions | undefined): Snapshot {
  return snapshot(options, { uncopied: ['signal'] });
}

/**
 * Checks the options of a call.
 *
 * @throws InvalidRequestError that names each wrong option.
 */
export function checkCallOptions<Options extends RequestOptions>(
  operation: string,
  options: unknown = {},
  schema: s.Schema<Options>,
): Options {
  if (!isRecord(options)) {
    const received = describeValue(options, 'options', true);
    throw invalidRequest(operation, [{ path: 'options', expected: 'an object', received }]);
  }
  const { headers } = options;
  const ofHeaders = headers === undefined ? [] : headerIssues('options.headers', headers);
  if (ofHeaders.length === 0 && conforms(schema, options)) return options;
  const issues = issuesOf(schema, options).map((issue) => issueWithin('options', issue));
  throw invalidRequest(operation, [...issues, ...ofHeaders]);
}
