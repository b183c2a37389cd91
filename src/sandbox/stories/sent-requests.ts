import type { RecordedRequest } from './entry.ts';
import type { Facts } from './facts.ts';
import { isOwnKind } from './links.ts';

/** A request of the app that was to change something, with its repetitions, which have the same idempotency key. */
export interface SentRequest {
  readonly attempts: readonly [RecordedRequest, ...RecordedRequest[]];
  /** Whether the service did it: it changed an object of the order. */
  readonly isExecuted: boolean;
  /** Whether the app got an answer that says what happened. */
  readonly isKnown: boolean;
}

/** Whether the app learned from a reply what became of its request. */
function isAnswer({ arrived, reply }: RecordedRequest): boolean {
  // A 409 says that another attempt is under way.
  return arrived && reply !== null && reply.status < 500 && reply.status !== 409 && reply.status !== 429;
}

/** The requests of the app that were to change something, the repetitions of each together. */
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
