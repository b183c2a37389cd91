import type { Issue } from '../../base/errors.ts';
import type { WebAbortSignal } from '../../base/runtime/runtime.ts';
import type { WebhookEvent, WebhookEventMap, WebhookEventType } from '../events/event.ts';
import { isKnownEvent } from '../events/known.ts';
import type { RawBody } from '../signatures/scheme.ts';

/** The part of the context that every handler receives. */
export interface EventContext {
  /** The body as received, unless it is `masked`; for a dispatched event, its JSON. */
  readonly rawBody: RawBody;
  /**
   * Whether the delivery comes from a queue or from the failed ones, and its card data was masked there: the body and the event have
   * `[card-1111-masked]` in place of a card number, and no signature fits them.
   */
  readonly masked: boolean;
  /**
   * An id that stays the same in every delivery of the event and differs between consumers, scopes and modes. Pass it as
   * `operationId` to the handler's calls, so that each of them also acts once; add a suffix if you call one method several
   * times. It is the event's key in the store: at most 512 characters of `A-Z a-z 0-9 . _ - ~ /`, so it can be a job id too.
   */
  readonly operationId: string;
  /** The scope of the endpoint whose secret signed the delivery; `undefined` where the secrets have no scopes. */
  readonly scope: string | undefined;
  /** The differences between the event and the interface; empty for a valid event and for unknown types. */
  readonly issues: readonly Issue[];
}

/** The context of a handler that runs under a lease. */
export interface ReceiverContext<Client = never> extends EventContext {
  /** The number of claims of this event, including this one: 1 unless an earlier handling failed or crashed. */
  readonly attempt: number;
  /**
   * Aborts before the lease expires: by a tenth of the lease, at most 5 s. Stop then: after the lease expires, another
   * delivery may be handled concurrently. It also aborts when `extend` finds that another delivery took over.
   */
  readonly signal: WebAbortSignal;
  /**
   * Renews the lease, for a handler that takes long. Call it before the signal aborts: an aborted signal stays aborted.
   *
   * @param lease How long the lease lasts from now, in ms. Default: the receiver's `lease`.
   * @throws PaymentsError `WEBHOOK_LEASE_LOST` when the lease expired and another delivery took over: stop, and roll back what you can.
   * @throws ConfigurationError for a wrong `lease`.
   * @throws PaymentsError `STORE_TIMEOUT` when the store does not respond in time. Errors of the store pass through unchanged.
   */
  extend(lease?: number): Promise<void>;
  /**
   * Marks the event as handled within your own transaction, so that the handler's effect and this record are committed
   * together. Call it as the last step of the transaction. Only stores with transactions support it.
   *
   * @param client The connection of your open transaction.
   * @throws PaymentsError `WEBHOOK_LEASE_LOST` when the lease expired and another delivery took over: let the transaction roll back.
   * @throws PaymentsError `STORE_TIMEOUT` when the store does not respond in time: let the transaction roll back.
   * @throws ConfigurationError for a wrong client, or a store without transactions.
   */
  completeIn(client: Client): Promise<void>;
}

/** The context of a handler that runs in your transaction. */
export interface TransactionContext<Client> extends EventContext {
  /** The connection of the open transaction, which also records the event as handled. It commits when the handler returns. */
  readonly client: Client;
  /**
   * Aborts when the handler has run for the receiver's `lease`. Stop then: the database ends a transaction that is idle for a
   * second more, and the next delivery is handled.
   */
  readonly signal: WebAbortSignal;
}

/** Handlers by event type. When one throws, the next delivery calls it again. */
export type WebhookHandlers<Context = ReceiverContext> = {
  readonly [Type in WebhookEventType]?:
    | ((event: WebhookEventMap[Type], context: Context) => unknown)
    | undefined;
};

/** The handler of one event. */
export type EventHandler<Context> = (event: WebhookEvent, context: Context) => unknown;

/** Returns the handler of an event: that of its type, or `onEvent`. `undefined` if there is neither. */
export function handlerFor<Context>(
  on: WebhookHandlers<Context> | undefined,
  onEvent: EventHandler<Context> | undefined,
  event: WebhookEvent,
): EventHandler<Context> | undefined {
  if (!isKnownEvent(event)) return onEvent;
  // The compiler does not see that the handler found by the type takes this event.
  const ofType = on?.[event.type] as EventHandler<Context> | undefined;
  return ofType ?? onEvent;
}
