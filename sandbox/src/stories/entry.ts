import type { RequestFault } from '../api/faults/fault.ts';
import type { Operation, PageOperation } from '../api/operation.ts';
import type { DeliveryStatus } from '../domain/records/delivery.ts';
import type { RequestLinks } from './request-links.ts';

/** The fields that all entries have. */
interface Recorded {
  /** The entry's number, counted from 1. */
  readonly number: number;
  /** The time of the sandbox's clock, in ms since 1970. */
  readonly at: number;
}

/**
 * A recorded request or response. A test card of a form is replaced by its name, as in `[card:fullMatch]`; secrets and all
 * other tokens and card data by `[redacted]`.
 */
export interface RecordedMessage {
  /** The recorded headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The first 16 KB of the body as text; `null` if there is none, or it is never recorded. */
  readonly body: string | null;
}

/** A request of the app, of a buyer's browser, or of the dashboard. */
export interface RecordedRequest extends Recorded {
  readonly kind: 'request';
  /** The sender. */
  readonly source: 'app' | 'buyer' | 'dashboard';
  /** The request's id: the `x-request-id` of the reply, which a page does not send. */
  readonly requestId: string;
  /** The operation; `null` for an unknown path. */
  readonly operation: Operation | PageOperation | null;
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
  /** The query without its question mark; empty if there is none. */
  readonly query: string;
  readonly idempotencyKey: string | null;
  /** The operation id in the idempotency key; `null` if there is none. */
  readonly operationId: string | null;
  readonly request: RecordedMessage;
  /** Whether the body was recorded unchanged, so that the request can be repeated. */
  readonly isWhole: boolean;
  /** The fault that hit it; `null` for none. */
  readonly fault: RequestFault | null;
  /** The sandbox's reply, also if it never arrived; `null` if the request was dropped before. */
  readonly reply: (RecordedMessage & { readonly status: number }) | null;
  /** Whether the reply was the stored one of an earlier request. */
  readonly replayed: boolean;
  /** Whether the caller got the whole reply; `false` while a fault delays it. */
  readonly arrived: boolean;
  /** The duration, in ms of real time. */
  readonly duration: number;
}

/** A change of an object of the service, or of a transaction. */
export interface RecordedChange extends Recorded {
  readonly kind: 'change';
  /** The number of the request or action that caused it; `null` if time did. */
  readonly cause: number | null;
  /** The unit of work, shared by changes that belong to one order; `null` for units of many orders, such as a batch. */
  readonly unit: number | null;
  readonly object: { readonly kind: string; readonly id: string };
  /** The object before; `null` if it is new. */
  readonly before: Readonly<Record<string, unknown>> | null;
  /** The object after; `null` if it was removed. */
  readonly after: Readonly<Record<string, unknown>> | null;
  /** The events that it emitted. */
  readonly events: readonly { readonly id: string; readonly type: string }[];
}

/** An attempt to deliver an event. */
export interface RecordedDelivery extends Recorded {
  readonly kind: 'delivery';
  readonly deliveryId: string;
  readonly event: { readonly id: string; readonly type: string };
  /** The id of the event's object. */
  readonly object: string;
  readonly endpointId: string;
  readonly url: string;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  /** The status of the delivery after it. */
  readonly status: DeliveryStatus;
  /**
   * The request, with the signature's headers. Its body is the signed one, byte for byte, unless a fault tampered
   * with it.
   */
  readonly request: RecordedMessage;
  /** The status of the response; `null` without a response. */
  readonly responseStatus: number | null;
  /** Why there was no response; `null` if there was one. */
  readonly error: string | null;
  /** The start of the response's body. */
  readonly responseText: string;
}

/** An action on the sandbox itself, by code or the dashboard. */
export interface RecordedAction extends Recorded {
  readonly kind: 'action';
  /** The name of its command. */
  readonly name: string;
  /** Its arguments, such as `{ advance: '1 hour' }`. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** An entry of the recording. */
export type Entry = RecordedRequest | RecordedChange | RecordedDelivery | RecordedAction;

/** A request as the recording keeps it. */
export interface KeptRequest extends RecordedRequest {
  /** What names its order. Only files and snapshots have it. */
  readonly links: RequestLinks;
}

/** An entry as the recording, a file or a snapshot keeps it: only a `shownEntry` is shown. */
export type KeptEntry = KeptRequest | Exclude<Entry, RecordedRequest>;
