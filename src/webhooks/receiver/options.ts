import type { Issue } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { WebAbortSignal } from '../../base/web-types.ts';
import type { UnknownEvent, WebhookEventMap, WebhookEventType } from '../events/event.ts';
import type { RawBody } from '../signatures/scheme.ts';
import type {
  DeliveryFailure,
  DeliveryInstrument,
  DeliveryOutcome,
  DeliveryReport,
  UnreadableDelivery,
} from './report.ts';
import type { WebhookStore } from './store.ts';

export type {
  DeliveryFailure,
  DeliveryInstrument,
  DeliveryOutcome,
  DeliveryReport,
  DeliverySource,
  UnreadableDelivery,
} from './report.ts';

/** What a handler is told besides the event. */
export interface ReceiverContext<Client = never> {
  /** The body as it came. */
  readonly rawBody: RawBody;
  /** How many times the event was claimed, this time included: 1 unless an earlier handling failed or crashed. */
  readonly attempt: number;
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

/** Acts on an event. When it throws, the event is delivered again. */
export type WebhookHandler<Event, Client = never> = (
  event: Event,
  context: ReceiverContext<Client>,
) => unknown;

/** Handlers by the type of their event. */
export type WebhookHandlers<Client = never> = {
  readonly [Type in WebhookEventType]?: WebhookHandler<WebhookEventMap[Type], Client> | undefined;
};

/** Options of a receiver. */
export interface ReceiverOptions<Client = never> {
  /** The handlers. A type without one is answered with 2xx and ignored. */
  readonly on: WebhookHandlers<Client>;
  /** Handles the types of events that this version does not know. Default: they are ignored. */
  readonly onUnknown?: WebhookHandler<UnknownEvent, Client> | undefined;
  /**
   * Receives each delivery that was verified and is no event for a handler: not JSON, without an id or a type, of the other mode (`livemode`),
   * or of another form with `validation: 'throw'`. It is answered with 500 all the same, so that the service repeats it until a handler can
   * read it. If this function keeps the body, `statuses: { unreadable: 200 }` ends the repetition. When it throws, the outcome is `failed`.
   */
  readonly onUnreadable?: ((delivery: UnreadableDelivery) => unknown) | undefined;
  /**
   * What this receiver does with events, such as `billing`: 1 to 64 letters, digits, `.`, `_` and `-`. Receivers with different names on one
   * store each handle every event once. It is part of the key of each event, so events are handled again after a change. Default: `default`.
   */
  readonly consumer?: string | undefined;
  /** Remembers which events were handled. All processes that receive the same endpoint must share it. */
  readonly store: WebhookStore<Client>;
  /**
   * Keeps the body of each verified delivery in the store until it is handled: `store.open({ prefix: 'webhook/billing/', limit })` lists those of the
   * consumer `billing` that never were. An ignored event, and a body of more than 1 MiB, is not kept. A body that is no text is kept as a `data:` URL.
   * Default: false.
   */
  readonly keepBodies?: boolean | undefined;
  /**
   * How long a handler may take, in ms, from when it starts. When it runs out, as after a crash, the next delivery is handled. Default: 60 000.
   */
  readonly lease?: number | undefined;
  /** How long a handled event is remembered, in ms. Default: 30 days. Longer than the service repeats deliveries. */
  readonly retention?: number | undefined;
  /**
   * How long the store may take for one operation, in ms. Then the outcome is `failed`, answered with 503 and `Retry-After`. A claim that is
   * granted later is given back. Default: 3000.
   */
  readonly storeTimeout?: number | undefined;
  /**
   * Receives everything that goes wrong with a delivery, for your log. What it throws is ignored. Default, without a `logger` too: `console.error` receives one line
   * for the first failure of each part in a process (handler, store, schema, receiver), without the error's message. Refused deliveries are not
   * written.
   */
  readonly onError?: ((failure: DeliveryFailure) => unknown) | undefined;
  /** Receives each delivery once, whatever became of it, for your metrics. What it throws is ignored. */
  readonly onDelivery?: ((delivery: DeliveryReport) => unknown) | undefined;
  /**
   * Writes one line for each delivery, such as `webhooks: refund.failed evt_1 handled`, with its report: `debug`, `info` where it was refused,
   * `warn` where it could not be read, `error` where it failed. `console`, a pino or a winston logger. Default: no lines.
   */
  readonly logger?: Logger | undefined;
  /** Runs around each delivery: `openTelemetryDeliveries()` of `payments-client/opentelemetry`. */
  readonly instrument?: DeliveryInstrument | undefined;
  /**
   * The HTTP status by outcome. What the service expects is not shown. Default (*inferred*): 200 for `handled`, `duplicate` and `ignored`, 409
   * for `in_progress`, 500 for `failed` (503 where the store did not answer in time) and `unreadable`, 400 for `refused`.
   */
  readonly statuses?: Readonly<Partial<Record<DeliveryOutcome, number | undefined>>> | undefined;
}

/** Options of a receiver, with the defaults of those that have one. */
export type ActiveOptions<Client> = ReceiverOptions<Client> & {
  readonly consumer: string;
  readonly lease: number;
  readonly retention: number;
  readonly storeTimeout: number;
};
