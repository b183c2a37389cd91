import { configurationError, type Issue } from '../base/errors.ts';
import { type Logger, loggerSchema, logLevels } from '../base/logger.ts';
import { type FieldsOf, functionOf, optionsOf, unchecked } from '../base/options.ts';
import { Redactor } from '../base/redact.ts';
import { environmentVariable } from '../base/runtime.ts';
import * as s from '../base/schema.ts';
import { issuesOf } from '../base/validation.ts';
import { type BaseUrl, parseBaseUrl } from './base-url.ts';
import type { CallJournal } from './call-journal.ts';
import { type Bounds, boundsFields } from './call-options.ts';
import { headerIssues, secretsIn } from './headers.ts';
import type { Hooks } from './hooks.ts';
import { Observer } from './observer.ts';
import type { ConnectionOptions, Fetch, Validation } from './options.ts';
import type { ServiceForms } from './service-forms.ts';
import { customTransport } from './transport/fetch.ts';
import type { Transport } from './transport/transport.ts';

export interface ServiceKnowledge {
  readonly forms?: ServiceForms | undefined;
  readonly journal?: CallJournal | undefined;
}

export interface Connection extends Bounds {
  readonly baseUrl: BaseUrl;
  readonly headers: Readonly<Record<string, string>>;
  /** Returns the transport; called before each attempt. */
  readonly transport: () => Transport;
  readonly validation: Validation;
  readonly redactor: Redactor;
  readonly observer: Observer;
  readonly forms: ServiceForms;
  /** Records operations; `undefined` without a journal. */
  readonly journal: CallJournal | undefined;
}

const aFunction = <Call extends (...values: never[]) => unknown>() => s.optional(functionOf<Call>());

export const connectionFields = (): FieldsOf<ConnectionOptions> => ({
  ...boundsFields(),
  // `parseBaseUrl` and `headerIssues` check these two.
  baseUrl: unchecked(),
  headers: unchecked(),
  fetch: aFunction<Fetch>(),
  logger: loggerSchema,
  hooks: s.optional(
    optionsOf<Hooks>(
      () => ({
        start: aFunction(),
        request: aFunction(),
        response: aFunction(),
        retry: aFunction(),
        error: aFunction(),
        end: aFunction(),
      }),
      'an object of functions',
    ),
  ),
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
  transport: () => Transport,
  { forms = {}, journal }: ServiceKnowledge = {},
): Connection {
  const baseUrl = parseBaseUrl(
    options.baseUrl ?? environmentVariable('PAYMENTS_BASE_URL'),
    options.allowInsecure === true,
  );
  const issues = [...issuesOf(schema, options), ...headerIssues('headers', options.headers), ...more];
  const advice = 'Correct the options of the client.';
  if ('path' in baseUrl) throw configurationError([baseUrl, ...issues], advice);
  if (issues.length > 0) throw configurationError(issues, advice);
  const custom = options.fetch && customTransport(options.fetch);
  const headers = { ...options.headers };
  const redactor = new Redactor();
  for (const secret of secretsIn(headers)) redactor.keep(secret);
  return {
    timeout: options.timeout ?? 30_000,
    totalTimeout: options.totalTimeout ?? 120_000,
    maxRetries: options.maxRetries ?? 2,
    baseUrl,
    headers,
    transport: custom === undefined ? transport : () => custom,
    validation: options.validation ?? 'throw',
    redactor,
    forms,
    journal,
    observer: new Observer(options.hooks ?? {}, options.logger ?? debugLogger(), redactor),
  };
}
