import { authenticate } from '../api/request/authenticate.ts';
import { isOwnOrigin } from '../api/server/guard.ts';
import { Problem } from '../domain/problem.ts';

/**
 * Checks the `Origin`. Programs send none; a page must be the sandbox's own, also where an app answers with
 * `sandbox.fetch`.
 */
function checkOrigin(request: Request): void {
  const origin = request.headers.get('origin');
  if (origin === null || isOwnOrigin(request, origin)) return;
  throw new Problem(
    403,
    'ORIGIN_NOT_ALLOWED',
    `Expected no Origin header or the sandbox's own, got '${origin}'. Call it from a program, not from a page.`,
  );
}

/**
 * Checks that the caller knows one of the keys.
 *
 * @throws Problem 403 for a foreign origin, 401 without the key.
 */
export function checkAccess(request: Request, keys: readonly string[]): void {
  checkOrigin(request);
  authenticate(request.headers.get('authorization') ?? undefined, keys);
}
