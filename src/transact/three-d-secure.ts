import { InvalidRequestError } from '../base/errors.ts';

/** The result of the browser's `authenticate`, passed on unchanged. */
export interface ThreeDSecureResult {
  /** Whether the cardholder was authenticated (*shown*). */
  readonly authenticated: boolean;
  /** `Y` after a successful authentication (*shown*). */
  readonly cardholder_auth?: string | null | undefined;
  /** The authentication's value (*shown*). */
  readonly cavv?: string | null | undefined;
  /** The authentication's id (*shown*). */
  readonly xid?: string | null | undefined;
  /** The authentication's level (*shown*). */
  readonly eci?: string | null | undefined;
}

const fieldNames = ['cardholder_auth', 'cavv', 'xid', 'eci'] as const;

function refuse(operation: string, path: string, expected: string, received: string): never {
  throw new InvalidRequestError(operation, [{ path, expected, received }]);
}

/**
 * The fields that a result gives a transaction. A failed authentication is refused unless the caller allows it, since
 * the service treats it as a high risk of fraud.
 *
 * @throws InvalidRequestError for a failed authentication that is not allowed, and where the fields are given twice.
 */
export function threeDSecureFields(
  operation: string,
  { threeDSecure: result, ...params }: Record<string, unknown>,
  allowFailedAuthentication: boolean,
): Record<string, unknown> {
  if (result === undefined) return params;
  if (
    typeof result !== 'object' ||
    result === null ||
    typeof Reflect.get(result, 'authenticated') !== 'boolean'
  ) {
    refuse(operation, 'threeDSecure', 'the result of the browser’s authenticate', 'something else');
  }
  if (Reflect.get(result, 'authenticated') !== true && !allowFailedAuthentication) {
    const expected = 'a successful authentication, or allowFailedAuthentication: true in the options';
    refuse(operation, 'threeDSecure.authenticated', expected, 'false, which is a high risk of fraud');
  }
  const twice = fieldNames.find((name) => params[name] !== undefined);
  if (twice !== undefined) refuse(operation, twice, 'nothing beside threeDSecure', 'a value');
  const given = fieldNames.map((name) => [name, Reflect.get(result, name) ?? undefined] as const);
  return { ...params, ...Object.fromEntries(given) };
}
