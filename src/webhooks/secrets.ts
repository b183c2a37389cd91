import { refuse } from '../base/errors.ts';
import { isThenable } from '../base/functions.ts';
import { type Issue, issueAt, missingOption } from '../base/issue.ts';
import { isRecord } from '../base/json.ts';
import { type DeliveryHeaders, type ReadableHeaders, readable } from './headers.ts';
import type { SignatureScheme } from './signatures/scheme.ts';

/** The environment variable of the signing secret. */
export const secretVariable = 'PAYMENTS_WEBHOOK_SECRET';

/** Secrets by the scope of their endpoint. */
export type ScopedSecrets = Readonly<Record<string, string | readonly string[]>>;

/** The secrets of one delivery: one, several valid ones, or an object of them by endpoint scope. */
type DeliverySecrets = string | readonly string[] | ScopedSecrets;

/**
 * Returns the secrets of one delivery, for example those of the merchant in the URL. Called for each delivery before
 * verification. A forged delivery costs the same for any number of merchants, and a rotated secret takes effect immediately.
 *
 * @param headers The headers of the delivery, not yet verified.
 * @param url The path and query of the request, such as `/webhooks/acct_1`; `undefined` if `verify` or `handle` got none.
 * @returns `undefined` or an empty list if there are none: the delivery is refused with `no_match`.
 */
export type SecretLookup = (
  headers: ReadableHeaders,
  url: string | undefined,
) => DeliverySecrets | undefined | PromiseLike<DeliverySecrets | undefined>;

/** A secret and the scope of its endpoint; `undefined` if there are no scopes. */
export interface ScopedSecret {
  readonly secret: string;
  readonly scope: string | undefined;
}

interface Placed extends ScopedSecret {
  readonly path: string;
}

function listed(path: string, secrets: unknown, scope?: string): Placed[] {
  const list: readonly unknown[] = Array.isArray(secrets) ? secrets : [secrets];
  return list.map((secret, index) => ({
    path: Array.isArray(secrets) ? `${path}[${index}]` : path,
    // The check below refuses values that are not strings.
    secret: typeof secret === 'string' ? secret : '',
    scope,
  }));
}

function placed(secrets: unknown): Placed[] {
  if (Array.isArray(secrets)) return listed('secrets', secrets);
  if (!isRecord(secrets)) return [];
  return Object.entries(secrets).flatMap(([scope, own]) => listed(`secrets.${scope}`, own, scope));
}

function problemOf({ path, secret }: Placed, scheme: SignatureScheme): Issue[] {
  const received = secret === '' ? 'nothing, or a value that is not text' : scheme.checkSecret?.(secret);
  const expected = "the endpoint's signing secret, as the service shows it";
  return received === undefined ? [] : [{ path, expected, received }];
}

/** @throws ConfigurationError for secrets that the scheme refuses. The message contains none of them. */
function checked(
  found: readonly Placed[],
  scheme: SignatureScheme,
  others: readonly Issue[],
): readonly ScopedSecret[] {
  const issues = [...found.flatMap((one) => problemOf(one, scheme)), ...others];
  return issues.length === 0 ? found : refuse(issues, 'Without it no delivery can be verified.');
}

/**
 * Returns all secrets in the order in which they are tried.
 *
 * @throws ConfigurationError when there is no secret, or the scheme refuses one. The message contains none of them.
 */
export function collectSecrets(
  { secret, secrets }: { readonly secret?: unknown; readonly secrets?: unknown },
  scheme: SignatureScheme,
): readonly ScopedSecret[] {
  const found = secret === undefined ? placed(secrets) : listed('secret', secret);
  const issues: Issue[] = [];
  if (secret !== undefined && secrets !== undefined) {
    issues.push({ path: '(root)', expected: 'either secret or secrets', received: 'both' });
  } else if (found.length === 0) {
    issues.push(missingOption('secret', 'at least one signing secret', secretVariable));
  }
  return checked(found, scheme, issues);
}

/** Returns the secrets from the result of a lookup. */
function collectFound(found: unknown, scheme: SignatureScheme): readonly ScopedSecret[] {
  const secrets = typeof found === 'string' ? [found] : (found ?? []);
  const isWrong = typeof secrets !== 'object';
  const issues = isWrong ? [issueAt('secrets()', 'secrets of the delivery', found)] : [];
  return checked(placed(secrets), scheme, issues);
}

/**
 * Asks a lookup for the secrets of a delivery.
 *
 * @throws ConfigurationError for secrets that the scheme refuses. Errors of the lookup pass through unchanged.
 */
export function lookUpSecrets(
  lookup: SecretLookup,
  { headers, url }: { readonly headers: DeliveryHeaders; readonly url: string | undefined },
  scheme: SignatureScheme,
): readonly ScopedSecret[] | Promise<readonly ScopedSecret[]> {
  const found: unknown = lookup(readable(headers), url);
  if (!isThenable(found)) return collectFound(found, scheme);
  return Promise.resolve(found).then((later) => collectFound(later, scheme));
}
