import { Problem } from '../../domain/problem.ts';

/**
 * Checks the bearer token of a request.
 *
 * @throws Problem 401 for a missing or wrong token.
 */
export function authenticate(authorization: string | undefined, keys: readonly string[]): void {
  const [, token] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  if (token === undefined) {
    throw new Problem(401, 'AUTHENTICATION_REQUIRED', "Expected 'Authorization: Bearer <secret key>'.");
  }
  if (!keys.includes(token))
    throw new Problem(
      401,
      'INVALID_SECRET_KEY',
      'There is no such secret key: each start of a sandbox makes a new one.',
    );
}
