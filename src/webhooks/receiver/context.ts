import type { Issue } from '../../base/errors.ts';
import type { WebAbortSignal } from '../../base/web-types.ts';
import type { WebhookEventMap, WebhookEventType } from '../events/event.ts';
import type { RawBody } from '../signatures/scheme.ts';

/** The part of the context that every handler receives. */
export interface EventContext {
  /** The body as it came; of a dispatched event its JSON. */
  readonly rawBody: RawBody;
  /**
   * An id that stays the same in every delivery of the event, and differs between consumers, scopes and modes. Give it to the calls that the
   * handler makes, so that they too act once; add a suffix of your own where there are several of one kind. It is the key of the event in
   * the store: at most 512 characters of `A-Z a-z 0-9 . _ - ~ /`, so it can be a job id too.
   */
  readonly operationId: string;
  /** The scope of the endpoint whose secret signed the delivery; `undefined` where the secrets have no scopes. */
  readonly scope: string | undefined;
  /** What of the event differs from the interface; empty where it has the form that its type says, and for unknown types. */
  readonly issues: readonly Issue[];
}

/** The context of a handler that runs under a lease. */
export interface ReceiverContext<Client = never> extends EventContext {
  /** How many times the event was claimed, this time included: 1 unless an earlier handling failed or crashed. */
  readonly attempt: number;
  /**
   * Aborted before the lease runs out: a tenth of the lease before, at most 5 s. End then. Once the lease has run out, another delivery may
   * be handled at the same time. It is also aborted when `extend` finds that another delivery took over.
   */
  readonly signal: WebAbortSignal;
  /**
   * Begins the lease anew, for a handler that takes long. Call it before the signal is aborted: the signal stays aborted.
   *
   * @param lease How long it is held from now, in ms. Default: the receiver's `lease`.
   * @throws WebhookLeaseLostError when the lease ran out and another delivery took over: stop, and roll back what you can.
   * @throws StoreTimeoutError when the store does not answer in time. What the store throws comes through as it is.
   */
  extend(lease?: number): Promise<void>;
  /**
   * Records within your own transaction that the event is handled, so that its effect and this record are committed
   * together. Call it as the last step of the transaction. Only stores with transactions have it.
   *
   * @param client The connection that your transaction is open on.
   * @throws WebhookLeaseLostError when the lease ran out and another delivery took over: let it roll back.
   * @throws StoreTimeoutError when the store does not answer in time: let it roll back.
   */
  completeIn(client: Client): Promise<void>;
}

/** The context of a handler that runs in your transaction. */
export interface TransactionContext<Client> extends EventContext {
  /** The connection with the open transaction, in which the event is recorded as handled. It is committed when the handler ends. */
  readonly client: Client;
}

/** Acts on an event. When it throws, the event is delivered again. */
export type WebhookHandler<Event, Context = ReceiverContext> = (event: Event, context: Context) => unknown;

/** Handlers by the type of their event. */
export type WebhookHandlers<Context = ReceiverContext> = {
  readonly [Type in WebhookEventType]?: WebhookHandler<WebhookEventMap[Type], Context> | undefined;
};
