import { loggedKey, loggedPath } from '../log-text.ts';
import type { Operation } from '../operation.ts';
import type { RequestFault } from './fault.ts';

/** A request as faults see it. */
export interface ArrivedRequest {
  /** The id that the reply has as `x-request-id`. */
  readonly requestId: string;
  /** What is asked for; `undefined` where the sandbox knows no such path. */
  readonly operation: Operation | undefined;
  /** The HTTP method. */
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
  /** The idempotency key, where one came. */
  readonly idempotencyKey: string | undefined;
}

/** A request that met a fault. */
export interface FaultHit extends ArrivedRequest {
  /** The fault as it was injected. */
  readonly fault: RequestFault;
  /** How far the request had come: it was just there, about to be done, or answered and on its way back. */
  readonly phase: 'arrival' | 'work' | 'departure';
  /** The status of the reply that was to be sent at `departure`; else `undefined`. */
  readonly status: number | undefined;
}

const capacity = 1_000;

/** The newest hits, in the order in which they happened. */
export class HitHistory {
  readonly #hits: FaultHit[] = [];

  /** Adds a hit, and forgets the oldest when there are too many. */
  add(hit: FaultHit): void {
    const { path, idempotencyKey: key } = hit;
    this.#hits.push(Object.freeze({ ...hit, path: loggedPath(path), idempotencyKey: loggedKey(key) }));
    if (this.#hits.length > capacity) this.#hits.shift();
  }

  /** The hits so far, newest last. */
  entries(): readonly FaultHit[] {
    return [...this.#hits];
  }
}
