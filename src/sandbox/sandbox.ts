import { optionsOf, unchecked } from '../base/options.ts';
import * as s from '../base/schema.ts';
import type { WebRequest, WebResponse } from '../base/web-types.ts';
import type { PaymentIntent } from '../resources/payment-intents.ts';
import type { TerminalBatch } from '../resources/terminal-batches.ts';
import type { WebhookEventType } from '../webhooks/events/event.ts';
import { FaultQueue } from './api/faults/fault-queue.ts';
import { createFaults, type Faults } from './api/faults/faults.ts';
import { type LoggedRequest, RequestLog } from './api/request-log.ts';
import { Listening, type ListenOptions } from './api/server/listening.ts';
import { createApp } from './app.ts';
import { type ActivityListener, watchActivity } from './control/activity.ts';
import { createControl, isForControl } from './control/control.ts';
import type { ControlContext } from './control/control-context.ts';
import { checkOptions } from './domain/check-options.ts';
import { ObjectEditor } from './domain/object-editor.ts';
import { type PayOptions, pay } from './domain/payments/pay.ts';
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
import {
  type TriggeredEvent,
  type TriggerFields,
  type TriggerOptions,
  trigger,
} from './scenarios/trigger/trigger.ts';
import { type SandboxClock, VirtualClock } from './store/clock.ts';
import { emptyContents, type StoreContents } from './store/contents.ts';
import { persist } from './store/persist.ts';
import type { Persistence } from './store/persistence.ts';
import { keepRunning } from './store/running-clock.ts';
import { fromSnapshot, type SandboxSnapshot, toSnapshot } from './store/snapshot.ts';
import { recordedClock, recordedFaults, recordedWebhooks } from './stories/recorded-facade.ts';
import type { StorySummary } from './stories/story.ts';
import { StoryLog } from './stories/story-log.ts';
import { type CardDetails, CardReader } from './transact/card-reader.ts';
import { addToken } from './transact/payment-token.ts';
import { type Authentication, authenticate, type ChallengeAnswer } from './transact/three-d-secure.ts';
import { DeliverySender } from './webhooks/delivery-sender.ts';
import { capacity } from './webhooks/publish.ts';
import { registerAll } from './webhooks/register-endpoint.ts';
import { createWebhooks, type SandboxWebhooks } from './webhooks/sandbox-webhooks.ts';
import { untilAborted } from './webhooks/until-aborted.ts';

// What a card, a payment method, a currency or a host must be, is checked where it is used.
const cardSchema = optionsOf<CardDetails>({ ccnumber: unchecked(), ccexp: unchecked(), cvv: unchecked() });
const paySchema = optionsOf<PayOptions>({ payment_method: unchecked() });
const settleSchema = optionsOf<SettleOptions>({ currency: unchecked(), terminal_ids: unchecked() });
const listenSchema = optionsOf<ListenOptions>({
  port: unchecked(),
  host: unchecked(),
  allowRemote: s.optional(s.boolean()),
});
const triggerSchema = optionsOf<TriggerOptions>({ bare: s.optional(s.boolean()) });

/** What a sandbox begins with, where it is not empty, and what keeps it. */
interface Origin {
  readonly contents?: StoreContents;
  /** The keys that are taken where the options have none. Default: new ones. */
  readonly keys?: SandboxKeys;
  readonly persistence?: Persistence;
}

/**
 * A double of the payment service that keeps state: what is created can be read, paid and refunded. It runs in this
 * process and moves no money. Every payment method pays, but for `pm_card_declined`.
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

  /** The secret key that `/v1` asks for. */
  readonly secretKey: string;
  /** The key that the form endpoint asks for as `security_key`. */
  readonly securityKey: string;
  /** The key that browser scripts are given. */
  readonly publicKey: string;
  /** The sandbox's time; every timestamp comes from it. */
  readonly clock: SandboxClock;
  /** What is to go wrong with requests and deliveries. */
  readonly faults: Faults;
  /** Where events are delivered to, and what became of them. */
  readonly webhooks: SandboxWebhooks;
  /**
   * Answers a request in this process, without a network. It is bound, so it can be given to a client as its `fetch`.
   * The origin of the address does not matter.
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
  /** Those that the dashboard made. */
  readonly #forks: Sandbox[] = [];
  readonly #listening: Listening;
  readonly #stopClock: () => void;
  /** The page in a browser must not hold the secret key, which may be one of the service's own. */
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
    if (persistence !== undefined) persist(this.#state, persistence, settings.clock === 'running');
    if (contents === undefined) registerAll(this.#state, this.#sender, settings.webhooks);
    else this.#state.load(contents);
    // It catches up from the time that was kept.
    const catchesUp = options.startsAt === undefined;
    const { scheduler } = this.#state;
    // Its steps are no actions of anybody, so they are not recorded.
    const ticking = { now: () => clock.now(), advance: (ms: number) => scheduler.advance(ms) };
    this.#stopClock = settings.clock === 'running' ? keepRunning(ticking, catchesUp) : () => {};
  }

  /** Where clients reach it: the server's address while it listens, else one that only {@link fetch} answers. */
  get url(): string {
    return this.#listening.url;
  }

  /**
   * Where a buyer pays a checkout session: a page of the sandbox, once it listens. The interface does not show where the
   * service's own page is.
   *
   * @param id The session's id, `cs_…`.
   */
  checkoutUrl(id: string): string {
    return this.url + checkoutPath(encodeURIComponent(id));
  }

  /** Waits until nothing is due any more: every delivery of a webhook that is due now was tried. */
  settled(): Promise<void> {
    return this.#state.scheduler.settled();
  }

  /**
   * Tells of each request, event and attempt of a delivery from now on. What the listener throws is ignored.
   *
   * @returns Ends it.
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
   * Makes sample data: customers, payments that are paid, declined or canceled, refunds, and subscriptions with
   * invoices, spread over the months before the present of the clock. The same seed gives the same data in a sandbox
   * that is otherwise the same. There are no events of it, and so no deliveries.
   *
   * @returns How many objects were made.
   * @throws RangeError when a number is no integer or out of bounds.
   *
   * @example
   * sandbox.seed({ customers: 200, intents: 5_000, months: 6, seed: 'demo' });
   */
  seed(options: SeedOptions = {}): SeedCounts {
    return this.#storyLog.act('seed', { ...options }, () => seed(this.#state, options));
  }

  /**
   * All that it remembers now, to go back to later. It costs little: objects are shared, since they never change. Faults
   * and the log of requests are not in it.
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
   * Goes back to a snapshot, of this sandbox or of another one; the clock too. What is on its way to an endpoint arrives
   * and is forgotten.
   *
   * @throws TypeError when it is no snapshot.
   */
  restore(snapshot: SandboxSnapshot): void {
    const contents = fromSnapshot(snapshot);
    this.#storyLog.act('restore', {}, () => this.#state.load(contents));
    this.#storyLog.cutOff();
    this.#persistence?.rewrite(this.#state.contents());
  }

  /**
   * Another sandbox with the same options and keys that remembers the same, in memory only. What becomes of one is nothing to the
   * other: each has its own clock and faults, and the new one listens nowhere yet.
   */
  fork(): Sandbox {
    return this.#forkWith(this.#state.contents());
  }

  /** Forgets everything: it is as it was made, with the endpoints of its options and no others, and without faults. */
  reset(): void {
    this.faults.clear();
    this.#log.clear();
    this.#storyLog.clear();
    this.#state.load(emptyContents(this.#startsAt));
    this.#persistence?.rewrite(this.#state.contents());
    registerAll(this.#state, this.#sender, this.#options.webhooks ?? []);
  }

  /** The newest requests that were answered or dropped, at most 1,000, newest last. */
  get requests(): readonly LoggedRequest[] {
    return this.#log.entries();
  }

  /**
   * What became of one business operation: whether it was charged once, and what else happened to it. Only what happened since the sandbox
   * listens is known, and of that the newest 4,000 requests, changes, deliveries and actions.
   *
   * @param id The operation id, an idempotency key, or the id of an object, an event or a request.
   * @returns `undefined` where nothing that was recorded belongs to it.
   *
   * @example
   * expect(sandbox.story('order-1042')).toMatchObject({ verdict: 'charged_once', charges: 1, net: 1200 });
   */
  story(id: string): StorySummary | undefined {
    return this.#storyLog.stories.summaryOf(id);
  }

  /** What has happened, the newest 10,000 events, newest last; whether or not anyone is told of them. */
  get events(): readonly SandboxEvent[] {
    const { event } = this.#state.objects;
    return event.page({ limit: capacity }).toReversed();
  }

  /** The transactions of the form endpoint, approved or declined, newest last. They carry no card data. */
  get transactions(): readonly Transaction[] {
    return this.#state.objects.transaction.all();
  }

  /**
   * Stands in for the card fields of the browser: makes a `payment_token` for a card. It can be used once, within 15
   * minutes of the sandbox's clock. Of the card only a keyed hash is kept.
   *
   * @throws Error when there can be no such card.
   *
   * @example
   * const payment_token = await sandbox.tokenize({ ccnumber: testCards.fullMatch.number, ccexp: '1230', cvv: '123' });
   */
  async tokenize(card: CardDetails): Promise<string> {
    checkOptions('sandbox.tokenize', cardSchema, card);
    const known = await this.#cards.read(card);
    return this.#state.unit(() => addToken(this.#state, known).id);
  }

  /**
   * Stands in for `authenticate` of the browser script: runs 3-D Secure for a token, which stays unused. The result is
   * what a transaction takes as `threeDSecure`.
   *
   * @param challenge What the buyer does when the card asks for a challenge. Default: `passed`.
   * @throws Error when the sandbox has not made the token, or it can no longer be used.
   */
  authenticate(paymentToken: string, challenge: ChallengeAnswer = 'passed'): Authentication {
    return this.#state.unit(() => authenticate(this.#state, paymentToken, challenge));
  }

  /**
   * Puts an object of any kind into the sandbox, as the newest, also of a kind that no request creates. What is not
   * given has a default: a new id, a first state, 12.00 USD. Nothing else changes: an object that it refers to may be
   * missing, and sums are as given.
   *
   * @throws Error when the fields do not make such an object, or the id is taken.
   *
   * @example
   * const invoice = sandbox.add('invoice', { customer: customer.id });
   * sandbox.add('product', { name: 'Tea' });
   */
  add<Kind extends SandboxKind>(kind: Kind, fields?: Partial<SandboxObjects[Kind]>): SandboxObjects[Kind] {
    return this.#storyLog.act('add', { kind, fields }, () => this.#editor.add(kind, fields));
  }

  /** One object as the sandbox has it now; `undefined` where there is none, or an open resource was deleted. */
  get<Kind extends SandboxKind>(kind: Kind, id: string): SandboxObjects[Kind] | undefined {
    return this.#editor.get(kind, id);
  }

  /**
   * Changes some fields of an object, whatever its state: a refund succeeds or fails, a charge is settled. A refund
   * that fails no longer counts in its charge's `amount_refunded`; nothing else changes along.
   *
   * @throws Error when there is no such object, or the fields do not fit it.
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
   * Makes an event happen: what it needs is created, and the object changes its state, so that its state, the event and
   * its deliveries agree. Other events happen on the way, as they would in the service. Also makes
   * `payment_intent.requires_action`, which the service never sends in v1.
   *
   * @param type One of the catalog, of the Connect lifecycle, or `chargeback.received`.
   * @param fields Fields of the object. With the `id` of one that exists, it changes its state, as far as its state allows.
   * @returns The event.
   * @throws Error when there is no such type, the fields do not make such an object, or its state does not allow it;
   * nothing has changed then.
   *
   * @example
   * const event = sandbox.trigger('refund.failed', { amount: 500 });
   */
  trigger<Type extends WebhookEventType>(
    type: Type,
    fields?: TriggerFields<Type>,
    options: TriggerOptions = {},
  ): TriggeredEvent<Type> {
    checkOptions('sandbox.trigger', triggerSchema, options);
    return this.#storyLog.act('trigger', { type, fields, options }, () =>
      trigger(this.#state, type, fields, options),
    );
  }

  /**
   * Stands in for the buyer: pays a payment intent, or a checkout session, which gets an intent and completes. A charge
   * is made and captured at once, whatever the intent's `capture_method`. An intent whose payment method is
   * `pm_card_declined` is declined: it gets a failed charge and waits for another payment method. A session whose
   * payment is declined stays open. An invoice can be paid too, and gets an intent.
   *
   * @param options What is paid with. Default: what is attached, else a card that pays.
   * @returns The intent as it then is.
   * @throws Error when there is no such object, or it does not wait for a payment.
   */
  pay(id: string, options: PayOptions = {}): PaymentIntent {
    checkOptions('sandbox.pay', paySchema, options);
    const work = () => this.#state.unit(() => pay(this.#state, id, options));
    return this.#storyLog.act('pay', { id, ...options }, work);
  }

  /**
   * Closes a terminal batch for each currency, with every charge that took money and every refund that succeeded since
   * the last one. They get `settled_at` and `settlement_batch_id`. The service shows no request for it.
   *
   * @returns The closed batches; none where nothing waits.
   */
  settle(options: SettleOptions = {}): readonly TerminalBatch[] {
    checkOptions('sandbox.settle', settleSchema, options);
    const work = () => this.#state.unit(() => settle(this.#state, options));
    return this.#storyLog.act('settle', { ...options }, work);
  }

  /**
   * Says what came of comparing a closed batch with the bank's figures.
   *
   * @returns The batch as it then is.
   * @throws Error when there is no such batch, it is not closed, or its state does not allow it.
   */
  reconcile(batch: string, outcome: Reconciliation): TerminalBatch {
    return this.#state.unit(() => reconcile(this.#state, batch, outcome));
  }

  /**
   * Listens on this machine, for clients that need a network. Needs Node, or a runtime with its modules.
   *
   * @throws Error when it listens already, or the port is taken.
   * @throws RangeError when the host is not a loopback address, without `allowRemote: true`.
   */
  async listen(options: ListenOptions = {}): Promise<this> {
    checkOptions('sandbox.listen', listenSchema, options);
    this.#storyLog.begin();
    await this.#listening.start(options);
    return this;
  }

  /**
   * Stops listening, ends open connections, and releases held requests. What it remembers stays, so {@link fetch}
   * still works. Without effect the second time.
   */
  async close(): Promise<void> {
    this.#stopClock();
    this.faults.clear();
    this.#sender.interrupt();
    await Promise.all(this.#forks.map((fork) => fork.close()));
    await this.#listening.stop();
    if (this.#persistence === undefined) return;
    // Attempts that were interrupted are kept as such; nothing new begins.
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

  /** Puts another sandbox on a port, which stands as this one did right after an entry, and closes with this one. */
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
      // Anyone on the network could open the dashboard and read its key.
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
      snapshot: () => this.snapshot(),
      restore: (snapshot) => this.restore(snapshot),
      reset: () => this.reset(),
    });
  }
}

/**
 * Makes a sandbox. It works at once by its `fetch`; `listen` puts it on a port.
 *
 * @throws RangeError when an option is wrong, or not known.
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  return new Sandbox(options);
}
