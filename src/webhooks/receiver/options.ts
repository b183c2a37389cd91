import { refuse } from '../../base/errors.ts';
import { type Issue, issueAt } from '../../base/issue.ts';
import { isRecord } from '../../base/json.ts';
import { maxTimer } from '../../base/numbers.ts';
import { meantBy } from '../../base/schema/advice.ts';
import { functionOf, having, optionsOf, timeFrom, unchecked } from '../../base/schema/options.ts';
import * as s from '../../base/schema/schema.ts';
import { issuesOf } from '../../base/schema/validation.ts';
import { day, minute } from '../../base/time.ts';
import { maxDuration } from '../../stores/checks.ts';
import type { Store } from '../../stores/store.ts';
import type { WebhookEvent } from '../events/event.ts';
import { isKnownType, knownTypes } from '../events/known.ts';
import { typesElsewhere } from '../events/types-elsewhere.ts';
import type { ActiveWebhooksOptions } from '../options.ts';
import type { ReceiverContext, TransactionContext, WebhookHandlers } from './handlers.ts';
import type { WebhookJob } from './job.ts';
import type { DeliveryFailure, DeliveryReport, UnreadableDelivery } from './reports/report.ts';

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
interface CommonReceiverOptions<Client, Context> {
  /** The handlers by event type. */
  readonly on?: WebhookHandlers<Context> | undefined;
  /**
   * Handles every event without a handler in `on`, including events of unknown types. Default: `unhandled` says what
   * happens to such an event.
   */
  readonly onEvent?: ((event: WebhookEvent, context: Context) => unknown) | undefined;
  /**
   * What happens to an event without a handler. `acknowledge`: it counts as handled. `keep`: the store keeps it as it keeps a failed one,
   * and the response is 200. `failed` lists it, and `dispatch` of a later version of your program handles it. Not beside `onEvent`.
   * Default: `acknowledge`.
   */
  readonly unhandled?: 'acknowledge' | 'keep' | undefined;
  /**
   * Receives each verified delivery that contains no event for a handler: not JSON, without an id or a type, of the
   * other mode (`livemode`), or older than `retention` if its signature covers no time. It counts as failed, and the store
   * keeps it, until a handler can read it or you discard it.
   */
  readonly onUnreadable?: ((delivery: UnreadableDelivery) => unknown) | undefined;
  /**
   * Hands each verified delivery to a queue that you run, which must have stored the job when the promise resolves: the response is then 200,
   * and 500 if it rejects. The endpoint masks card data, but neither reads the event nor uses the store. In the queue's worker, pass the job to
   * `dispatch`. Default: the handlers run before the response.
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
  /**
   * How long a handled event is remembered, in ms. Must exceed the time in which the service redelivers (not shown). If the scheme signs no
   * time, such as `bodyHmac`, an event created longer ago is not handled: a replay of it would be handled again. One that is created ahead
   * of your clock, by at most the `tolerance` of `Webhooks`, is remembered that much longer. Default: 30 days.
   */
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

/** Options of either kind of receiver with the defaults filled in, and those of its `Webhooks`. */
export type ActiveOptions<Client> = AnyReceiverOptions<Client> &
  ActiveWebhooksOptions & {
    readonly consumer: string;
    readonly lease: number;
    readonly retention: number;
    /** How long the store remembers a handled event, in ms. */
    readonly memory: number;
  };

const consumerExpectation = '1 to 64 letters, digits, dots, hyphens and underscores';
const consumer = /* @__PURE__ */ s.lazily(() =>
  s.string(consumerExpectation).check(s.regex(/^[A-Za-z0-9._-]{1,64}$/, consumerExpectation)),
);

/** The context of either kind of receiver. */
type Context = ReceiverContext & TransactionContext<never>;

/** The options of either kind of receiver. */
type Options = CommonReceiverOptions<never, Context> & Pick<TransactionReceiverOptions<never>, 'transaction'>;

const optionsSchema = /* @__PURE__ */ optionsOf<Options>(() => ({
  on: s.optional(s.custom<WebhookHandlers<Context>>(isRecord, 'handlers by the type of their event')),
  onEvent: s.optional(functionOf<(event: WebhookEvent, context: Context) => unknown>()),
  unhandled: s.optional(s.literal(['acknowledge', 'keep'])),
  onUnreadable: s.optional(functionOf<(delivery: UnreadableDelivery) => unknown>()),
  enqueue: s.optional(functionOf<(job: WebhookJob) => unknown>()),
  consumer: s.optional(consumer),
  store: having<WebhookStore>(
    'a store, such as memoryStore()',
    ...(['claim', 'renew', 'complete', 'release', 'open'] as const),
  ),
  transaction: unchecked(),
  lease: s.optional(timeFrom(1, maxTimer)),
  retention: s.optional(timeFrom(1, maxDuration)),
  onError: s.optional(functionOf<(failure: DeliveryFailure) => unknown>()),
  onDelivery: s.optional(functionOf<(delivery: DeliveryReport) => unknown>()),
}));

/** Handlers get issues of their own: an event type contains dots, which would read as a path. */
function handlerIssues([type, handler]: readonly [type: string, handler: unknown]): Issue[] {
  const path = `on['${type}']`;
  const issues: Issue[] = [];
  if (!isKnownType(type)) {
    const expected = 'a type of event that this version knows; onEvent is for others';
    issues.push({ path, expected, received: `another type${meantBy(type, knownTypes(), typesElsewhere)}` });
  }
  if (handler !== undefined && typeof handler !== 'function') {
    issues.push(issueAt(path, 'a function', handler));
  }
  return issues;
}

function transactionIssues({ store, transaction }: Readonly<Record<string, unknown>>): Issue[] {
  if (transaction === undefined) return [];
  const issues: Issue[] = [];
  if (typeof transaction !== 'function') {
    issues.push(issueAt('transaction', 'a function that runs another in a transaction', transaction));
  }
  if (isRecord(store) && typeof store['record'] !== 'function') {
    issues.push(issueAt('store', "a store with record, such as postgresStore, for 'transaction'", store));
  }
  return issues;
}

/** Without a handler, every event would be dropped. The handlers of a queue's worker may be in another program. */
function missingHandlers({ on, onEvent, enqueue }: Readonly<Record<string, unknown>>): Issue[] {
  return [on, onEvent, enqueue].every((option) => option === undefined)
    ? [issueAt('on', 'handlers by the type of their event, or onEvent', on)]
    : [];
}

/** `onEvent` handles every event, so there is none to keep. */
function keepIssues({ onEvent, unhandled }: Readonly<Record<string, unknown>>): Issue[] {
  return unhandled === 'keep' && onEvent !== undefined
    ? [issueAt('unhandled', 'no onEvent beside it, which handles each event', unhandled)]
    : [];
}

/** Options of `Webhooks`, which all of its receivers share. */
const namesOfWebhooks = [
  'instrument',
  'interface',
  'livemode',
  'logger',
  'maxBodyBytes',
  'now',
  'scheme',
  'secret',
  'secrets',
  'tolerance',
  'validation',
];

/** Says where an option belongs that receivers do not have. */
function placed(issue: Issue): Issue {
  if (!namesOfWebhooks.includes(issue.path)) return issue;
  return { ...issue, expected: `new Webhooks({ ${issue.path} })`, received: 'an option of the receiver' };
}

function checkReceiverOptions(options: Readonly<Record<string, unknown>>): void {
  const on = options['on'];
  const issues = [
    ...missingHandlers(options),
    ...issuesOf(optionsSchema, options).map(placed),
    ...transactionIssues(options),
    ...keepIssues(options),
    ...(isRecord(on) ? Object.entries(on).flatMap(handlerIssues) : []),
  ];
  if (issues.length > 0) refuse(issues, 'No event is handled until this is right.');
}

/** @throws ConfigurationError that lists every wrong option. */
export function activeOptions<Client>(
  options: AnyReceiverOptions<Client>,
  ofWebhooks: ActiveWebhooksOptions,
): ActiveOptions<Client> {
  checkReceiverOptions(Object(options));
  const { retention = 30 * day } = options;
  const { scheme, tolerance } = ofWebhooks;
  // An event that is created ahead of the clock is refused that much later: until then the store must know it. Both bounds are inclusive.
  const memory = scheme.signsTime === false ? Math.min(retention + tolerance + 1, maxDuration) : retention;
  return {
    ...options,
    ...ofWebhooks,
    consumer: options.consumer ?? 'default',
    lease: options.lease ?? minute,
    retention,
    memory,
  };
}
