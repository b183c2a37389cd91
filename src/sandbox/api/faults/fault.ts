import type { Operation } from '../operation.ts';
import type { IdempotencyCode } from './idempotency-errors.ts';

interface Target {
  /** The operation that it hits. Default: any request. */
  readonly operation?: Operation | undefined;
  /**
   * The method and path that it hits, for example `POST /v1/refunds` or `GET /v1/customers/*`; a `*` stands for any
   * text. Default: any request.
   */
  readonly route?: string | undefined;
  /** How many requests that it fits pass before it hits. Default: 0. */
  readonly skip?: number | undefined;
  /**
   * How likely it hits a request that it fits, from 0 to 1. The draws come from the `seed` of `createSandbox`, so
   * that the same requests meet the same faults. Default: 1.
   */
  readonly probability?: number | undefined;
}

interface Repeated extends Target {
  /**
   * How many requests meet the fault. `Infinity` stands for all that follow. Default: 1, or `Infinity` where a
   * `probability` is given.
   */
  readonly times?: number | undefined;
}

interface BeforeOrAfter extends Repeated {
  /** Whether the request is done first, so that only the caller does not know. Default: false. */
  readonly committed?: boolean | undefined;
}

/** The request, or its reply, is on its way for longer. Nothing else is wrong. */
export interface LatencyFault extends BeforeOrAfter {
  /** Which fault it is. */
  readonly kind: 'latency';
  /** How much longer, in milliseconds of real time, or of the fake timers of a test. */
  readonly ms: number;
}

/**
 * The connection is refused, so that nothing was sent. Over HTTP it is too late for that when a request is known: there
 * the connection is reset, as by `drop_request`. To refuse connections there, close the sandbox.
 */
export interface RefuseConnectionFault extends Repeated {
  /** Which fault it is. */
  readonly kind: 'refuse_connection';
}

/** The connection breaks before anything is done. */
export interface DropRequestFault extends Repeated {
  /** Which fault it is. */
  readonly kind: 'drop_request';
}

/** Everything is done as asked, and then the connection breaks: the caller cannot know what happened. */
export interface DropReplyFault extends Repeated {
  /** Which fault it is. */
  readonly kind: 'drop_reply';
}

/** Everything is done as asked, but only the first half of the reply's body comes, and then nothing. */
export interface StallBodyFault extends Repeated {
  /** Which fault it is. */
  readonly kind: 'stall_body';
}

/** Everything is done as asked, but the connection ends after the first half of the reply's body. */
export interface TruncateBodyFault extends Repeated {
  /** Which fault it is. */
  readonly kind: 'truncate_body';
}

/** Everything is done as asked, but the reply's body lacks its second half as if that were all of it. */
export interface MalformedBodyFault extends Repeated {
  /** Which fault it is. */
  readonly kind: 'malformed_body';
}

/** Another reply is sent instead. */
export interface RespondFault extends BeforeOrAfter {
  /** Which fault it is. */
  readonly kind: 'respond';
  /** The HTTP status, from 200 to 599. */
  readonly status: number;
  /** Headers of the reply. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The body: text as it is, anything else as JSON. Default: empty. */
  readonly body?: unknown;
}

/** A proxy in between answers 502 with a page of HTML. */
export interface BadGatewayFault extends BeforeOrAfter {
  /** Which fault it is. */
  readonly kind: 'bad_gateway';
}

/** The service answers 503, code `SERVICE_UNAVAILABLE`. */
export interface UnavailableFault extends BeforeOrAfter {
  /** Which fault it is. */
  readonly kind: 'unavailable';
  /** `Retry-After`: seconds, or a date as HTTP writes it. Default: no such header. */
  readonly retryAfter?: number | string | undefined;
}

/** The service answers 429, code `RATE_LIMITED`, before anything is done. */
export interface RateLimitFault extends Repeated {
  /** Which fault it is. */
  readonly kind: 'rate_limit';
  /** `Retry-After`: seconds, or a date as HTTP writes it. Default: 1. */
  readonly retryAfter?: number | string | undefined;
}

/** The service refuses the request with one of its five idempotency errors, before anything is done. */
export interface IdempotencyFault extends Repeated {
  /** Which fault it is. */
  readonly kind: 'idempotency_error';
  /** The error; its status is the one of the interface. */
  readonly code: IdempotencyCode;
}

interface Holding extends Target {
  /** After how many milliseconds of real time the request goes on by itself. Default: when it is released. */
  readonly ms?: number | undefined;
}

/** One request is held when it is about to be done. Its idempotency key is taken by then. */
export interface HoldFault extends Holding {
  /** Which fault it is. */
  readonly kind: 'hold';
}

/**
 * The connection of one request breaks while it is being done. The work goes on without its caller when it is
 * released; until then its idempotency key is in use.
 */
export interface DropDuringFault extends Holding {
  /** Which fault it is. */
  readonly kind: 'drop_during';
}

/** A fault that makes one request wait. */
export type HoldingFault = HoldFault | DropDuringFault;

/** A fault that nobody waits for. */
export type PassingFault =
  | LatencyFault
  | RefuseConnectionFault
  | DropRequestFault
  | DropReplyFault
  | StallBodyFault
  | TruncateBodyFault
  | MalformedBodyFault
  | RespondFault
  | BadGatewayFault
  | UnavailableFault
  | RateLimitFault
  | IdempotencyFault;

/** Something that goes wrong with requests on purpose. */
export type RequestFault = PassingFault | HoldingFault;

/** A request that is held, or will be. */
export interface Hold {
  /** Resolves when the request has arrived and waits. */
  readonly reached: Promise<void>;
  /** Lets the request go on. Without effect the second time. */
  release(): void;
}
