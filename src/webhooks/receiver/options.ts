import type { WebAbortSignal } from '../../base/web-types.ts';
import type { UnknownEvent, WebhookEvent, WebhookEventMap, WebhookEventType } from '../events/event.ts';
import type { RawBody } from '../signatures/scheme.ts';
import type { WebhookStore } from './store.ts';

/** What a handler is told besides the event. */
export interface ReceiverContext<Client = never> {
  /** The body as it came. */
  readonly rawBody: RawBody;
  /** How many times the event was claimed, this time included: 1 unless an earlier handling failed or crashed. */
  readonly attempt: number;
  /**
   * An id that stays the same when the event is delivered again. Give it to the calls that the handler makes, so that
   * they too act once; add a suffix of your own where there are several of one kind.
   */
  readonly operationId: string;
  /** The scope of the endpoint whose secret signed the delivery; `undefined` where the secrets have no scopes. */
  readonly scope: string | undefined;
  /** Aborted when the lease runs out: from then on another delivery may be handled at the same time. */
  readonly signal: WebAbortSignal;
  /**
   * Records within your own transaction that the event is handled, so that its effect and this record are committed
   * together. Call it as the last step of the transaction. Only stores with transactions have it.
   *
   * @param client The connection that your transaction is open on.
   * @throws WebhookLeaseLostError when the lease ran out and another delivery took over: let it roll back.
   */
  completeIn(client: Client): Promise<void>;
}

/** Acts on an event. When it throws, the event is delivered again. */
export type WebhookHandler<Event, Client = never> = (
  event: Event,
  context: ReceiverContext<Client>,
) => unknown;

/** Handlers by the type of their event. */
export type WebhookHandlers<Client = never> = {
  readonly [Type in WebhookEventType]?: WebhookHandler<WebhookEventMap[Type], Client> | undefined;
};

/**
 * What became of a delivery:
 *
 * - `handled`: a handler ran to its end;
 * - `duplicate`: the event was handled before;
 * - `ignored`: there is no handler for it;
 * - `in_progress`: another delivery of the event is being handled;
 * - `failed`: the handler or the store failed;
 * - `refused`: it could not be verified or read.
 */
export type DeliveryOutcome = 'handled' | 'duplicate' | 'ignored' | 'in_progress' | 'failed' | 'refused';

/** A delivery that was refused, or whose handling failed. */
export interface DeliveryFailure {
  /** What happened. */
  readonly error: unknown;
  /** What the service was told. */
  readonly outcome: DeliveryOutcome;
  /** The event; `undefined` where it could not be verified or read. */
  readonly event: WebhookEvent | undefined;
}

/** Options of a receiver. */
export interface ReceiverOptions<Client = never> {
  /** The handlers. A type without one is answered with 2xx and ignored. */
  readonly on: WebhookHandlers<Client>;
  /** Handles the types of events that this version does not know. Default: they are ignored. */
  readonly onUnknown?: WebhookHandler<UnknownEvent, Client> | undefined;
  /** Remembers which events were handled. All processes that receive the same endpoint must share it. */
  readonly store: WebhookStore<Client>;
  /**
   * How long a handler may take, in ms. When it runs out, as after a crash, the next delivery is handled. Default: 60 000.
   */
  readonly lease?: number | undefined;
  /** How long a handled event is remembered, in ms. Default: 30 days. Longer than the service repeats deliveries. */
  readonly retention?: number | undefined;
  /**
   * Receives each failure, for your log. What it throws is ignored. Default: `console.error` receives one line for the first failure of a
   * handler, of the store and of the receiver in a process, without the error's message. Refused deliveries are not written.
   */
  readonly onError?: ((failure: DeliveryFailure) => unknown) | undefined;
  /**
   * The HTTP status by outcome. What the service expects is not shown. Default (*inferred*): 200 for `handled`,
   * `duplicate` and `ignored`, 409 for `in_progress`, 500 for `failed`, 400 for `refused`.
   */
  readonly statuses?: Readonly<Partial<Record<DeliveryOutcome, number | undefined>>> | undefined;
}
