import { describeValue } from '../base/describe.ts';
import { ConfigurationError, type Issue } from '../base/errors.ts';
import { Redactor } from '../base/redact.ts';
import { environmentVariable } from '../base/runtime.ts';
import { unknownNameIssues } from '../base/unknown-names.ts';
import { type BaseUrl, parseBaseUrl } from './base-url.ts';
import { type Bounds, boundsIssues, boundsOf } from './call-options.ts';
import { debugLogger } from './debug.ts';
import { headerIssues } from './headers.ts';
import { eventNames, logLevels } from './hooks.ts';
import { Observer } from './observer.ts';
import type { ConnectionOptions, Fetch, Validation } from './options.ts';
import { fetchTransport } from './transport/fetch.ts';
import type { Transport } from './transport/transport.ts';

/** Checked options. */
export interface Connection extends Bounds {
  readonly baseUrl: BaseUrl;
  readonly headers: Readonly<Record<string, string>>;
  /** What sends an attempt; asked before each one. */
  readonly transport: () => Transport;
  readonly validation: Validation;
  readonly redactor: Redactor;
  readonly observer: Observer;
}

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
 * @param transport What sends requests where the user gave no `fetch`.
 * @throws ConfigurationError that names every wrong option.
 */
export function resolveConnection(
  options: ConnectionOptions,
  ownOptions: { readonly names: readonly string[]; readonly issues: readonly Issue[] },
  transport: () => Transport,
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
    transport: options.fetch === undefined ? transport : useFetch(options.fetch),
    validation: options.validation ?? 'throw',
    redactor,
    observer: new Observer(options.hooks ?? {}, options.logger ?? debugLogger(), redactor),
  };
}

function useFetch(fetch: Fetch): () => Transport {
  const transport = fetchTransport(fetch);
  return () => transport;
}

function refusal(issues: readonly Issue[]): ConfigurationError {
  return new ConfigurationError(issues, 'Correct the options of the client.');
}
