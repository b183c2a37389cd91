import { configurationError, type Issue } from '../../base/errors.ts';
import { describeValue, lengthOf, missingOption } from '../../base/issue.ts';
import { type Logger, loggerSchema, logLevels } from '../../base/logger.ts';
import { Redactor, shownHeaders } from '../../base/redact.ts';
import { environmentVariable, isLoopbackHost } from '../../base/runtime/runtime.ts';
import { type FieldsOf, functionOf, integerFrom, optionsOf, unchecked } from '../../base/schema/options.ts';
import * as s from '../../base/schema/schema.ts';
import { issuesOf } from '../../base/schema/validation.ts';
import { day } from '../../base/time.ts';
import type { CallJournal } from '../past/call-journal.ts';
import { History } from '../past/history.ts';
import type { ExtraParameters } from '../request/extra-parameters.ts';
import { customTransport } from '../transport/fetch.ts';
import type { Transport } from '../transport/transport.ts';
import type { BeforeCall } from './before-call.ts';
import { CallsUnderWay } from './calls-under-way.ts';
import { type Hooks, Observer } from './hooks.ts';
import { type Bounds, boundsFields, type ConnectionOptions, type Fetch, type Validation } from './options.ts';
import { RetryBudget } from './retry-budget.ts';

interface ServiceKnowledge {
  readonly extraParameters?: ExtraParameters | undefined;
  readonly forms?: ServiceForms | undefined;
  readonly journal?: CallJournal | undefined;
  /** In ms. Default: a day. */
  readonly keyLifetime?: number | undefined;
  readonly operationScope?: string | undefined;
  readonly repeats?: 'present' | 'recorded' | undefined;
}

export interface Connection extends Bounds {
  readonly baseUrl: BaseUrl;
  readonly headers: Readonly<Record<string, string>>;
  readonly transport: Transport;
  /** What all calls of the client may spend on retries. */
  readonly retryBudget: RetryBudget;
  readonly validation: Validation;
  readonly redactor: Redactor;
  readonly observer: Observer;
  /** Asked before each call is recorded or sent; `undefined` if every call passes. */
  readonly beforeCall: BeforeCall | undefined;
  readonly forms: ServiceForms;
  /** The parameters that the user says exist. */
  readonly extraParameters: ExtraParameters;
  /** Records operations; `undefined` without a journal. */
  readonly journal: CallJournal | undefined;
  /** What keys are derived from, beside the operation and its id. */
  readonly operationScope: string | undefined;
  /** Whether a repeated call returns the object as it is now, or as it was recorded. */
  readonly repeats: 'present' | 'recorded';
  /** Knows the operations of this process. */
  readonly history: History;
  readonly underWay: CallsUnderWay;
}

const aFunction = <Call extends (...values: never[]) => unknown>() => s.optional(functionOf<Call>());

export const connectionFields = (): FieldsOf<ConnectionOptions> => ({
  ...boundsFields(),
  // `parseBaseUrl` and `headerIssues` check these two.
  baseUrl: unchecked(),
  headers: unchecked(),
  retryBudget: s.optional(integerFrom(0, 1_000_000)),
  maxConcurrency: s.optional(integerFrom(1, 1_000_000)),
  fetch: aFunction<Fetch>(),
  logger: loggerSchema,
  hooks: s.optional(
    optionsOf<Hooks>(
      () => ({
        start: aFunction(),
        request: aFunction(),
        response: aFunction(),
        retry: aFunction(),
        shed: aFunction(),
        error: aFunction(),
        end: aFunction(),
      }),
      'an object of functions',
    ),
  ),
  beforeCall: aFunction<BeforeCall>(),
  allowInsecure: s.optional(s.boolean()),
  dangerouslyAllowBrowser: s.optional(s.boolean()),
  validation: s.optional(s.literal(['throw', 'warn', 'off'], "'throw', 'warn' or 'off'")),
});

/**
 * Returns a logger that writes to the console, from the level in the environment variable `PAYMENTS_DEBUG` on: `debug` or `1`, `info`,
 * `warn` or `error`. Ignores any other value, since a debugging aid must not stop a shop.
 */
function debugLogger(): Logger | undefined {
  const level = environmentVariable('PAYMENTS_DEBUG');
  const names: readonly string[] = logLevels;
  const from = level === '1' ? 0 : names.indexOf(level ?? '');
  if (from === -1) return undefined;
  return Object.fromEntries(
    // oxlint-disable-next-line no-console -- the user asked for the console
    logLevels.slice(from).map((name) => [name, (...line: unknown[]) => console[name](...line)]),
  );
}

/**
 * Checks the options of a client, and fills gaps from the environment.
 *
 * @param schema The schema of this client's options.
 * @param more Issues that the caller found already.
 * @param transport Sends requests if the user gave no `fetch`.
 * @param knowledge Known forms of the service, and the journal.
 * @throws ConfigurationError that names every wrong option.
 */
export function resolveConnection<Options extends ConnectionOptions>(
  options: Options,
  schema: s.Schema<Options>,
  more: readonly Issue[],
  transport: Transport,
  {
    forms = {},
    extraParameters = new Map(),
    journal,
    keyLifetime = day,
    operationScope,
    repeats = 'present',
  }: ServiceKnowledge = {},
): Connection {
  const baseUrl = parseBaseUrl(
    options.baseUrl ?? environmentVariable('PAYMENTS_BASE_URL'),
    options.allowInsecure === true,
  );
  const issues = [...issuesOf(schema, options), ...headerIssues('headers', options.headers), ...more];
  const advice = 'Correct the options of the client.';
  if ('path' in baseUrl) throw configurationError([baseUrl, ...issues], advice);
  if (issues.length > 0) throw configurationError(issues, advice);
  const headers = { ...options.headers };
  const redactor = new Redactor();
  for (const secret of secretsIn(headers)) redactor.keep(secret);
  const observer = new Observer(options.hooks ?? {}, options.logger ?? debugLogger(), redactor);
  return {
    timeout: options.timeout ?? 30_000,
    totalTimeout: options.totalTimeout ?? 120_000,
    maxRetries: options.maxRetries ?? 2,
    retryBudget: new RetryBudget(options.retryBudget ?? 100),
    baseUrl,
    headers,
    transport: options.fetch === undefined ? transport : customTransport(options.fetch),
    validation: options.validation ?? 'throw',
    redactor,
    beforeCall: options.beforeCall,
    forms,
    extraParameters,
    journal,
    operationScope,
    repeats,
    history: new History(keyLifetime, baseUrl.origin + baseUrl.prefix, journal?.account),
    underWay: new CallsUnderWay(options.maxConcurrency ?? 1_000, observer),
    observer,
  };
}

/**
 * Where a response contains its object: `whole` is the whole body, `data` is the field `data`, and `type` is a field with
 * the name of the object's type.
 */
export type ObjectPlace = 'whole' | 'data' | 'type';

/**
 * The format of an error body:
 *
 * - `nested`: `{ error: { code, message } }`;
 * - `flat`: `{ code, message }`;
 * - `list`: the first item of a list `errors`;
 * - `problem`: problem details (RFC 9457);
 * - `text`: `CODE: message` as text;
 * - `html`: `CODE: message` as the title of a page.
 */
export type ErrorShape = 'nested' | 'flat' | 'list' | 'problem' | 'text' | 'html';

/** The formats of the JSON API that the interface does not show. The SDK detects an omitted one in each response. */
export interface ServiceForms {
  /** The field of a page that contains its items. */
  readonly itemsField?: string | undefined;
  /** Where a response contains its object. An object elsewhere is found too. */
  readonly objectPlace?: ObjectPlace | undefined;
  /** The format of an error body. */
  readonly errorShape?: ErrorShape | undefined;
  /** The name of the response header with the request id, in upper or lower case. */
  readonly requestIdHeader?: string | undefined;
  /** The greatest `limit` of a list that is paged by cursor. */
  readonly maxLimit?: number | undefined;
}

/** Where the service is: `https://host[:port]`, and the path before `/v1` where there is one. */
interface BaseUrl {
  readonly origin: string;
  /** Without a slash at its end; empty where the service is at the root. */
  readonly prefix: string;
}

const ownPath = /\/(?:v1|api\/transact\.php)\/*$/;

/** Returns what was expected in place of a URL that others could read or that holds a password; `undefined` for any other. */
export function safeUrl(url: URL, allowInsecure: boolean): string | undefined {
  const isInsecure = url.protocol === 'http:' && (allowInsecure || isLoopbackHost(url.hostname));
  if (url.protocol !== 'https:' && !isInsecure) {
    return 'an https URL (http is for loopback hosts, or with allowInsecure: true)';
  }
  if (url.username !== '' || url.password !== '') return 'a URL without a user name or password';
  return undefined;
}

/** Returns what was expected in place of a URL; `undefined` if it can be the base URL. */
function expectation(url: URL, allowInsecure: boolean): string | undefined {
  const expected = safeUrl(url, allowInsecure);
  if (expected !== undefined) return expected;
  if (url.search !== '' || url.hash !== '') return 'a URL without a query or fragment';
  if (ownPath.test(url.pathname)) return 'a URL without /v1 or /api/transact.php, which the SDK adds itself';
  return undefined;
}

/** Parses the base URL, or returns an issue. The issue repeats nothing that may be a secret. */
export function parseBaseUrl(value: unknown, allowInsecure: boolean): BaseUrl | Issue {
  const path = 'baseUrl';
  if (value === undefined) return missingOption(path, 'the URL of the service', 'PAYMENTS_BASE_URL');
  const isBare = typeof value === 'string' && value !== '' && !value.includes('://');
  // A host with a port looks like a scheme.
  if (isBare || typeof value !== 'string' || !URL.canParse(value)) {
    const expected = 'an absolute URL such as https://payments.example.com';
    return { path, expected, received: isBare ? 'text without https://' : describeValue(value, path, true) };
  }
  const url = new URL(value);
  const expected = expectation(url, allowInsecure);
  if (expected === undefined) {
    return { origin: url.origin, prefix: url.pathname.replace(/(?<!\/)\/+$/, '') };
  }
  const isScheme = /^https?:$/.test(url.protocol);
  return { path, expected, received: isScheme ? url.origin : 'another scheme' };
}

const framed = 'no header: the runtime frames the request';

/** Headers that the SDK sets itself, and what to use instead. */
const reserved = /* @__PURE__ */ new Map([
  ['authorization', 'the secretKey option'],
  ['idempotency-key', 'operationId or idempotencyKey in the request options'],
  ['content-type', 'no header: the SDK encodes the body'],
  ['content-length', 'no header: the runtime counts the body'],
  ['host', 'the baseUrl option'],
  ['transfer-encoding', framed],
  ['trailer', framed],
  ['expect', framed],
  ['upgrade', framed],
]);

const namePattern = /^[\w!#$%&'*+.^`|~-]+$/;
/** Allowed characters of a value. `Headers` also accepts other control characters, and drops line breaks at the ends. */
const valuePattern = /^[\t -~\x80-\xff]*$/;

function headerIssue(path: string, name: string, value: unknown): Issue | undefined {
  const instead = reserved.get(name.toLowerCase());
  if (instead !== undefined)
    return { path, expected: instead, received: 'a header that the SDK sets itself' };
  if (typeof value !== 'string')
    return { path, expected: 'a string', received: describeValue(value, path, true) };
  if (namePattern.test(name) && valuePattern.test(value)) return undefined;
  const received = `a name or value that HTTP does not allow (${lengthOf(value)})`;
  return { path, expected: 'a header name and a value without line breaks', received };
}

/** Returns the issues of a user's headers. Never repeats their values. */
export function headerIssues(path: string, headers: unknown): readonly Issue[] {
  if (headers === undefined) return [];
  if (typeof headers !== 'object' || headers === null) {
    const received = describeValue(headers, path, true);
    return [{ path, expected: 'an object of header names to strings', received }];
  }
  return Object.entries(headers).flatMap(
    ([name, value]) => headerIssue(`${path}['${name}']`, name, value) ?? [],
  );
}

/** Returns header values that may be keys. The credential is redacted on its own, without its scheme. */
export function secretsIn(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    return shownHeaders.has(lower) || lower === 'authorization' ? [] : [value];
  });
}
