import { Problem } from '../../domain/problem.ts';

const statuses = {
  IDEMPOTENCY_KEY_TOO_LONG: 400,
  IDEMPOTENCY_KEY_IN_PROGRESS: 409,
  IDEMPOTENCY_BODY_MISMATCH: 422,
  IDEMPOTENCY_ROUTE_CONFLICT: 422,
  IDEMPOTENCY_STORE_UNAVAILABLE: 503,
} as const;

/** The code of an idempotency error. */
export type IdempotencyCode = keyof typeof statuses;

/** All codes. */
export const idempotencyCodes: readonly string[] = Object.keys(statuses);

/** Returns the error of a fault. */
export function scriptedIdempotencyError(code: IdempotencyCode): Problem {
  return new Problem(statuses[code], code, 'An injected fault returned this error.');
}
