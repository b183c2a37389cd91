import type { Id } from 'payments-client';
import type { SignatureScheme } from 'payments-client/webhooks';
import type { SecretEncoding } from '../base/interface-types.ts';
import { resourceSchemas } from '../sdk.ts';
import type { VirtualClock } from '../store/clock.ts';
import { Collection, type CollectionSettings, type Identified } from '../store/collection.ts';
import type { Persistence, StateContents, StoredEntry, StoredUnit } from '../store/contents.ts';
import { IdSequence } from '../store/ids.ts';
import { type Due, Scheduler } from '../store/scheduler.ts';
import type { Forms } from './forms.ts';
import { unknownReference } from './problem.ts';
import type { IdOf, Kind, Kinds, SandboxKind, SandboxObjects } from './records/records.ts';

type Collections = { readonly [One in Kind]: Collection<Kinds[One]> };

export interface ChangeOf<One extends Kind> {
  readonly kind: One;
  readonly id: string;
  /** The object before; `undefined` if it is new. */
  readonly before: Kinds[One] | undefined;
  /** The object after; `undefined` if it was removed. */
  readonly after: Kinds[One] | undefined;
}

/** One change of one object of any kind. */
export type Change = { [One in Kind]: ChangeOf<One> }[Kind];

/** The name of each kind in messages. */
const labels: Readonly<Record<Kind, string>> = {
  checkout_session: 'checkout session',
  payment_intent: 'payment intent',
  charge: 'charge',
  refund: 'refund',
  customer: 'customer',
  invoice: 'invoice',
  subscription: 'subscription',
  credit_note: 'credit note',
  terminal_batch: 'terminal batch',
  product: 'product',
  price: 'price',
  payment_method: 'payment method',
  terminal: 'terminal',
  settlement_profile: 'settlement profile',
  api_key: 'API key',
  webhook_endpoint: 'webhook endpoint',
  account: 'account',
  connection: 'connection',
  account_link: 'account link',
  transaction: 'transaction',
  payment_token: 'payment token',
  authentication: 'authentication',
  device_session: 'device session',
  velocity_count: 'velocity count',
  reply: 'reply',
  event: 'event',
  delivery: 'delivery',
  delivery_fault: 'fault of deliveries',
  subscription_invoice: 'invoice of a subscription',
  mandate: 'mandate',
  credited_amount: 'credited sum',
  unsettled_amount: 'unsettled amount',
  ledger_entry: 'ledger entry',
  ledger_account: 'ledger account',
};

/** Returns a collection's settings. Only objects of the service have pages whose cursor may be a removed object. */
function settingsOf(kind: string, label: string): CollectionSettings {
  return { label, remembersRemoved: Object.hasOwn(resourceSchemas, kind) };
}

/** The fields that all new objects have. */
interface CommonFields<One extends SandboxKind> {
  readonly id: IdOf<One>;
  /** The type's name. */
  readonly object: One;
  /** Always false in the sandbox. */
  readonly livemode: false;
  /** The current time in seconds. */
  readonly created_at: number;
  /** Equal to `created_at`. */
  readonly updated_at: number;
}

export interface MerchantSettings extends MoneySettings {
  /** The forms of the service that its interface does not show. */
  readonly forms: Forms;
  /** Whether sessions and form requests keep only the fields that the interface shows. */
  readonly onlyShownFields: boolean;
  readonly scheme: SignatureScheme;
  readonly secretEncoding: SecretEncoding;
  /** Whether endpoints that are registered over HTTP may be on other machines. */
  readonly allowRemoteWebhooks: boolean;
}

export interface UnitOptions {
  /** Whether the changes belong to the past, so they emit no events. Default: false. */
  readonly isPast?: boolean | undefined;
  /** Names the cause for the watchers. Default: none. */
  readonly cause?: string | undefined;
  /** Inspects all changes before the commit. */
  readonly review?: ((changes: readonly Change[]) => void) | undefined;
}

/** What the recording keeps of a unit of work. */
interface Description {
  readonly entries: readonly StoredEntry[];
  /** Adds them to the recording. */
  commit(): void;
}

/** Commits units of work, and runs what falls due, by the rules of the whole sandbox: `../commit.ts`. */
export interface Engine {
  commit<T>(state: State, work: () => T, options: UnitOptions): T;
  /** Returns when an object falls due, in milliseconds since 1970; `undefined` if nothing is scheduled. */
  dueAt(kind: string, object: Identified | undefined): number | undefined;
  /** Runs the due action of an object. Returns a promise if it needs a network. */
  act(state: State, kind: string, object: Identified): void | Promise<void>;
}

/**
 * The minimum advance of a running clock between two saves of its time, in milliseconds. It catches up after a
 * restart.
 */
const oftenEnough = 10_000;

/**
 * The state of the sandbox's one merchant: objects in collections, which change in units of work and fall due in time. The whole
 * state is objects, including responses and events.
 */
export class State {
  readonly clock: VirtualClock;
  readonly settings: MerchantSettings;
  readonly scheduler: Scheduler;
  readonly ids = new IdSequence();
  readonly merchantId = this.ids.next('mer');
  readonly objects: Collections;
  /** Describes the changes of a unit of work. `undefined` while nothing is recorded. Neither step may throw. */
  describe: ((changes: readonly Change[], options: UnitOptions) => Description) | undefined;
  /** Saves the result of a unit of work before the commit, or rolls it back by throwing. `undefined` in memory. */
  persist: ((result: Omit<StoredUnit, 'time' | 'ids'>) => void) | undefined;
  /** Receive the changes of each unit of work after the commit. They must not throw. */
  readonly watchers = new Set<(changes: readonly Change[]) => void>();
  readonly #engine: Engine;
  readonly #byKind: ReadonlyMap<string, Collection<Identified>>;
  /** The changes of the open unit of work. */
  #changes: Change[] | undefined;

  constructor(clock: VirtualClock, settings: MerchantSettings, engine: Engine) {
    this.clock = clock;
    this.settings = settings;
    this.#engine = engine;
    this.scheduler = new Scheduler(clock, (due) => this.#act(due));
    this.#byKind = new Map(
      Object.entries(labels).map(([kind, label]) => [kind, this.#newCollection(kind, label)]),
    );
    // Each collection has the objects of its kind, which the compiler cannot know.
    this.objects = Object.fromEntries(this.#byKind) as unknown as Collections;
  }

  /**
   * Runs work as a unit: all its changes are committed together, or none. It is synchronous, so no two units overlap. A nested
   * unit is part of the outer one, whose options count.
   *
   * @throws whatever the work or the rules throw; nothing has changed then.
   */
  unit<T>(work: () => T, options: UnitOptions = {}): T {
    return this.#changes === undefined ? this.#engine.commit(this, work, options) : work();
  }

  /** Begins a unit of work. Returns its changes, to which later ones are added. */
  begin(): readonly Change[] {
    this.#changes = [];
    return this.#changes;
  }

  end(): void {
    this.#changes = undefined;
  }

  collection(kind: Kind): Collection<Identified> {
    return this.objects[kind] as unknown as Collection<Identified>;
  }

  /** Returns the next schedule entries, at most `count`, earliest first. */
  next(count: number): readonly Due[] {
    return this.scheduler.next(count, (due) => this.#isStillDue(due));
  }

  /** Returns the whole state. */
  contents(): StateContents {
    const objects = [...this.#byKind].map(([kind, all]) => [kind, all.contents()]);
    const due = this.scheduler.due().filter((one) => this.#isStillDue(one));
    return { time: this.clock.now(), ids: this.ids.count, objects: Object.fromEntries(objects), due };
  }

  /** Replaces the whole state. */
  load({ time, ids, objects, due }: StateContents): void {
    for (const [kind, all] of this.#byKind) all.load(objects[kind] ?? []);
    this.clock.set(time);
    // The merchant's id used up the first one.
    this.ids.resume(Math.max(1, ids));
    this.scheduler.restart(due);
  }

  /** Saves each later change. */
  keepIn(persistence: Pick<Persistence, 'append'>, isClockRunning: boolean): void {
    const { clock, ids, scheduler } = this;
    let keptTime = clock.now();
    const append: State['persist'] & {} = (result) => {
      persistence.append({ ...result, time: clock.now(), ids: ids.count });
      keptTime = clock.now();
    };
    this.persist = append;
    scheduler.moved = () => {
      if (!isClockRunning || clock.now() - keptTime >= oftenEnough)
        append({ objects: [], due: [], entries: [] });
    };
  }

  commonFields<One extends SandboxKind>(object: One): CommonFields<One> {
    const now = this.clock.seconds();
    const id: IdOf<One> = `${this.settings.forms.prefixes[object]}${this.ids.text()}`;
    return { id, object, livemode: false, created_at: now, updated_at: now };
  }

  #newCollection(kind: string, label: string): Collection<Identified> {
    return new Collection(settingsOf(kind, label), {
      changed: (id, before, after) => {
        if (this.#changes === undefined) throw new Error(`The ${kind} '${id}' was changed outside a unit.`);
        // The objects of a collection are of its kind.
        this.#changes.push({ kind, id, before, after } as Change);
      },
    });
  }

  #isStillDue({ at, kind, id }: Due): boolean {
    return this.#engine.dueAt(kind, this.#byKind.get(kind)?.get(id)) === at;
  }

  /** Runs the due action of an object, unless it was rescheduled. */
  #act(due: Due): void | Promise<void> {
    const object = this.#byKind.get(due.kind)?.get(due.id);
    if (object === undefined || !this.#isStillDue(due)) return undefined;
    return this.unit(() => this.#engine.act(this, due.kind, object));
  }
}

/** Returns the object that a parameter names, also a deleted customer. */
export function findObject<Kind extends SandboxKind>(
  { objects }: State,
  kind: Kind,
  id: string,
  param: string,
): SandboxObjects[Kind] {
  const collection = objects[kind];
  const object = collection.get(id);
  if (object === undefined) throw unknownReference(collection.label, id, param);
  return object;
}

/** Returns the customer id of a parameter; null if it is missing. */
export function findCustomerId(state: State, id: string | null | undefined): Id<'customer'> | null {
  return id === null || id === undefined ? null : findObject(state, 'customer', id, 'customer').id;
}

/** The kinds that the dashboard shows: those of the service, and transactions of the form endpoint. */
export type ShownKind = SandboxKind | 'transaction';

export function isShownKind(kind: string): kind is ShownKind {
  return kind === 'transaction' || Object.hasOwn(resourceSchemas, kind);
}

/** How money moves when time passes. */
export interface MoneySettings {
  /** Whether pending refunds complete by themselves. */
  readonly refunds: 'automatic' | 'manual';
  /** The days between attempts to collect an invoice. */
  readonly dunning: readonly number[];
  /** Whether charges and refunds are settled at each midnight in UTC. */
  readonly settlement: 'daily' | 'manual';
  /** Whether an expired checkout session can still be paid. */
  readonly expiredSessions: 'closed' | 'payable';
}

/** The defaults. */
export const usualMoney: MoneySettings = {
  refunds: 'automatic',
  dunning: [1, 3, 5, 7],
  settlement: 'manual',
  expiredSessions: 'closed',
};
