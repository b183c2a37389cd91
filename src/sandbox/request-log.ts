import type { Operation, PageOperation } from './operation.ts';

/** What arrived, and what became of it. It holds no body, no query and no key but the idempotency key. */
export interface LoggedRequest {
  /** What was asked for; `undefined` where the sandbox knows no such path. */
  readonly operation: Operation | PageOperation | undefined;
  /** The HTTP method. */
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
  /** The idempotency key, where one came. */
  readonly idempotencyKey: string | undefined;
  /** The status of the reply, a dropped one too; `undefined` where the request was dropped before it had any. */
  readonly status: number | undefined;
  /** Whether the reply was an earlier one, sent again. */
  readonly replayed: boolean;
  /** Whether the connection was dropped, so that the reply did not arrive. */
  readonly dropped: boolean;
}

const capacity = 1_000;

/** Is told of each request, and of how long it took, in milliseconds of real time. */
export type RequestWatcher = (request: LoggedRequest, duration: number) => void;

/** The newest requests, in the order in which they were answered. */
export class RequestLog {
  readonly #entries: LoggedRequest[] = [];
  /** Are told of each request. They must not throw. */
  readonly watchers = new Set<RequestWatcher>();

  /** Adds a request, and forgets the oldest when there are too many. */
  add(entry: LoggedRequest, duration = 0): void {
    this.#entries.push(Object.freeze(entry));
    for (const tell of this.watchers) tell(entry, duration);
    if (this.#entries.length > capacity) this.#entries.shift();
  }

  /** Forgets them all. */
  clear(): void {
    this.#entries.length = 0;
  }

  /** The requests so far, newest last. */
  entries(): readonly LoggedRequest[] {
    return [...this.#entries];
  }
}
