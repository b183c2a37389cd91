import { loggedKey, loggedPath } from '../log-text.ts';
import type { Operation } from '../operation.ts';
import type { Fault } from './fault.ts';

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
  readonly fault: Fault;
  /** How far the request had come: it was just there, about to be done, or answered and on its way back. */
  readonly stage: 'arrival' | 'work' | 'departure';
  /** The status of the reply that was to be sent at `departure`; else `undefined`. */
  readonly status: number | undefined;
}

const capacity = 1_000;

/** The newest strikes, in the order in which they happened. */
export class History {
  readonly #strikes: FaultHit[] = [];

  /** Adds a strike, and forgets the oldest when there are too many. */
  add(strike: FaultHit): void {
    const { path, idempotencyKey: key } = strike;
    this.#strikes.push(Object.freeze({ ...strike, path: loggedPath(path), idempotencyKey: loggedKey(key) }));
    if (this.#strikes.length > capacity) this.#strikes.shift();
  }

  /** The strikes so far, newest last. */
  entries(): readonly FaultHit[] {
    return [...this.#strikes];
  }
}
