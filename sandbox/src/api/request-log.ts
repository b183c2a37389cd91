import type { Reply } from '../domain/records/records.ts';
import type { RequestFault } from './faults/fault.ts';
import type { Operation, PageOperation } from './operation.ts';
import { loggedKey, loggedPath } from './operation-id.ts';

/** A request and its result. It contains no body, no query, and no key except the idempotency key. */
export interface LoggedRequest {
  /** The SDK method that sends such a request; `undefined` for an unknown path. */
  readonly operation: Operation | PageOperation | undefined;
  /** The HTTP method. */
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
  /** The idempotency key, if any. */
  readonly idempotencyKey: string | undefined;
  /** The status of the response, also of a dropped one; `undefined` if the request was dropped before it had a response. */
  readonly status: number | undefined;
  /** Whether the response was the stored one of an earlier request. */
  readonly replayed: boolean;
  /** Whether the connection was dropped, so that the response did not arrive. */
  readonly dropped: boolean;
}

/** A request with its time and duration. */
export type AnsweredRequest = {
  /** The number of the request, counted from 1. */
  readonly number: number;
  /** The time of the sandbox's clock, in milliseconds since 1970. */
  readonly at: number;
  /** The duration, in milliseconds of real time. */
  readonly duration: number;
  /** The request. */
  readonly request: LoggedRequest;
};

/**
 * The bodies and headers of an exchange, secrets included. Only the recording reads them; the log does not store
 * them.
 */
export interface Exchanged {
  readonly source: 'app' | 'buyer' | 'dashboard';
  /** The request's id, which its changes name as their cause. */
  readonly requestId: string;
  readonly request: Request;
  /** The body as text; `undefined` if it was not read or is never recorded. */
  readonly body: string | undefined;
  /** The reply; `undefined` if there was none, or it is never recorded. */
  readonly reply: Reply | undefined;
  readonly fault: RequestFault | undefined;
  /** Whether the caller got the whole reply. */
  readonly arrived: boolean;
}

const capacity = 1_000;

/** An executed request whose reply has not left yet. */
export type ExecutedRequest = Omit<AnsweredRequest, 'number'>;

type RequestWatcher = (answered: AnsweredRequest, exchanged: Exchanged) => void;
type ExecutionWatcher = (executed: ExecutedRequest, exchanged: Exchanged) => void;

/** The latest requests, in the order of their responses. */
export class RequestLog {
  readonly #entries: AnsweredRequest[] = [];
  readonly #now: () => number;
  #count = 0;
  #ids = 0;
  /** Receive each request. They must not throw. */
  readonly watchers = new Set<RequestWatcher>();
  /** Receive each executed request whose reply a fault delays, before the watchers do. They must not throw. */
  readonly executionWatchers = new Set<ExecutionWatcher>();

  /** @param now Returns the sandbox's time. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Returns the id of a new request. */
  nextId(): string {
    this.#ids += 1;
    return `req_${String(this.#ids).padStart(12, '0')}`;
  }

  /** Continues after the id of an earlier request, so that no id names two requests. */
  continueAfter(id: string): void {
    this.#ids = Math.max(this.#ids, Number(id.slice('req_'.length)));
  }

  get isWatched(): boolean {
    return this.watchers.size > 0;
  }

  /**
   * Adds a request, and drops the oldest beyond the capacity.
   *
   * @param exchange Returns its bodies and headers. Called only for watchers, since it is costly.
   */
  add(request: LoggedRequest, duration: number, exchange: () => Exchanged): void {
    this.#count += 1;
    const answered = { number: this.#count, ...this.#timed(request, duration) };
    this.#entries.push(answered);
    if (this.isWatched) this.#publish(answered, exchange());
    if (this.#entries.length > capacity) this.#entries.shift();
  }

  /** Publishes a request that was executed while its reply is delayed. The log has it when the reply leaves. */
  addExecuted(request: LoggedRequest, duration: number, exchange: () => Exchanged): void {
    if (this.executionWatchers.size === 0) return;
    const executed = this.#timed(request, duration);
    const exchanged = exchange();
    for (const watch of this.executionWatchers) watch(executed, exchanged);
  }

  #timed(request: LoggedRequest, duration: number): ExecutedRequest {
    const { path, idempotencyKey: key } = request;
    const shown = Object.freeze({
      ...request,
      path: loggedPath(path),
      idempotencyKey: key && loggedKey(key),
    });
    return { at: this.#now(), duration, request: shown };
  }

  #publish(answered: AnsweredRequest, exchanged: Exchanged): void {
    for (const watch of this.watchers) watch(answered, exchanged);
  }

  /** Clears the log. Numbers stay unique. */
  clear(): void {
    this.#entries.length = 0;
  }

  /** Returns the requests, newest last. */
  entries(): readonly LoggedRequest[] {
    return this.#entries.map(({ request }) => request);
  }
}
