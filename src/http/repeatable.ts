import type { HttpMethod } from './route.ts';

/** What decides whether a call may be repeated. */
export interface Repetition {
  readonly method: HttpMethod;
  /** The idempotency key that every attempt carries, or `undefined`. */
  readonly idempotencyKey: string | undefined;
}

/** Whether sending the same request again cannot act twice. */
export function isRepeatable({ method, idempotencyKey }: Repetition): boolean {
  return method === 'GET' || method === 'DELETE' || (method === 'POST' && idempotencyKey !== undefined);
}
