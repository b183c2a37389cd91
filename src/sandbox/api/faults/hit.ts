import type { Inline } from '../../../base/inline.ts';
import { loggedKey, loggedPath } from '../log-text.ts';
import type { Operation } from '../operation.ts';
import type { RequestFault } from './fault.ts';

/** The properties of a request that faults match. */
export type ArrivedRequest = Inline<{
  /** The `x-request-id` of the response. */
  readonly requestId: string;
  /** The SDK method that sends such a request; `undefined` for an unknown path. */
  readonly operation: Operation | undefined;
  /** The HTTP method. */
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
  /** The idempotency key, if any. */
  readonly idempotencyKey: string | undefined;
}>;

/** A request that a fault hit. */
export type FaultHit = Inline<
  ArrivedRequest & {
    /** The fault as it was injected. */
    readonly fault: RequestFault;
    /** When it hit: on arrival, right before execution, or before the response was sent. */
    readonly phase: 'arrival' | 'work' | 'departure';
    /** The status of the original response at `departure`; otherwise `undefined`. */
    readonly status: number | undefined;
  }
>;

const capacity = 1_000;

/** The latest hits, in order. */
export class HitHistory {
  readonly #hits: FaultHit[] = [];

  /** Adds a hit, and drops the oldest beyond the capacity. */
  add(hit: FaultHit): void {
    const { path, idempotencyKey: key } = hit;
    this.#hits.push(Object.freeze({ ...hit, path: loggedPath(path), idempotencyKey: loggedKey(key) }));
    if (this.#hits.length > capacity) this.#hits.shift();
  }

  /** Returns the hits, newest last. */
  entries(): readonly FaultHit[] {
    return [...this.#hits];
  }
}
