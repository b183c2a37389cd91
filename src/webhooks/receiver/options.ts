import type { Logger } from '../../base/logger.ts';
import type { TransactionClaims } from '../../stores/store.ts';
import type { WebhookEvent } from '../events/event.ts';
import type { ReceiverContext, TransactionContext, WebhookHandler, WebhookHandlers } from './context.ts';
import type {
  DeliveryFailure,
  DeliveryInstrument,
  DeliveryOutcome,
  DeliveryReport,
  UnreadableDelivery,
} from './report.ts';
import type { WebhookStore } from './store.ts';

/** Options of every receiver. */
export interface CommonReceiverOptions<Client, Context> {
  /** The handlers by the type of their event. */
  readonly on?: WebhookHandlers<Context> | undefined;
  /**
   * Handles every event that has no handler in `on`, of types that this version does not know too. Default: such an event is answered with
   * 2xx and ignored.
   */
  readonly onEvent?: WebhookHandler<WebhookEvent, Context> | undefined;
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
   * Keeps each verified delivery in the store until it is handled. Default: none is kept.
   *
   * - `keep`: it is handled at once, and kept where that fails;
   * - `defer`: it is kept and answered with 200, and a worker handles it: `receiver.inbox.work()`. What cannot be kept is `failed`.
   *
   * An ignored event is not kept. With `keep` neither is a body of more than 1 MiB, the most that a store holds.
   */
  readonly inbox?: 'keep' | 'defer' | undefined;
  /** How often a worker tries to handle what the inbox keeps, before it leaves it to `replay`. Default: 20, which takes about 6 hours. */
  readonly maxAttempts?: number | undefined;
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
   * Receives everything that goes wrong with a delivery, for your log. What it throws is ignored. Default, without a `logger` too: `console.error` receives
   * one line for the first failure of each part in a process (handler, store, schema, receiver), without the error's message. Refused deliveries are not
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
   * The HTTP status by outcome. What the service expects is not shown. Default (*inferred*): 200 for `handled`, `accepted`, `duplicate` and
   * `ignored`, 409 for `in_progress`, 500 for `failed` (503 where the store did not answer in time) and `unreadable`, 400 for `refused`.
   */
  readonly statuses?: Readonly<Partial<Record<AnsweredOutcome, number | undefined>>> | undefined;
}

/** The outcomes that a request can have. */
export type AnsweredOutcome = Exclude<DeliveryOutcome, 'dead'>;

/** Options of a receiver. */
export interface ReceiverOptions<Client = never>
  extends CommonReceiverOptions<Client, ReceiverContext<Client>> {
  /** Left out. */
  readonly transaction?: undefined;
}

/** Options of a receiver whose handlers run in your transaction. */
export interface TransactionReceiverOptions<Client>
  extends CommonReceiverOptions<Client, TransactionContext<Client>> {
  /**
   * Runs a function in a transaction of the store's database, and commits when it is done. The event is recorded within it before the handler
   * runs, so that its effect happens exactly once, or not at all. Another delivery of the event waits meanwhile, for `storeTimeout` at most.
   *
   * @example
   * transaction: (run) => database.transaction(run)
   */
  readonly transaction: (run: (client: Client) => Promise<void>) => Promise<unknown>;
  readonly store: WebhookStore<Client> & TransactionClaims<Client>;
}

/** Options of either kind. */
export type AnyReceiverOptions<Client> = ReceiverOptions<Client> | TransactionReceiverOptions<Client>;

/** Options of either kind, with the defaults of those that have one. */
export type ActiveOptions<Client> = AnyReceiverOptions<Client> & {
  readonly consumer: string;
  readonly maxAttempts: number;
  readonly lease: number;
  readonly retention: number;
  readonly storeTimeout: number;
};
