import type { Operation } from './operation.ts';

interface Target {
  /** The operation to disturb. Default: any request. */
  readonly operation?: Operation | undefined;
}

interface Repeated extends Target {
  /** How many requests meet the fault. Default: 1. `Infinity` stands for all that follow. */
  readonly times?: number | undefined;
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

/** Another reply is sent instead, before anything is done. */
export interface RespondFault extends Repeated {
  /** Which fault it is. */
  readonly kind: 'respond';
  /** The HTTP status, from 200 to 599. */
  readonly status: number;
  /** Headers of the reply. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The body: text as it is, anything else as JSON. Default: empty. */
  readonly body?: unknown;
}

/** One request is held when it is about to be done. Its idempotency key is taken by then. */
export interface HoldFault extends Target {
  /** Which fault it is. */
  readonly kind: 'hold';
}

/** Something that goes wrong on purpose. */
export type Fault = DropRequestFault | DropReplyFault | RespondFault | HoldFault;

/** A request that is held, or will be. */
export interface Hold {
  /** Resolves when the request has arrived and waits. */
  readonly reached: Promise<void>;
  /** Lets the request go on. Without effect the second time. */
  release(): void;
}

/** The faults that wait for a request. A request meets the first that fits it, and no more than one. */
export interface Faults {
  /** Makes one request wait until it is released. */
  inject(fault: HoldFault): Hold;
  /**
   * Makes requests go wrong.
   *
   * @throws RangeError when `times` or `status` is out of bounds.
   */
  inject(fault: Exclude<Fault, HoldFault>): void;
  /** Forgets the faults that no request has met, and releases the requests that are held. */
  clear(): void;
}
