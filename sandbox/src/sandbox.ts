import type { PaymentIntent, TerminalBatch } from 'payments-client';
import type { WebhookEventMap, WebhookEventType } from 'payments-client/webhooks';
import { openSqliteFile, readOrCreateKeys } from '#on-node';
import type { Fault, Faults } from './api/faults/faults.ts';
import type { LoggedRequest } from './api/request-log.ts';
import type { ListenOptions } from './api/server/listening.ts';
import { checkOptions } from './base/check-options.ts';
import { isRecord } from './base/json.ts';
import { refuseValue } from './base/refuse.ts';
import * as s from './base/schema.ts';
import type { WebRequest, WebResponse } from './base/web-types.ts';
import { reconcileCommand, settleCommand } from './commands/batch-commands.ts';
import { authenticateCommand } from './commands/card-commands.ts';
import { advanceCommand } from './commands/clock-command.ts';
import { clearCommand, injectCommand } from './commands/fault-commands.ts';
import { addCommand, updateCommand } from './commands/object-commands.ts';
import { payCommand } from './commands/pay-command.ts';
import { resetCommand, restoreCommand, seedCommand, snapshotCommand } from './commands/state-commands.ts';
import { commandNamed } from './commands/table.ts';
import { triggerCommand } from './commands/trigger-command.ts';
import { visitCommand } from './commands/visit-command.ts';
import { webhooksOf } from './commands/webhook-commands.ts';
import type { PayOptions } from './domain/payments/pay.ts';
import type {
  SandboxEvent,
  SandboxKind,
  SandboxObjects,
  SandboxOpenObject,
} from './domain/records/records.ts';
import type { Transaction } from './domain/records/transaction.ts';
import type { Reconciliation, SettleOptions } from './domain/settlement.ts';
import { readOptions, type SandboxOptions } from './options.ts';
import { checkoutPath } from './pages/checkout/path.ts';
import { type Origin, Parts } from './parts.ts';
import type { SeedCounts, SeedOptions } from './scenarios/seed/timeline.ts';
import type { TriggerFields, TriggerOptions } from './scenarios/trigger/trigger.ts';
import type { VisitOptions } from './scenarios/visit.ts';
import type { SandboxClock } from './store/clock.ts';
import { fromSnapshot, type SandboxSnapshot, toSnapshot } from './store/contents.ts';
import type { ActivityListener } from './stories/activity.ts';
import type { LogEntry } from './stories/log-entry.ts';
import type { StorySummary } from './stories/story.ts';
import { type CardDetails, cardDetails } from './transact/card-reader.ts';
import { addToken } from './transact/payment-token.ts';
import { isTestCard, type TestCard, typedTestCard } from './transact/test-cards.ts';
import type { Authentication, ChallengeAnswer } from './transact/three-d-secure.ts';
import { capacity } from './webhooks/publish.ts';
import type { SandboxWebhooks } from './webhooks/sandbox-webhooks.ts';

const listenSchema = s.optionsOf<ListenOptions>(() => ({
  port: s.optional(s.integerFrom(0, 65_535)),
  host: s.optional(s.string()),
  allowRemote: s.optional(s.boolean()),
}));
const challengeAnswer = s.literal(['passed', 'failed', 'unanswered']);

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
  /** The signing secret of the endpoints in the option `webhooks` that have no secret of their own. */
  readonly webhookSecret: string;
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

  readonly #parts: Parts;
  readonly #options: SandboxOptions;

  /** @internal */
  constructor(options: SandboxOptions, origin: Origin = {}) {
    const parts = new Parts(options, origin);
    this.#parts = parts;
    this.#options = options;
    const { secretKey, securityKey, publicKey, webhookSecret } = parts.settings;
    this.secretKey = secretKey;
    this.securityKey = securityKey;
    this.publicKey = publicKey;
    this.webhookSecret = webhookSecret;
    this.fetch = parts.fetch;
    const inject = (fault: Fault) =>
      (isRecord(fault) ? injectCommand.run(parts, { ...fault }) : parts.faults.inject(fault)).hold;
    this.faults = {
      // The result depends on the kind, which the compiler cannot follow.
      inject: inject as Faults['inject'],
      history: () => parts.faults.history(),
      clear: () => clearCommand.run(parts, {}),
    };
    this.clock = {
      now: () => parts.state.clock.now(),
      advance: (duration) => advanceCommand.run(parts, { advance: duration }).then(() => undefined),
    };
    this.webhooks = webhooksOf(parts);
  }

  /** The base URL: the server's while it listens, otherwise one that only {@link fetch} accepts. */
  get url(): string {
    return this.#parts.listening.url;
  }

  /**
   * The address of a checkout session's page, with `{id}` for its id: pass it as the client's option of this name. It begins with
   * {@link url}, so a browser reaches the page while the sandbox listens.
   */
  get checkoutPage(): string {
    return this.url + checkoutPath('{id}');
  }

  /** Waits until all due work is done: every webhook delivery that is due now was attempted. */
  settled(): Promise<void> {
    return this.#parts.state.scheduler.settled();
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
    return this.#parts.watch(listener);
  }

  /**
   * Creates sample data: customers, payments that are paid, declined or canceled, refunds, and subscriptions with
   * invoices, spread over the months before the clock's current time. The same seed creates the same data in two
   * sandboxes with the same state; their own `seed` decides about ids. The data emits no events, so there are no deliveries, and
   * it has no stories.
   *
   * @returns How many objects were created.
   * @throws ConfigurationError when a number is not an integer or out of range.
   *
   * @example
   * sandbox.seed({ customers: 200, intents: 5_000, months: 6, seed: 'demo' });
   */
  seed(options: SeedOptions = {}): SeedCounts {
    return seedCommand.run(this.#parts, options);
  }

  /**
   * Takes a snapshot of the state, to restore later. It is cheap: it shares the objects, which are immutable. It includes
   * stories and faults of deliveries, but neither faults of requests nor the request log.
   *
   * @example
   * const before = sandbox.snapshot();
   * // …
   * sandbox.restore(before);
   */
  snapshot(): SandboxSnapshot {
    const { snapshots } = this.#parts;
    const { name } = snapshotCommand.run(this.#parts, {});
    return snapshots.find(name) ?? toSnapshot(this.#parts.contents());
  }

  /**
   * Restores a snapshot of this or another sandbox, with its clock and its stories: what happened since is forgotten. A
   * delivery that is being sent still arrives, but its result is dropped.
   *
   * @throws ConfigurationError for a value that is not a snapshot.
   */
  restore(snapshot: SandboxSnapshot): void {
    fromSnapshot(snapshot);
    restoreCommand.run(this.#parts, { name: this.#parts.snapshots.keep(snapshot) });
  }

  /**
   * Creates an independent copy with the same options, keys, state and stories, in memory only. It has its own clock
   * and no faults of requests, and does not listen yet.
   */
  fork(): Sandbox {
    const { generatedKeys: keys } = this.#parts;
    const fork = new Sandbox(this.#options, { contents: this.#parts.contents(), keys });
    fork.#parts.sender.mountAll(this.#parts.sender);
    return fork;
  }

  /** Resets the sandbox to its initial state: no objects, no faults, and only the endpoints of its options. */
  reset(): void {
    resetCommand.run(this.#parts, {});
  }

  /** The latest 1,000 requests that got a response or were dropped, newest last. */
  get requests(): readonly LoggedRequest[] {
    return this.#parts.log.entries();
  }

  /**
   * Returns the story of one business operation: its verdict, its charges, and everything else that happened to it.
   * The sandbox records while it listens, and keeps the latest 4,000 requests, changes, deliveries and actions.
   *
   * @param id Your own id of an order, the operation id, an idempotency key, or the id of an object, an event or a request.
   * @returns `undefined` if no recorded entry belongs to it.
   *
   * @example
   * expect(sandbox.story('order-1042')).toMatchObject({ verdict: 'charged_once', charges: 1, net: 1200 });
   */
  story(id: string): StorySummary | undefined {
    return this.#parts.storyLog.stories.summaryOf(id);
  }

  /** The latest 10,000 events, newest last, whether or not an endpoint subscribes to them. */
  get events(): readonly SandboxEvent[] {
    const { event } = this.#parts.state.objects;
    return event.page({ limit: capacity }).toReversed();
  }

  /** The transactions of the form endpoint, approved or declined, newest last. They contain no card data. */
  get transactions(): readonly Transaction[] {
    return this.#parts.state.objects.transaction.all();
  }

  /**
   * Simulates the browser's card fields: creates a `payment_token` for a card. The token is valid once, within 15
   * minutes of the sandbox's clock. The sandbox keeps only a keyed hash of the card.
   *
   * @param card One of `testCards`, or a card as typed by a buyer.
   * @throws ConfigurationError when the card is invalid. It repeats no value.
   *
   * @example
   * const payment_token = await sandbox.tokenize(testCards.fullMatch);
   */
  async tokenize(card: CardDetails | TestCard): Promise<string> {
    const typed = isTestCard(card) ? typedTestCard(card) : card;
    checkOptions('sandbox.tokenize', cardDetails, typed);
    const { state, cards, storyLog } = this.#parts;
    const known = await cards.read(typed);
    return storyLog.act('tokenize', { card: known.testCard }, () =>
      state.unit(() => addToken(state, known).id),
    );
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
    return authenticateCommand.run(this.#parts, { payment_token: paymentToken, challenge });
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
    // The command knows the kind as a text.
    return addCommand.run(this.#parts, { kind, fields }) as SandboxObjects[Kind];
  }

  /** Returns an object in its current state; `undefined` if there is none, or it is a deleted open resource. */
  get<Kind extends SandboxKind>(kind: Kind, id: string): SandboxObjects[Kind] | undefined {
    return this.#parts.editor.get(kind, id);
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
    return updateCommand.run(this.#parts, { kind, id, fields }) as SandboxObjects[Kind];
  }

  /**
   * Triggers an event: makes the state change that emits it, and creates the objects that this change needs. State, event
   * and deliveries therefore agree. It emits the preceding events too. It also supports
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
    triggerCommand.checkOptions(options, 'type', 'fields');
    const event = triggerCommand.run(this.#parts, { type, fields, ...options });
    // The type of the event is the one that was asked for.
    return event as WebhookEventMap[Type];
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
    payCommand.checkOptions(options, 'id');
    return payCommand.run(this.#parts, { id, ...options });
  }

  /**
   * Simulates the merchant: completes the visit of an account link, and connects a new account or an existing one. It emits
   * `account_link.visited`, `account.created` for a new account, `connection.created` and `account_link.completed`. The names of the
   * first and the last are the sandbox's own: the interface shows none. The account's `payments_enabled` is false until
   * `trigger('account.updated', { id })` ends the review.
   *
   * @returns The connection; its `account` is the account's id.
   * @throws ConfigurationError for a wrong option, or when there is no such link or account, or the link was visited before.
   */
  visit(id: string, options: VisitOptions = {}): SandboxOpenObject {
    visitCommand.checkOptions(options, 'id');
    return visitCommand.run(this.#parts, { id, ...options });
  }

  /**
   * Closes a terminal batch for each currency, with all charges and refunds that succeeded since the last one. They
   * get `settled_at` and `settlement_batch_id`. The service shows no request for it.
   *
   * @returns The closed batches; empty if nothing is unsettled.
   */
  settle(options: SettleOptions = {}): readonly TerminalBatch[] {
    settleCommand.checkOptions(options);
    return settleCommand.run(this.#parts, { ...options });
  }

  /**
   * Records the result of reconciling a closed batch with the bank.
   *
   * @returns The updated batch.
   * @throws ConfigurationError when there is no such batch, it is not closed, or it has this outcome already.
   */
  reconcile(batch: string, outcome: Reconciliation): TerminalBatch {
    return reconcileCommand.run(this.#parts, { batch, outcome });
  }

  /**
   * Calls a listener for each entry of the log, for the program.
   *
   * @internal
   */
  follow(listener: (entry: LogEntry) => void): () => void {
    return this.#parts.storyLog.follow(listener);
  }

  /**
   * Performs a command by its name, for `replay`.
   *
   * @internal
   */
  perform(name: string, args: object): unknown {
    return commandNamed(name).runWith(this.#parts, args);
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
    this.#parts.storyLog.begin();
    await this.#parts.listening.start(options);
    return this;
  }

  /**
   * Stops the server, closes open connections, and releases paused requests. The state stays, so {@link fetch} still works;
   * with a data file it only reads. A second call has no effect.
   */
  async close(): Promise<void> {
    await this.#parts.close();
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

/**
 * Opens a sandbox that stores its state in a file, and creates a missing file. Everything that a response has confirmed
 * survives a restart and a crash: objects, events, deliveries, scheduled work, the time, the responses of idempotency
 * keys, and stories: a crash may lose the last step of one. It stores generated keys too, in a file beside it with the suffix `.keys`. Needs `node:sqlite`: Node 22.13 or later,
 * Bun or Deno. `close` closes the file. Functions that receive webhooks are not stored: register them each time.
 *
 * @param file The path of an SQLite database. Only one process at a time can open it.
 * @param options As for `createSandbox`. `startsAt` applies to a new file only.
 * @throws Error when another process has the file open, it is not a data file, or it is damaged.
 * @throws ConfigurationError when the path or an option is invalid; the file stays unchanged.
 *
 * @example
 * const sandbox = await openSandbox('sandbox.data');
 */
export async function openSandbox(file: string, options: SandboxOptions = {}): Promise<Sandbox> {
  if (typeof file !== 'string' || file === '')
    refuseValue('openSandbox.file', 'the path of a file', file, 'Correct the arguments of openSandbox.');
  // Checks the options first, so that an invalid one leaves no locked file behind.
  readOptions(options);
  const persistence = openSqliteFile(file);
  try {
    return new Sandbox(options, { persistence, keys: readOrCreateKeys(file) });
  } catch (error) {
    persistence.close();
    throw error;
  }
}
