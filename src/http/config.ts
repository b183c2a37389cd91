import { describeValue } from '../base/describe.ts';
import { ConfigurationError, type Issue } from '../base/errors.ts';
import { integerIssues, maxTimer } from '../base/integer.ts';
import { Redactor } from '../base/redact.ts';
import { environmentVariable } from '../base/runtime.ts';
import { unknownNameIssues } from '../base/unknown-names.ts';
import { type BaseUrl, parseBaseUrl } from './base-url.ts';
import { debugLogger } from './debug.ts';
import { headerIssues } from './headers.ts';
import { eventNames, logLevels, Observer } from './observe.ts';
import type { ConnectionOptions, RequestOptions, Validation } from './options.ts';
import { fetchTransport } from './transport/fetch.ts';
import { runtimeTransport } from './transport/runtime.ts';
import type { Transport } from './transport/transport.ts';

/** How long a call may take, and how often it may be tried. */
export interface Bounds {
  /** Bound on one attempt, in ms. */
  readonly timeout: number;
  /** Bound on the whole call, in ms. */
  readonly totalTimeout: number;
  readonly maxRetries: number;
}

/** Checked options. */
export interface Connection extends Bounds {
  readonly baseUrl: BaseUrl;
  readonly headers: Readonly<Record<string, string>>;
  readonly transport: Transport;
  readonly validation: Validation;
  readonly redactor: Redactor;
  readonly observer: Observer;
}

const defaults: Bounds = { timeout: 30_000, totalTimeout: 120_000, maxRetries: 2 };

const connectionOptionNames = [
  'baseUrl',
  'timeout',
  'totalTimeout',
  'maxRetries',
  'headers',
  'fetch',
  'logger',
  'hooks',
  'allowInsecure',
  'validation',
] as const satisfies (keyof ConnectionOptions)[];

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

function typeIssue(path: string, value: unknown, expected: string, conforms: boolean): Issue[] {
  return value === undefined || conforms ? [] : [{ path, expected, received: describeValue(value, path) }];
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function functionIssues(path: string, holder: unknown, names: readonly string[]): Issue[] {
  if (!isObject(holder)) return [];
  return names.flatMap((name) => {
    const value: unknown = Reflect.get(Object(holder), name);
    return typeIssue(`${path}.${name}`, value, 'a function', typeof value === 'function');
  });
}

function connectionIssues(options: ConnectionOptions): Issue[] {
  const { fetch, logger, hooks, allowInsecure, validation } = options;
  return [
    ...boundsIssues('', options),
    ...headerIssues('headers', options.headers),
    ...typeIssue('fetch', fetch, 'a function', typeof fetch === 'function'),
    ...typeIssue('logger', logger, 'an object with functions such as console', isObject(logger)),
    ...functionIssues('logger', logger, logLevels),
    ...typeIssue('hooks', hooks, 'an object of functions', isObject(hooks)),
    ...(isObject(hooks) ? unknownNameIssues('hooks.', Object(hooks), eventNames) : []),
    ...functionIssues('hooks', hooks, eventNames),
    ...typeIssue('allowInsecure', allowInsecure, 'true or false', typeof allowInsecure === 'boolean'),
    ...typeIssue(
      'validation',
      validation,
      "'throw', 'warn' or 'off'",
      ['throw', 'warn', 'off'].includes(validation ?? ''),
    ),
  ];
}

/**
 * Checked options, from what the user gave and the environment.
 *
 * @param ownOptions names of the options that only this kind of client takes, and what is wrong with them.
 * @throws ConfigurationError that names every wrong option.
 */
export function resolveConnection(
  options: ConnectionOptions,
  ownOptions: { readonly names: readonly string[]; readonly issues: readonly Issue[] },
): Connection {
  const baseUrl = parseBaseUrl(
    options.baseUrl ?? environmentVariable('PAYMENTS_BASE_URL'),
    options.allowInsecure === true,
  );
  const issues = [
    ...unknownNameIssues('', options, [...connectionOptionNames, ...ownOptions.names]),
    ...connectionIssues(options),
    ...ownOptions.issues,
  ];
  if ('path' in baseUrl) throw refusal([baseUrl, ...issues]);
  if (issues.length > 0) throw refusal(issues);
  const redactor = new Redactor();
  return {
    ...boundsOf(options),
    baseUrl,
    headers: { ...options.headers },
    transport: options.fetch === undefined ? runtimeTransport : fetchTransport(options.fetch),
    validation: options.validation ?? 'throw',
    redactor,
    observer: new Observer(options.hooks ?? {}, options.logger ?? debugLogger(), redactor),
  };
}

function refusal(issues: readonly Issue[]): ConfigurationError {
  return new ConfigurationError(issues, 'Correct the options of the client.');
}
