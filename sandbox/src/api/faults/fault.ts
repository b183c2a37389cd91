import type { Inline } from '../../base/inline.ts';
import { Problem } from '../../domain/problem.ts';
import type { Operation } from '../operation.ts';
import { loggedKey, loggedPath } from '../operation-id.ts';

type Target = {
  /**
   * The SDK method whose requests it hits, such as `refunds.create` or `transact.sale`; `transact.submit` hits every request to
   * the form endpoint. Default: any.
   */
  readonly operation?: Operation | undefined;
  /** The method and path that it hits, such as `GET /v1/customers/*`; a `*` matches any text. Default: any. */
  readonly route?: string | undefined;
  /** How many matching requests to skip first. Default: 0. */
  readonly skip?: number | undefined;
  /** The probability to hit a matching request, from 0 to 1. The same `seed` gives the same draws. Default: 1. */
  readonly probability?: number | undefined;
};

type Repeated = Target & {
  /** How many requests it hits. Default: 1, or `Infinity` with a `probability`. Deliveries: a number. */
  readonly times?: number | undefined;
};

type BeforeOrAfter = Repeated & {
  /** Whether the request is executed first, so that only the response is affected. Default: false. */
  readonly committed?: boolean | undefined;
};

type Holding = Target & {
  /** Releases the request after this many milliseconds of real time. Default: only `release` does. */
  readonly ms?: number | undefined;
};

/** A fault that pauses one request until it is released. */
export type HoldingFault = Inline<
  | (Holding & {
      /** Pauses one request before its execution until you `release()` it, with its idempotency key in use. */
      readonly kind: 'hold';
    })
  | (Holding & {
      /** Breaks the connection of one request, which executes when you `release()` it, with its key in use. */
      readonly kind: 'drop_during';
    })
>;

/** A fault of requests. */
export type RequestFault = Inline<
  | HoldingFault
  | (BeforeOrAfter & {
      /** Delays the request. */
      readonly kind: 'latency';
      /** The delay, in milliseconds of real time, or of a test's fake timers. */
      readonly ms: number;
    })
  | (Repeated & {
      /**
       * Refuses the connection, so that nothing is sent. Over HTTP it acts as `drop_request`: to refuse connections there,
       * close the sandbox.
       */
      readonly kind: 'refuse_connection';
    })
  | (Repeated & {
      /** Breaks the connection before the request is executed. */
      readonly kind: 'drop_request';
    })
  | (Repeated & {
      /** Executes the request, then breaks the connection. */
      readonly kind: 'drop_reply';
    })
  | (Repeated & {
      /** Executes the request, and delivers its webhooks before the response, as a fast service may do. */
      readonly kind: 'webhook_before_reply';
    })
  | (Repeated & {
      /** Executes the request, but stalls after half of the body. */
      readonly kind: 'stall_body';
    })
  | (Repeated & {
      /** Executes the request, but ends the connection after half of the body. */
      readonly kind: 'truncate_body';
    })
  | (Repeated & {
      /** Executes the request, but sends half of the body, with a matching length. */
      readonly kind: 'malformed_body';
    })
  | (BeforeOrAfter & {
      /** Sends another response. */
      readonly kind: 'respond';
      /** The HTTP status, from 200 to 599. */
      readonly status: number;
      /** The response's headers. */
      readonly headers?: Readonly<Record<string, string>> | undefined;
      /** The body: a string is sent unchanged, any other value as JSON. Default: empty. */
      readonly body?: unknown;
    })
  | (BeforeOrAfter & {
      /** Responds 502 with the HTML page of a proxy. */
      readonly kind: 'bad_gateway';
    })
  | (BeforeOrAfter & {
      /** Responds 503, code `SERVICE_UNAVAILABLE`. */
      readonly kind: 'unavailable';
      /** `Retry-After`: seconds, or an HTTP date. Default: no such header. */
      readonly retryAfter?: number | string | undefined;
    })
  | (Repeated & {
      /** Responds 429, code `RATE_LIMITED`, without executing the request. */
      readonly kind: 'rate_limit';
      /** `Retry-After`: seconds, or an HTTP date. Default: 1. */
      readonly retryAfter?: number | string | undefined;
    })
  | (Repeated & {
      /** Responds with the idempotency error of a `code`, without executing the request. */
      readonly kind: 'idempotency_error';
      /** The error code. It determines the status, as in the interface. */
      readonly code: IdempotencyCode;
    })
>;

/** Controls a request that is paused, or will be. */
export type Hold = Inline<{
  /** Resolves when the request has arrived and is paused. */
  readonly reached: Promise<void>;
  /** Releases the request. A second call has no effect. */
  release(): void;
}>;

const statuses = {
  IDEMPOTENCY_KEY_TOO_LONG: 400,
  IDEMPOTENCY_KEY_IN_PROGRESS: 409,
  IDEMPOTENCY_BODY_MISMATCH: 422,
  IDEMPOTENCY_ROUTE_CONFLICT: 422,
  IDEMPOTENCY_STORE_UNAVAILABLE: 503,
} as const;

/** The code of an idempotency error. */
export type IdempotencyCode = keyof typeof statuses;

export const idempotencyCodes: readonly string[] = Object.keys(statuses);

export function scriptedIdempotencyError(code: IdempotencyCode): Problem {
  return new Problem(statuses[code], code, 'An injected fault returned this error.');
}

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

export class HitHistory {
  readonly #hits: FaultHit[] = [];

  add(hit: FaultHit): void {
    const { path, idempotencyKey: key } = hit;
    this.#hits.push(Object.freeze({ ...hit, path: loggedPath(path), idempotencyKey: key && loggedKey(key) }));
    if (this.#hits.length > capacity) this.#hits.shift();
  }

  /** Returns the hits, newest last. */
  entries(): readonly FaultHit[] {
    return [...this.#hits];
  }
}
