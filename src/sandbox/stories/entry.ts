import type { RequestFault } from '../api/faults/fault.ts';
import type { Operation, PageOperation } from '../api/operation.ts';
import type { DeliveryStatus } from '../domain/records/delivery.ts';

/** What every entry of the recording has. */
interface Recorded {
  /** Counts all entries from 1, in the order in which they happened. */
  readonly number: number;
  /** When, in ms since 1970, by the sandbox's clock. */
  readonly at: number;
}

/** One side of an exchange as it is kept: secrets, tokens and card data are replaced by `[redacted]`. */
export interface RecordedMessage {
  /** The headers that are kept, by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text, at most 16 KB of it; `null` where there was none, or where it is never kept. */
  readonly body: string | null;
}

/** A request of the app, of a buyer's browser, or of the dashboard. */
export interface RecordedRequest extends Recorded {
  readonly kind: 'request';
  /** Who sent it. */
  readonly source: 'app' | 'buyer' | 'dashboard';
  /** The id that the reply has as `x-request-id`; `null` for a page. */
  readonly requestId: string | null;
  /** What was asked for; `null` where there is no such path. */
  readonly operation: Operation | PageOperation | null;
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
  /** The query without its question mark; empty where there was none. */
  readonly query: string;
  readonly idempotencyKey: string | null;
  /** The caller's own id in the key; `null` where the key has none that can be read. */
  readonly operationId: string | null;
  readonly request: RecordedMessage;
  /** Whether the request is kept as it came, so that it can be repeated: nothing of its body was redacted or cut. */
  readonly isWhole: boolean;
  /** The fault that it met; `null` where it met none. */
  readonly fault: RequestFault | null;
  /** What the sandbox answered, also where the caller never got it; `null` where it was dropped before. */
  readonly reply: (RecordedMessage & { readonly status: number }) | null;
  /** Whether the reply was an earlier one, sent again. */
  readonly replayed: boolean;
  /** Whether the caller got the reply whole. */
  readonly arrived: boolean;
  /** How long it took, in ms of real time. */
  readonly duration: number;
}

/** A change of an object of the service, or of a transaction. */
export interface RecordedChange extends Recorded {
  readonly kind: 'change';
  /** The number of the request or action that made it; `null` where time did. */
  readonly cause: number | null;
  /** What the changes share that were made together for one order; `null` where they were of many orders, as in a batch. */
  readonly unit: number | null;
  readonly object: { readonly kind: string; readonly id: string };
  /** What it was; `null` where it is new. */
  readonly before: Readonly<Record<string, unknown>> | null;
  /** What it is; `null` where it was removed. */
  readonly after: Readonly<Record<string, unknown>> | null;
  /** The events that it emitted. */
  readonly events: readonly { readonly id: string; readonly type: string }[];
}

/** An attempt to deliver an event. */
export interface RecordedDelivery extends Recorded {
  readonly kind: 'delivery';
  readonly deliveryId: string;
  readonly event: { readonly id: string; readonly type: string };
  /** The object that the event is about. */
  readonly object: string;
  readonly endpointId: string;
  readonly url: string;
  /** Which attempt of the delivery it is, from 1. */
  readonly attempt: number;
  /** Where the delivery stands after it. */
  readonly status: DeliveryStatus;
  /** What was sent, with the headers of the signature. The body is what was signed, byte for byte, except where it was tampered with. */
  readonly request: RecordedMessage;
  /** The status of the response; `null` where none came. */
  readonly responseStatus: number | null;
  /** Why no response came; `null` where one did. */
  readonly error: string | null;
  /** The start of the response's body. */
  readonly responseText: string;
}

/** The names of what is done to a sandbox besides requests. */
export type ActionName =
  | 'clock.advance'
  | 'faults.inject'
  | 'faults.clear'
  | 'webhooks.replay'
  | 'pay'
  | 'settle'
  | 'trigger'
  | 'add'
  | 'update'
  | 'seed'
  | 'restore'
  | 'reset';

/** Something that was done to the sandbox from outside, besides requests. */
export interface RecordedAction extends Recorded {
  readonly kind: 'action';
  readonly name: ActionName;
  /** What it was given, such as `{ advance: '1 hour' }`. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** One thing that happened in a sandbox. */
export type Entry = RecordedRequest | RecordedChange | RecordedDelivery | RecordedAction;
