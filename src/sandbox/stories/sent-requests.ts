import type { RecordedRequest } from './entry.ts';
import type { Facts } from './facts.ts';
import { isOwnKind } from './links.ts';

/** A write request of the app with its retries, which have the same idempotency key. */
export interface SentRequest {
  readonly attempts: readonly [RecordedRequest, ...RecordedRequest[]];
  /** Whether the service executed it: it changed an object of the order. */
  readonly isExecuted: boolean;
  /** Whether the app received a response that states the result. */
  readonly isKnown: boolean;
}

/** Whether the app received a response that states the result. */
function isAnswer({ arrived, reply }: RecordedRequest): boolean {
  // A 409 means that another attempt is in progress.
  return arrived && reply !== null && reply.status < 500 && reply.status !== 409 && reply.status !== 429;
}

/** Returns the write requests of the app, each with its retries. */
export function sentRequests({
  requests,
  changes,
}: Pick<Facts, 'requests' | 'changes'>): readonly SentRequest[] {
  const changers = new Set(changes.filter(({ object }) => isOwnKind(object.kind)).map(({ cause }) => cause));
  const byKey = new Map<string, [RecordedRequest, ...RecordedRequest[]]>();
  for (const request of requests) {
    if (request.source !== 'app' || request.method === 'GET') continue;
    const key = request.idempotencyKey ?? String(request.number);
    const earlier = byKey.get(key);
    if (earlier === undefined) byKey.set(key, [request]);
    else earlier.push(request);
  }
  return [...byKey.values()].map((attempts) => ({
    attempts,
    isExecuted: attempts.some(({ number }) => changers.has(number)),
    isKnown: attempts.some(isAnswer),
  }));
}
