import { invalidRequest } from '../base/errors.ts';
import { readThreeDSecure } from '../fraud/codes/three-d-secure.ts';
import { unauthenticatedCardholder } from './declined-error.ts';

/** The result of the browser's `authenticate`, passed on unchanged. */
export interface ThreeDSecureResult {
  /** Whether the cardholder was authenticated (*shown*). */
  readonly authenticated: boolean;
  /**
   * `Y` after a successful authentication (*shown*). `U` if it was not available, and `C` if the buyer did not finish the
   * challenge (both *inferred*).
   */
  readonly cardholder_auth?: string | null | undefined;
  /** The authentication's `cavv` (*shown*). */
  readonly cavv?: string | null | undefined;
  /** The authentication's `xid` (*shown*). */
  readonly xid?: string | null | undefined;
  /** The authentication's `eci` (*shown*). */
  readonly eci?: string | null | undefined;
}

/** Which results other than a success may be sent. */
export interface AuthenticationOptions {
  /**
   * Whether to send a transaction whose 3-D Secure authentication failed, or was not finished by the buyer. Default: false,
   * since the service treats it as a high risk of fraud.
   */
  readonly allowFailedAuthentication?: boolean | undefined;
  /**
   * Whether to send a transaction whose 3-D Secure authentication was not available: `cardholder_auth` is `U` (*inferred*).
   * Default: false.
   */
  readonly allowUnavailableAuthentication?: boolean | undefined;
}

const fieldNames = ['cardholder_auth', 'cavv', 'xid', 'eci'] as const;

function refuse(operation: string, path: string, expected: string, received: string): never {
  throw invalidRequest(operation, [{ path, expected, received }]);
}

/** @throws CardholderAuthenticationError unless the authentication succeeded, or an option allows its finding. */
function checkAuthentication(
  operation: string,
  // A `status` of its own would be believed here and not be sent.
  { authenticated, cardholder_auth }: ThreeDSecureResult,
  options: AuthenticationOptions,
): void {
  const finding = readThreeDSecure({ authenticated, cardholder_auth });
  if (finding === 'authenticated') return;
  const isAllowed = {
    failed: options.allowFailedAuthentication,
    unfinished: options.allowFailedAuthentication,
    unavailable: options.allowUnavailableAuthentication,
    contradictory: false,
  };
  if (isAllowed[finding] !== true) throw unauthenticatedCardholder(operation, finding);
}

function isResult(
  copy: Readonly<Record<string, unknown>>,
): copy is Record<string, unknown> & ThreeDSecureResult {
  return typeof copy['authenticated'] === 'boolean';
}

/** Copies the fields of a result, so that what was checked is what is sent. */
function copyOf(value: unknown): Record<string, unknown> {
  return Object.fromEntries(
    ['authenticated', ...fieldNames].map((name) => [name, Reflect.get(Object(value), name)]),
  );
}

/**
 * The fields that a result gives a transaction.
 *
 * @throws CardholderAuthenticationError unless the authentication succeeded, or an option allows its finding.
 * @throws InvalidRequestError for a value that is no result, and where the fields are given twice.
 */
export function threeDSecureFields(
  operation: string,
  { threeDSecure, ...params }: Record<string, unknown>,
  options: AuthenticationOptions,
): Record<string, unknown> {
  if (threeDSecure === undefined) return params;
  const result = copyOf(threeDSecure);
  if (!isResult(result)) {
    refuse(operation, 'threeDSecure', 'the result of the browser’s authenticate', 'something else');
  }
  const twice = fieldNames.find((name) => params[name] !== undefined);
  if (twice !== undefined) refuse(operation, twice, 'nothing beside threeDSecure', 'a value');
  checkAuthentication(operation, result, options);
  const given = fieldNames.map((name) => [name, result[name] ?? undefined] as const);
  return { ...params, ...Object.fromEntries(given) };
}
