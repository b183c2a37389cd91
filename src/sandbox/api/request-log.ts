import { loggedKey, loggedPath } from './log-text.ts';
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

/** A request, when it was answered, and how long that took. */
export interface AnsweredRequest {
  /** Counts the requests of a sandbox from 1, so that one is told from others that look the same. */
  readonly number: number;
  /** When, in milliseconds since 1970, by the sandbox's clock. */
  readonly at: number;
  /** How long it took, in milliseconds of real time. */
  readonly duration: number;
  /** The request. */
  readonly request: LoggedRequest;
}

const capacity = 1_000;

/** Is told of each request. */
export type RequestWatcher = (answered: AnsweredRequest) => void;

/** The newest requests, in the order in which they were answered. */
export class RequestLog {
  readonly #entries: AnsweredRequest[] = [];
  readonly #now: () => number;
  #count = 0;
  /** Are told of each request. They must not throw. */
  readonly watchers = new Set<RequestWatcher>();

  /** @param now The time of the sandbox. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Adds a request, and forgets the oldest when there are too many. */
  add(request: LoggedRequest, duration = 0): void {
    this.#count += 1;
    const { path, idempotencyKey: key } = request;
    const shown = Object.freeze({ ...request, path: loggedPath(path), idempotencyKey: loggedKey(key) });
    const answered = { number: this.#count, at: this.#now(), duration, request: shown };
    this.#entries.push(answered);
    for (const tell of this.watchers) tell(answered);
    if (this.#entries.length > capacity) this.#entries.shift();
  }

  /** Forgets them all. No number comes twice. */
  clear(): void {
    this.#entries.length = 0;
  }

  /** The requests so far, newest last. */
  entries(): readonly LoggedRequest[] {
    return this.#entries.map(({ request }) => request);
  }

  /** The same, with their times. */
  answered(): readonly AnsweredRequest[] {
    return [...this.#entries];
  }
}
