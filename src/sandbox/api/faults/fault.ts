import type { Inline } from '../../../base/inline.ts';
import type { Operation } from '../operation.ts';
import type { IdempotencyCode } from './idempotency-errors.ts';

type Target = {
  /** The SDK method whose requests it hits, for example `refunds.create`. Default: any request. */
  readonly operation?: Operation | undefined;
  /**
   * The method and path that it hits, for example `POST /v1/refunds` or `GET /v1/customers/*`; a `*` matches any
   * text. Default: any request.
   */
  readonly route?: string | undefined;
  /** How many matching requests to skip first. Default: 0. */
  readonly skip?: number | undefined;
  /**
   * The probability to hit a matching request, from 0 to 1. The `seed` of `createSandbox` determines the draws, so
   * that the same requests meet the same faults. Default: 1.
   */
  readonly probability?: number | undefined;
};

type Repeated = Target & {
  /** How many requests it hits; `Infinity` for no limit. Default: 1, or `Infinity` with a `probability`. */
  readonly times?: number | undefined;
};

type BeforeOrAfter = Repeated & {
  /** Whether the request is executed first, so that only its response is affected. Default: false. */
  readonly committed?: boolean | undefined;
};

type Holding = Target & {
  /** Releases the request after this many milliseconds of real time. Default: only `release` does. */
  readonly ms?: number | undefined;
};

/** A fault that pauses one request until it is released. */
export type HoldingFault = Inline<
  | (Holding & {
      /** Pauses one request right before execution, until it is released. Its idempotency key is in use meanwhile. */
      readonly kind: 'hold';
    })
  | (Holding & {
      /**
       * Breaks the connection of one request during execution. The work continues when it is released; until then its
       * idempotency key is in use.
       */
      readonly kind: 'drop_during';
    })
>;

/** A fault of requests. */
export type RequestFault = Inline<
  | HoldingFault
  | (BeforeOrAfter & {
      /** The request or its response is delayed. */
      readonly kind: 'latency';
      /** The delay, in milliseconds of real time, or of a test's fake timers. */
      readonly ms: number;
    })
  | (Repeated & {
      /**
       * The connection is refused before anything is sent. An HTTP server cannot refuse a request that it has received, so
       * it resets the connection, as `drop_request` does. To refuse connections over HTTP, close the sandbox.
       */
      readonly kind: 'refuse_connection';
    })
  | (Repeated & {
      /** The connection breaks before the request is executed. */
      readonly kind: 'drop_request';
    })
  | (Repeated & {
      /** The request is executed, then the connection breaks: the caller cannot know the result. */
      readonly kind: 'drop_reply';
    })
  | (Repeated & {
      /** The request is executed, but the response stalls after half of its body. */
      readonly kind: 'stall_body';
    })
  | (Repeated & {
      /** The request is executed, but the connection ends after half of the response's body. */
      readonly kind: 'truncate_body';
    })
  | (Repeated & {
      /** The request is executed, but the response has only the first half of its body, with a matching length. */
      readonly kind: 'malformed_body';
    })
  | (BeforeOrAfter & {
      /** Another response is sent instead. */
      readonly kind: 'respond';
      /** The HTTP status, from 200 to 599. */
      readonly status: number;
      /** The response's headers. */
      readonly headers?: Readonly<Record<string, string>> | undefined;
      /** The body: a string is sent unchanged, any other value as JSON. Default: empty. */
      readonly body?: unknown;
    })
  | (BeforeOrAfter & {
      /** A proxy responds 502 with an HTML page. */
      readonly kind: 'bad_gateway';
    })
  | (BeforeOrAfter & {
      /** The service responds 503, code `SERVICE_UNAVAILABLE`. */
      readonly kind: 'unavailable';
      /** `Retry-After`: seconds, or an HTTP date. Default: no such header. */
      readonly retryAfter?: number | string | undefined;
    })
  | (Repeated & {
      /** The service responds 429, code `RATE_LIMITED`, and does not execute the request. */
      readonly kind: 'rate_limit';
      /** `Retry-After`: seconds, or an HTTP date. Default: 1. */
      readonly retryAfter?: number | string | undefined;
    })
  | (Repeated & {
      /** The service rejects the request with one of its five idempotency errors, and does not execute it. */
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
