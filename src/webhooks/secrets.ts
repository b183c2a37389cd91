import { ConfigurationError, type Issue } from '../base/errors.ts';
import type { SignatureScheme } from './signatures/scheme.ts';

/** Secrets by the scope of their endpoint. */
export type ScopedSecrets = Readonly<Record<string, string | readonly string[]>>;

/** A secret, and the scope whose endpoint it belongs to; `undefined` where there are no scopes. */
export interface ScopedSecret {
  readonly secret: string;
  readonly scope: string | undefined;
}

interface Placed extends ScopedSecret {
  readonly path: string;
}

function listed(path: string, secrets: unknown, scope: string | undefined): Placed[] {
  const list: readonly unknown[] = Array.isArray(secrets) ? secrets : [secrets];
  return list.map((secret, index) => ({
    path: Array.isArray(secrets) ? `${path}[${index}]` : path,
    // What is no string is told by the check below.
    secret: typeof secret === 'string' ? secret : '',
    scope,
  }));
}

function placed(secret: unknown, secrets: unknown): Placed[] {
  if (secret !== undefined) return listed('secret', secret, undefined);
  if (typeof secrets !== 'object' || secrets === null) return [];
  if (Array.isArray(secrets)) return listed('secrets', secrets, undefined);
  return Object.entries(secrets).flatMap(([scope, own]) => listed(`secrets.${scope}`, own, scope));
}

function problemOf({ path, secret }: Placed, scheme: SignatureScheme): Issue[] {
  const expected = "the endpoint's signing secret, as the service shows it";
  if (secret === '') return [{ path, expected, received: 'nothing, or no text' }];
  const problem = scheme.checkSecret?.(secret);
  return problem === undefined ? [] : [{ path, expected, received: problem }];
}

/**
 * All secrets, in the order in which they are tried.
 *
 * @throws ConfigurationError when there is none, or one cannot be a secret of the scheme. It repeats none of them.
 */
export function collectSecrets(
  options: { readonly secret?: unknown; readonly secrets?: unknown },
  scheme: SignatureScheme,
): readonly ScopedSecret[] {
  const { secret, secrets } = options;
  const found = placed(secret, secrets);
  const issues = found.flatMap((one) => problemOf(one, scheme));
  if (secret !== undefined && secrets !== undefined) {
    issues.push({ path: '(root)', expected: 'either secret or secrets', received: 'both' });
  } else if (found.length === 0) {
    issues.push({ path: 'secret', expected: 'at least one signing secret', received: 'none' });
  }
  if (issues.length > 0) throw new ConfigurationError(issues, 'No delivery can be verified without it.');
  return found.map(({ secret: text, scope }) => ({ secret: text, scope }));
}
