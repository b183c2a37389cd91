import type { Reply } from '../domain/records/reply.ts';
import type { RequestFault } from './faults/fault.ts';
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

/** The bodies and headers of an exchange, secrets included, for who records it; the log keeps none of it. */
export interface Exchanged {
  /** Whether the app, a buyer's browser or the dashboard sent it. */
  readonly source: 'app' | 'buyer' | 'dashboard';
  /** The id of the request, which is also the cause of what it changed; `undefined` for a page. */
  readonly requestId: string | undefined;
  readonly request: Request;
  /** The body as text; `undefined` where it was not read, or is never recorded. */
  readonly body: string | undefined;
  /** The reply and what was sent around it; `undefined` where there was none, or it is never recorded. */
  readonly reply: Reply | undefined;
  readonly fault: RequestFault | undefined;
  /** Whether the caller got the reply whole. */
  readonly arrived: boolean;
}

const capacity = 1_000;

/** Receives each request. */
export type RequestWatcher = (answered: AnsweredRequest, exchanged: Exchanged) => void;

/** The newest requests, in the order in which they were answered. */
export class RequestLog {
  readonly #entries: AnsweredRequest[] = [];
  readonly #now: () => number;
  #count = 0;
  /** Receive each request. They must not throw. */
  readonly watchers = new Set<RequestWatcher>();

  /** @param now The time of the sandbox. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether anyone watches. */
  get isWatched(): boolean {
    return this.watchers.size > 0;
  }

  /**
   * Adds a request, and forgets the oldest when there are too many.
   *
   * @param exchange Gives its bodies and headers, which cost something, to those who watch.
   */
  add(request: LoggedRequest, duration: number, exchange: () => Exchanged): void {
    this.#count += 1;
    const { path, idempotencyKey: key } = request;
    const shown = Object.freeze({ ...request, path: loggedPath(path), idempotencyKey: loggedKey(key) });
    const answered = { number: this.#count, at: this.#now(), duration, request: shown };
    this.#entries.push(answered);
    if (this.isWatched) this.#publish(answered, exchange());
    if (this.#entries.length > capacity) this.#entries.shift();
  }

  #publish(answered: AnsweredRequest, exchanged: Exchanged): void {
    for (const watch of this.watchers) watch(answered, exchanged);
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
