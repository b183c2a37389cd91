import type { Logger } from '../../base/logger.ts';
import type { Store } from '../../stores/store.ts';
import type { WebhookEvent } from '../events/event.ts';
import type { ReceiverContext, TransactionContext, WebhookHandlers } from './context.ts';
import type { WebhookJob } from './job.ts';
import type {
  DeliveryFailure,
  DeliveryInstrument,
  DeliveryReport,
  UnreadableDelivery,
} from './reports/report.ts';

/**
 * Records which events were handled, for all processes that share it. Every store of `payments-client/stores`
 * implements it.
 *
 * @typeParam Client A connection of the store's database with an open transaction; `never` if the store has no
 * transactions.
 */
export type WebhookStore<Client = never> = Pick<
  Store<Client>,
  'claim' | 'renew' | 'complete' | 'release' | 'open'
>;

/** Options of every receiver. */
export interface CommonReceiverOptions<Client, Context> {
  /** The handlers by event type. */
  readonly on?: WebhookHandlers<Context> | undefined;
  /**
   * Handles every event without a handler in `on`, including events of unknown types. Default: such an event counts as
   * handled.
   */
  readonly onEvent?: ((event: WebhookEvent, context: Context) => unknown) | undefined;
  /**
   * Receives each verified delivery that contains no event for a handler: not JSON, without an id or a type, or of the
   * other mode (`livemode`). It counts as failed, and the store keeps it, until a handler can read it or you discard it.
   */
  readonly onUnreadable?: ((delivery: UnreadableDelivery) => unknown) | undefined;
  /**
   * Hands each verified delivery to a queue that you run, which must have stored the job when the promise resolves: the response is then 200,
   * and 500 if it rejects. The endpoint neither reads the body nor uses the store. In the queue's worker, pass the job to `dispatch`. Default:
   * the handlers run before the response.
   *
   * @example
   * webhooks.receiver({ store, on, enqueue: (job) => queue.add('webhook', job) }); // BullMQ
   */
  readonly enqueue?: ((job: WebhookJob) => unknown) | undefined;
  /**
   * Names what this receiver does with events, such as `billing`: 1 to 64 letters, digits, `.`, `_` and `-`. Receivers
   * with different names can share a store: each handles every event once. The name is part of each event's key, so
   * renaming it handles events again. Default: `default`.
   */
  readonly consumer?: string | undefined;
  /** Records which events were handled. All processes that receive for the same endpoint must share it. */
  readonly store: WebhookStore<Client>;
  /**
   * How long a handler may take, in ms, from its start. After it expires, for example after a crash, the next delivery
   * is handled. With `transaction`, that is when the transaction has been idle for a second more. Default: 60 000.
   */
  readonly lease?: number | undefined;
  /** How long a handled event is remembered, in ms. Must exceed the time in which the service redelivers. Default: 30 days. */
  readonly retention?: number | undefined;
  /**
   * Receives every failure of a delivery, for your log. Errors that it throws are ignored. Default, if the `Webhooks` have no
   * `logger` either: `console.error` gets it, at most once a minute for each cause: the part that failed, with the name and code of
   * the error. Of a handler's error on a test event, the message and the stack are shown too. Other messages may quote a body.
   */
  readonly onError?: ((failure: DeliveryFailure) => unknown) | undefined;
  /**
   * Receives each delivery once, whatever its outcome, for your metrics. Errors that it throws are ignored.
   */
  readonly onDelivery?: ((delivery: DeliveryReport) => unknown) | undefined;
}

/** Options of a receiver. */
export interface ReceiverOptions<Client = never>
  extends CommonReceiverOptions<Client, ReceiverContext<Client>> {
  /** Must be absent. */
  readonly transaction?: undefined;
}

/**
 * Options of a receiver whose handlers run in your transaction.
 *
 * @typeParam Client What your `transaction` passes on, such as `PoolClient` of `pg`.
 * @typeParam StoreClient What the store needs of it.
 */
export interface TransactionReceiverOptions<Client extends StoreClient, StoreClient = Client>
  extends CommonReceiverOptions<Client, TransactionContext<Client>> {
  /**
   * Runs a function in a transaction of the store's database, and commits when it returns. The transaction also records the
   * event, so its effect happens exactly once or not at all. Another delivery of the event meanwhile waits, with
   * `postgresStore` for at most 2 s: then it is `in_progress`. A transaction that does not start within 3 s fails with 503.
   *
   * @example
   * webhooks.receiver({ store, on, transaction: (run) => database.transaction(run) });
   */
  readonly transaction: (run: (client: Client) => Promise<void>) => Promise<unknown>;
  readonly store: WebhookStore<StoreClient> & Required<Pick<Store<StoreClient>, 'record'>>;
}

/** Options of either kind of receiver. */
export type AnyReceiverOptions<Client> = ReceiverOptions<Client> | TransactionReceiverOptions<Client>;

/** What all receivers of a `Webhooks` share. */
export interface ReceiverSettings {
  readonly logger: Logger | undefined;
  readonly instrument: DeliveryInstrument | undefined;
}

/** Options of either kind of receiver, with the defaults filled in. */
export type ActiveOptions<Client> = AnyReceiverOptions<Client> &
  ReceiverSettings & {
    readonly consumer: string;
    readonly lease: number;
    readonly retention: number;
  };
