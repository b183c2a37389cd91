import { checkOptions } from '../base/check-options.ts';
import { integerFrom, optionsOf } from '../base/options.ts';
import * as s from '../base/schema.ts';
import { unlistenedAddress } from '../base/web-address.ts';
import type { WebRequest, WebResponse } from '../base/web-types.ts';
import type { Id } from '../resources/ids.ts';
import type { PaymentIntent } from '../resources/payment-intents.ts';
import type { TerminalBatch } from '../resources/terminal-batches.ts';
import type { WebhookEventMap, WebhookEventType } from '../webhooks/events/event.ts';
import { FaultQueue } from './api/faults/fault-queue.ts';
import { createFaults, type Faults } from './api/faults/faults.ts';
import { type LoggedRequest, RequestLog } from './api/request-log.ts';
import { Listening, type ListenOptions } from './api/server/listening.ts';
import { createApp } from './app.ts';
import { type ActivityListener, watchActivity } from './control/activity.ts';
import { createControl, isForControl } from './control/control.ts';
import type { ControlContext } from './control/control-context.ts';
import { ObjectEditor } from './domain/object-editor.ts';
import type { PayOptions } from './domain/payments/pay.ts';
import type { SandboxEvent } from './domain/records/event.ts';
import type { SandboxKind, SandboxObjects } from './domain/records/records.ts';
import type { Transaction } from './domain/records/transaction.ts';
import { type Reconciliation, reconcile } from './domain/settlement/reconcile.ts';
import { type SettleOptions, settle } from './domain/settlement/settle.ts';
import type { State } from './domain/state.ts';
import type { SandboxKeys } from './keys.ts';
import { readOptions, type SandboxOptions } from './options.ts';
import { checkoutPath } from './pages/checkout/path.ts';
import { createState } from './rules.ts';
import { seed } from './scenarios/seed/seed.ts';
import type { SeedCounts, SeedOptions } from './scenarios/seed/seed-options.ts';
import { type TriggerFields, type TriggerOptions, trigger } from './scenarios/trigger/trigger.ts';
import { type SandboxClock, VirtualClock } from './store/clock.ts';
import { emptyContents, type StoreContents } from './store/contents.ts';
import { startOfIds } from './store/ids.ts';
import { persist } from './store/persist.ts';
import type { Persistence } from './store/persistence.ts';
import { keepRunning } from './store/running-clock.ts';
import { fromSnapshot, type SandboxSnapshot, toSnapshot } from './store/snapshot.ts';
import { recordedClock, recordedFaults, recordedPay, recordedWebhooks } from './stories/recorded-facade.ts';
import type { StorySummary } from './stories/story.ts';
import { StoryLog } from './stories/story-log.ts';
import { type CardDetails, CardReader, cardDetails } from './transact/card-reader.ts';
import { addToken } from './transact/payment-token.ts';
import { type Authentication, authenticateToken, type ChallengeAnswer } from './transact/three-d-secure.ts';
import { DeliverySender } from './webhooks/delivery-sender.ts';
import { capacity } from './webhooks/publish.ts';
import { forgetFunctions, registerAll } from './webhooks/register-endpoint.ts';
import { createWebhooks, type SandboxWebhooks } from './webhooks/sandbox-webhooks.ts';
import { untilAborted } from './webhooks/until-aborted.ts';

const isText = (value: unknown) => typeof value === 'string';
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);
const paySchema = optionsOf<PayOptions>({
  payment_method: s.optional(s.custom<Id<'payment_method'>>(isText, 'the id of a payment method')),
});
const settleSchema = optionsOf<SettleOptions>({
  currency: s.optional(s.string()),
  terminal_ids: s.optional(s.custom<readonly Id<'terminal'>[]>(isTexts, 'an array of ids of terminals')),
});
const listenSchema = optionsOf<ListenOptions>({
  port: s.optional(integerFrom(0, 65_535)),
  host: s.optional(s.string()),
  allowRemote: s.optional(s.boolean()),
});
const challengeAnswer = s.literal(['passed', 'failed', 'unanswered']);
const triggerSchema = optionsOf<TriggerOptions>({ bare: s.optional(s.boolean()) });

/** The initial state of a sandbox, and its persistence. */
interface Origin {
  readonly contents?: StoreContents;
  /** The keys to use unless the options set them. Default: new ones. */
  readonly keys?: SandboxKeys;
  readonly persistence?: Persistence;
}

/**
 * An embedded simulation of the payment service, with state: your code creates objects, reads, pays and refunds them.
 * It runs in this process and moves no money. Every payment method succeeds, except a few such as `pm_card_declined`: the
 * guide to the sandbox lists them.
 *
 * @example
 * const sandbox = createSandbox();
 * const payments = new PaymentsClient({
 *   baseUrl: sandbox.url,
 *   secretKey: sandbox.secretKey,
 *   fetch: sandbox.fetch,
 * });
 */
export class Sandbox {
  /** @internal esbuild renames a class that mentions itself, and `util.inspect` would print that. */
  static readonly name = 'Sandbox';

  /** The secret key for `/v1`. */
  readonly secretKey: string;
  /** The key for the form endpoint, sent as `security_key`. */
  readonly securityKey: string;
  /** The key for browser scripts. */
  readonly publicKey: string;
  /** The sandbox's clock. All timestamps come from it. */
  readonly clock: SandboxClock;
  /** Injects faults into requests and deliveries. */
  readonly faults: Faults;
  /** Webhook endpoints and deliveries. */
  readonly webhooks: SandboxWebhooks;
  /**
   * Handles a request in this process, without a network. Pass it to a client as its `fetch`; it needs no `this`. It ignores
   * the origin of the URL.
   */
  readonly fetch: (request: WebRequest) => Promise<WebResponse>;

  readonly #state: State;
  readonly #sender: DeliverySender;
  readonly #options: SandboxOptions;
  readonly #startsAt: number;
  readonly #persistence: Persistence | undefined;
  readonly #cards: CardReader;
  readonly #editor: ObjectEditor;
  readonly #log: RequestLog;
  readonly #storyLog: StoryLog;
  /** The sandboxes that the dashboard forked. */
  readonly #forks: Sandbox[] = [];
  readonly #listening: Listening;
  readonly #stopClock: () => void;
  /** A page in a browser must not hold the secret key, which may be a key of the real service. */
  readonly #dashboardKey = crypto.randomUUID();

  constructor(options: SandboxOptions, { contents, keys, persistence }: Origin = {}) {
    const settings = readOptions(options, keys);
    this.#options = options;
    const clock = new VirtualClock(settings.startsAt);
    const queue = new FaultQueue(settings);
    this.secretKey = settings.secretKey;
    this.securityKey = settings.securityKey;
    this.publicKey = settings.publicKey;
    const { webhookTimeout: timeout, signedAt } = settings;
    this.#sender = new DeliverySender({ timeout, signedAt, clock });
    this.#state = createState(clock, settings, this.#sender);
    this.#log = new RequestLog(() => clock.now());
    this.#storyLog = new StoryLog(this.#state, this.#log);
    this.faults = recordedFaults(createFaults(queue, this.#state), this.#storyLog);
    this.webhooks = recordedWebhooks(createWebhooks(this.#state, this.#sender), this.#storyLog);
    this.clock = recordedClock(this.#state, this.#storyLog);
    this.#editor = new ObjectEditor(this.#state);
    this.#cards = new CardReader(settings.securityKey);
    const dashboardKey = this.#dashboardKey;
    const app = createApp({ state: this.#state, settings, faults: queue, log: this.#log, dashboardKey });
    const serve = (request: Request) => app.fetch(request, { source: 'dashboard' });
    const control = this.#control(queue, serve, settings.clock === 'running');
    const answer = async (request: Request) =>
      isForControl(request) ? control(request) : app.fetch(request);
    this.#listening = new Listening(answer);
    this.fetch = (request) => untilAborted(() => answer(request), request.signal);
    this.#startsAt = settings.startsAt;
    this.#persistence = persistence;
    if (persistence !== undefined) {
      persist(this.#state, persistence, settings.clock === 'running');
      forgetFunctions(this.#state);
    }
    if (contents === undefined) this.#begin();
    else this.#state.load(contents);
    // A running clock catches up with real time from its saved time.
    const catchesUp = options.startsAt === undefined;
    const { scheduler } = this.#state;
    // Ticks are not recorded: they are not actions of a user.
    const ticking = { now: () => clock.now(), advance: (ms: number) => scheduler.advance(ms) };
    this.#stopClock = settings.clock === 'running' ? keepRunning(ticking, catchesUp) : () => {};
  }

  /** The base URL: the server's while it listens, otherwise one that only {@link fetch} accepts. */
  get url(): string {
    return this.#listening.url;
  }

  /**
   * Returns the URL of a checkout session's page, which the sandbox serves while it listens. The interface does not
   * show the address of the service's own page.
   *
   * @param id The session's id, `cs_…`.
   * @throws Error while the sandbox does not listen: the address would lead nowhere.
   */
  checkoutUrl(id: string): string {
    if (this.url === unlistenedAddress) {
      throw new Error(
        'sandbox.checkoutUrl: expected a sandbox that listens, got one that does not. Call await sandbox.listen() first.',
      );
    }
    return this.url + checkoutPath(encodeURIComponent(id));
  }

  /** Waits until all due work is done: every webhook delivery that is due now was attempted. */
  settled(): Promise<void> {
    return this.#state.scheduler.settled();
  }

  /**
   * Calls a listener for each request, event and delivery attempt. Errors of the listener are ignored.
   *
   * @returns A function that unsubscribes the listener.
   *
   * @example
   * const stop = sandbox.watch((activity) => {
   *   if (activity.kind === 'event') console.log(activity.event.type);
   * });
   */
  watch(listener: ActivityListener): () => void {
    return watchActivity(this.#state, this.#log, listener);
  }

  /**
   * Creates sample data: customers, payments that are paid, declined or canceled, refunds, and subscriptions with
   * invoices, spread over the months before the clock's current time. The same seed creates the same data in two
   * sandboxes with the same state; their own `seed` decides about ids. The data emits no events, so there are no deliveries.
   *
   * @returns How many objects were created.
   * @throws ConfigurationError when a number is not an integer or out of range.
   *
   * @example
   * sandbox.seed({ customers: 200, intents: 5_000, months: 6, seed: 'demo' });
   */
  seed(options: SeedOptions = {}): SeedCounts {
    return this.#storyLog.act('seed', { ...options }, () => seed(this.#state, options));
  }

  /**
   * Takes a snapshot of the state, to restore later. It is cheap: it shares the objects, which are immutable. It includes
   * faults of deliveries, but neither faults of requests nor the request log.
   *
   * @example
   * const before = sandbox.snapshot();
   * // …
   * sandbox.restore(before);
   */
  snapshot(): SandboxSnapshot {
    return toSnapshot(this.#state.contents());
  }

  /**
   * Restores a snapshot of this or another sandbox, with its clock. A delivery that is being sent still arrives, but
   * its result is dropped.
   *
   * @throws ConfigurationError for a value that is not a snapshot.
   */
  restore(snapshot: SandboxSnapshot): void {
    const contents = fromSnapshot(snapshot);
    this.#storyLog.act('restore', {}, () => this.#state.load(contents));
    this.#storyLog.cutOff();
    this.#persistence?.rewrite(this.#state.contents());
  }

  /**
   * Creates an independent copy with the same options, keys and state, in memory only. It has its own clock and
   * no faults of requests, and does not listen yet.
   */
  fork(): Sandbox {
    return this.#forkWith(this.#state.contents());
  }

  /** Resets the sandbox to its initial state: no objects, no faults, and only the endpoints of its options. */
  reset(): void {
    this.faults.clear();
    this.#log.clear();
    this.#storyLog.clear();
    this.#state.load(emptyContents(this.#startsAt));
    this.#persistence?.rewrite(this.#state.contents());
    this.#begin();
  }

  /** Registers the endpoints of the options, and starts the ids of everything else. */
  #begin(): void {
    const { webhooks = [], seed } = this.#options;
    registerAll(this.#state, this.#sender, webhooks);
    // Only now, so that an app keeps the secrets of its endpoints. Other ids are new: a receiver ignores an event that it has handled.
    this.#state.ids.resume(startOfIds(seed));
  }

  /** The latest 1,000 requests that got a response or were dropped, newest last. */
  get requests(): readonly LoggedRequest[] {
    return this.#log.entries();
  }

  /**
   * Returns the story of one business operation: its verdict, its charges, and everything else that happened to it.
   * The sandbox records while it listens, and keeps the latest 4,000 requests, changes, deliveries and actions.
   *
   * @param id The operation id, an idempotency key, or the id of an object, an event or a request.
   * @returns `undefined` if no recorded entry belongs to it.
   *
   * @example
   * expect(sandbox.story('order-1042')).toMatchObject({ verdict: 'charged_once', charges: 1, net: 1200 });
   */
  story(id: string): StorySummary | undefined {
    return this.#storyLog.stories.summaryOf(id);
  }

  /** The latest 10,000 events, newest last, whether or not an endpoint subscribes to them. */
  get events(): readonly SandboxEvent[] {
    const { event } = this.#state.objects;
    return event.page({ limit: capacity }).toReversed();
  }

  /** The transactions of the form endpoint, approved or declined, newest last. They contain no card data. */
  get transactions(): readonly Transaction[] {
    return this.#state.objects.transaction.all();
  }

  /**
   * Simulates the browser's card fields: creates a `payment_token` for a card. The token is valid once, within 15
   * minutes of the sandbox's clock. The sandbox keeps only a keyed hash of the card.
   *
   * @throws ConfigurationError when the card is invalid. It repeats no value.
   *
   * @example
   * const payment_token = await sandbox.tokenize({ ccnumber: testCards.fullMatch.number, ccexp: '1230', cvv: '123' });
   */
  async tokenize(card: CardDetails): Promise<string> {
    checkOptions('sandbox.tokenize', cardDetails, card);
    const known = await this.#cards.read(card);
    return this.#state.unit(() => addToken(this.#state, known).id);
  }

  /**
   * Simulates `authenticate` of the browser script: runs 3-D Secure for a token, which stays unused. Pass the result
   * to a transaction as `threeDSecure`.
   *
   * @param challenge The buyer's answer if the card requires a challenge. Default: `passed`.
   * @throws ConfigurationError when the answer is unknown, the sandbox did not create the token, or it was used or has expired.
   */
  authenticate(paymentToken: string, challenge: ChallengeAnswer = 'passed'): Authentication {
    checkOptions('sandbox.authenticate.challenge', challengeAnswer, challenge, 'Pass one of them.');
    return authenticateToken(this.#state, paymentToken, challenge);
  }

  /**
   * Adds an object of any kind as the newest one, even of a kind that no request creates. Omitted fields get defaults: a new
   * id, an initial state, 12.00 USD. Nothing else changes: an object that it refers to may be missing, and sums are stored
   * as given.
   *
   * @throws ConfigurationError when the fields are invalid for the kind, or the id exists.
   * @throws Error when the books would not balance.
   *
   * @example
   * const invoice = sandbox.add('invoice', { customer: customer.id });
   * sandbox.add('product', { name: 'Tea' });
   */
  add<Kind extends SandboxKind>(kind: Kind, fields?: Partial<SandboxObjects[Kind]>): SandboxObjects[Kind] {
    return this.#storyLog.act('add', { kind, fields }, () => this.#editor.add(kind, fields));
  }

  /** Returns an object in its current state; `undefined` if there is none, or it is a deleted open resource. */
  get<Kind extends SandboxKind>(kind: Kind, id: string): SandboxObjects[Kind] | undefined {
    return this.#editor.get(kind, id);
  }

  /**
   * Updates fields of an object in any state: for example, it lets a refund succeed or fail, or settles a charge. A refund
   * that fails no longer counts in its charge's `amount_refunded`, and an invoice may change the status of its
   * subscription; no other object changes.
   *
   * @throws ConfigurationError when the fields are invalid for the kind, or there is no such object.
   * @throws Error when the books would not balance.
   *
   * @example
   * sandbox.update('refund', refund.id, { status: 'succeeded' });
   */
  update<Kind extends SandboxKind>(
    kind: Kind,
    id: string,
    fields: Partial<SandboxObjects[Kind]>,
  ): SandboxObjects[Kind] {
    return this.#storyLog.act('update', { kind, id, fields }, () => this.#editor.update(kind, id, fields));
  }

  /**
   * Triggers an event: makes the state change that emits it, and creates the objects that this change needs. State, event
   * and deliveries therefore agree. It emits the preceding events too, as the service would. It also supports
   * `payment_intent.requires_action`, which the service never sends in v1.
   *
   * @param type A type of the catalog, of the Connect lifecycle, or `chargeback.received`.
   * @param fields Fields of the object. With the `id` of an existing one, its state changes, if the transition is allowed.
   * @returns The event.
   * @throws ConfigurationError when the type is unknown or the fields are invalid.
   * @throws Error when the object's state does not allow it. Nothing has changed then.
   *
   * @example
   * const event = sandbox.trigger('refund.failed', { amount: 500 });
   */
  trigger<Type extends WebhookEventType>(
    type: Type,
    fields?: TriggerFields<Type>,
    options: TriggerOptions = {},
  ): WebhookEventMap[Type] {
    checkOptions('sandbox.trigger', triggerSchema, options);
    return this.#storyLog.act('trigger', { type, fields, options }, () =>
      trigger(this.#state, type, fields, options),
    );
  }

  /**
   * Simulates the buyer: pays a payment intent, a checkout session or an invoice. A session gets an intent and
   * completes; an invoice gets an intent too. The charge is captured at once, whatever the intent's `capture_method`
   * is. If the payment is declined, as with `pm_card_declined`, the intent gets a failed charge and waits for another
   * payment method, and a session stays open.
   *
   * @param options The payment method. Default: the attached one, else a card that succeeds.
   * @returns The updated payment intent.
   * @throws ConfigurationError for a wrong option, or when there is no such object, or it does not wait for a payment.
   */
  pay(id: string, options: PayOptions = {}): PaymentIntent {
    checkOptions('sandbox.pay', paySchema, options);
    return recordedPay(this.#state, this.#storyLog, id, options);
  }

  /**
   * Closes a terminal batch for each currency, with all charges and refunds that succeeded since the last one. They
   * get `settled_at` and `settlement_batch_id`. The service shows no request for it.
   *
   * @returns The closed batches; empty if nothing is unsettled.
   */
  settle(options: SettleOptions = {}): readonly TerminalBatch[] {
    checkOptions('sandbox.settle', settleSchema, options);
    const work = () => this.#state.unit(() => settle(this.#state, options));
    return this.#storyLog.act('settle', { ...options }, work);
  }

  /**
   * Records the result of reconciling a closed batch with the bank.
   *
   * @returns The updated batch.
   * @throws ConfigurationError when there is no such batch, it is not closed, or its state does not allow it.
   */
  reconcile(batch: string, outcome: Reconciliation): TerminalBatch {
    return this.#state.unit(() => reconcile(this.#state, batch, outcome));
  }

  /**
   * Starts an HTTP server on this machine, for clients that need a network. Needs Node, or a runtime with its
   * modules.
   *
   * @throws Error when it already listens, or the port is taken.
   * @throws ConfigurationError when the host is not a loopback address, without `allowRemote: true`.
   */
  async listen(options: ListenOptions = {}): Promise<this> {
    checkOptions('sandbox.listen', listenSchema, options);
    this.#storyLog.begin();
    await this.#listening.start(options);
    return this;
  }

  /**
   * Stops the server, closes open connections, and releases paused requests. The state stays, so {@link fetch} still works;
   * with a data file it only reads. A second call has no effect.
   */
  async close(): Promise<void> {
    this.#stopClock();
    this.faults.clear();
    this.#sender.interrupt();
    await Promise.all(this.#forks.map((fork) => fork.close()));
    await this.#listening.stop();
    if (this.#persistence === undefined) return;
    // Interrupted attempts are saved as such; no new ones start.
    this.#state.scheduler.restart([]);
    await this.settled();
    this.#persistence.close();
  }

  #forkWith(contents: StoreContents): Sandbox {
    const { secretKey, securityKey, publicKey } = this;
    const fork = new Sandbox(this.#options, { contents, keys: { secretKey, securityKey, publicKey } });
    fork.#sender.mountAll(this.#sender);
    return fork;
  }

  /** Starts a sandbox with the state right after an entry on a port of its own. It closes with this one. */
  async #listenAsAfter(entry: number): Promise<string | undefined> {
    const contents = this.#storyLog.contentsAfter(entry);
    if (contents === undefined) return undefined;
    const fork = await this.#forkWith(contents).listen();
    this.#forks.push(fork);
    return fork.url;
  }

  #control(
    queue: FaultQueue,
    serve: ControlContext['serve'],
    isClockRunning: boolean,
  ): (request: Request) => Promise<Response> {
    return createControl({
      // A network address would let anyone open the dashboard and read its key.
      serve,
      secretKey: this.secretKey,
      keys: () => [this.secretKey, ...(this.#listening.isRemote ? [] : [this.#dashboardKey])],
      state: this.#state,
      clock: this.clock,
      isClockRunning,
      log: this.#log,
      faults: this.faults,
      queue,
      webhooks: this.webhooks,
      watch: (listener) => this.watch(listener),
      storyLog: this.#storyLog,
      options: { ...this.#options },
      listenAsAfter: (entry) => this.#listenAsAfter(entry),
      reset: () => this.reset(),
    });
  }
}

/**
 * Creates a sandbox. Its `fetch` works at once; `listen` starts a server.
 *
 * @throws ConfigurationError when an option is invalid or unknown.
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  return new Sandbox(options);
}
