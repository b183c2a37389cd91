import { resourceSchemas } from '../../resources/schemas.ts';
import { actOn, dueAt } from '../due.ts';
import type { VirtualClock } from '../store/clock.ts';
import { type ChangeListener, Collection } from '../store/collection.ts';
import type { StateImage } from '../store/contents.ts';
import { IdSequence } from '../store/ids.ts';
import { Agenda, type Due } from '../store/scheduler.ts';
import { type Change, type ChangeOf, UnitOfWork } from '../store/unit-of-work.ts';
import { Courier } from '../webhooks/delivery-sender.ts';
import { emitEvents } from '../webhooks/emit-events.ts';
import { keepBooks } from './indexes.ts';
import { checkLedger } from './ledger.ts';
import { type MoneySettings, usualMoney } from './money-settings.ts';
import { type IdOf, type Kind, type Kinds, prefixes, type SandboxKind } from './records/records.ts';

/** The objects of each kind. */
export type Collections = { readonly [One in Kind]: Collection<Kinds[One]> };

/** What the objects of each kind are called. */
const names: Readonly<Record<Kind, string>> = {
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
  disturbance: 'disturbance',
  bill: 'bill',
  mandate: 'mandate',
  credited: 'credited sum',
  unsettled: 'unsettled amount',
};

/** A kind of object, whatever it is called. */
export function isKind(name: string): name is Kind {
  return Object.hasOwn(names, name);
}

/** Every kind of object. */
export const kinds: readonly Kind[] = Object.keys(names).filter(isKind);

type Note = <One extends Kind>(change: ChangeOf<One>) => void;

function collection<One extends Kind>(kind: One, note: Note): Collection<Kinds[One]> {
  const listener: ChangeListener<Kinds[One]> = {
    changed: (before, after) => note({ kind, id: (after ?? before)?.id ?? '', before, after }),
  };
  // Only objects of the service are listed in pages, for which a cursor may be one that was removed.
  return new Collection(names[kind], listener, { remembersRemoved: Object.hasOwn(resourceSchemas, kind) });
}

function createCollections(note: Note): Collections {
  return {
    checkout_session: collection('checkout_session', note),
    payment_intent: collection('payment_intent', note),
    charge: collection('charge', note),
    refund: collection('refund', note),
    customer: collection('customer', note),
    invoice: collection('invoice', note),
    subscription: collection('subscription', note),
    credit_note: collection('credit_note', note),
    terminal_batch: collection('terminal_batch', note),
    product: collection('product', note),
    price: collection('price', note),
    payment_method: collection('payment_method', note),
    terminal: collection('terminal', note),
    settlement_profile: collection('settlement_profile', note),
    api_key: collection('api_key', note),
    webhook_endpoint: collection('webhook_endpoint', note),
    account: collection('account', note),
    connection: collection('connection', note),
    account_link: collection('account_link', note),
    transaction: collection('transaction', note),
    payment_token: collection('payment_token', note),
    authentication: collection('authentication', note),
    device_session: collection('device_session', note),
    velocity_count: collection('velocity_count', note),
    reply: collection('reply', note),
    event: collection('event', note),
    delivery: collection('delivery', note),
    disturbance: collection('disturbance', note),
    bill: collection('bill', note),
    mandate: collection('mandate', note),
    credited: collection('credited', note),
    unsettled: collection('unsettled', note),
  };
}

/** The fields that new objects have. */
export interface Stamp<One extends SandboxKind> {
  /** A new id. */
  readonly id: IdOf<One>;
  /** The type's name. */
  readonly object: One;
  /** Always false here. */
  readonly livemode: false;
  /** The present time in seconds. */
  readonly created_at: number;
  /** The same. */
  readonly updated_at: number;
}

/** How a unit of work is done. */
export interface UnitOptions {
  /** Whether no events come of it, and so no deliveries: for what is to look as if it had happened long ago. */
  readonly quiet?: boolean;
  /** Looks at what came of it, events too, before that counts. */
  readonly review?: Journal;
}

/** Is told of the changes of each unit of work: before they count, so that it can keep them or refuse. */
export type Journal = (changes: readonly Change[]) => void;

/**
 * Everything that the sandbox remembers. All of it is objects in collections, what it has answered and what has happened
 * too, and all changes are made in units of work.
 */
export class State {
  /** The time. */
  readonly clock: VirtualClock;
  /** What falls due. */
  readonly agenda: Agenda;
  /** Where identifiers come from. */
  readonly ids = new IdSequence();
  /** The one merchant of the sandbox. */
  readonly merchantId = this.ids.next('mer');
  /** All objects. */
  readonly objects: Collections;
  /** Keeps each unit of work, where something is to be kept. */
  journal: Journal = () => {};
  /** How money moves by itself. */
  money: MoneySettings = usualMoney;
  /** Carries webhooks to the merchant. */
  courier = new Courier();
  /** Are told of the changes of each unit of work once they count. They must not throw. */
  readonly watchers = new Set<Journal>();
  #quiet = false;
  #review: Journal | undefined;
  readonly #unit: UnitOfWork;

  constructor(clock: VirtualClock) {
    this.clock = clock;
    this.agenda = new Agenda(clock, (due) => this.#act(due));
    this.#unit = new UnitOfWork({
      finish: (changes) => this.#finish(changes),
      undo: (change) => this.#undo(change),
      committed: (changes) => {
        for (const { kind, id } of changes) this.objects[kind].settle(id);
        this.#plan(changes);
        for (const tell of this.watchers) tell(changes);
      },
    });
    // One of the kinds of change, by the kind of its collection.
    this.objects = createCollections((change) => this.#unit.note(change as Change));
  }

  /**
   * Does some work so that all its changes count together, with their events, or none does.
   *
   * @throws LedgerError when the books do not add up afterwards; nothing has changed then.
   */
  unit<T>(work: () => T, { quiet = this.#quiet, review = this.#review }: UnitOptions = {}): T {
    const before = [this.#quiet, this.#review] as const;
    [this.#quiet, this.#review] = [quiet, review];
    try {
      return this.#unit.run(work);
    } finally {
      [this.#quiet, this.#review] = before;
    }
  }

  /** Everything that it remembers. */
  image(): StateImage {
    const objects = Object.fromEntries(
      kinds.filter((kind) => !this.objects[kind].isNew).map((kind) => [kind, this.objects[kind].image()]),
    );
    const plan = this.agenda.plan().filter((due) => this.#isStill(due));
    return { time: this.clock.now(), ids: this.ids.count, objects, plan };
  }

  /** Remembers what an image says, and nothing else. */
  load({ time, ids, objects, plan }: StateImage): void {
    for (const kind of kinds) this.#loadKind(kind, objects);
    this.clock.set(time);
    // The merchant's id was the first.
    this.ids.resume(Math.max(1, ids));
    this.agenda.beginAnew(plan);
  }

  /** The fields that every new object has. */
  stamp<One extends SandboxKind>(object: One): Stamp<One> {
    const now = this.clock.seconds();
    const id: IdOf<One> = `${prefixes[object]}${this.ids.text()}`;
    return { id, object, livemode: false, created_at: now, updated_at: now };
  }

  #finish(changes: readonly Change[]): void {
    keepBooks(this, changes, this.#quiet);
    checkLedger(this, changes);
    // Events are changes too, and none of an event.
    if (!this.#quiet) emitEvents(this, [...changes]);
    this.#review?.(changes);
    if (changes.length > 0) this.journal(changes);
  }

  #undo({ kind, id, before }: Change): void {
    const collection: Collection<{ readonly id: string }> = this.objects[kind];
    collection.undo(id, before);
  }

  #loadKind<One extends Kind>(kind: One, images: StateImage['objects']): void {
    this.objects[kind].load(images[kind] ?? { items: [], removed: [] });
  }

  #isStill({ at, kind, id }: Due): boolean {
    return dueAt(kind, this.objects[kind].get(id)) === at;
  }

  #plan(changes: readonly Change[]): void {
    for (const { kind, id, before, after } of changes) {
      const at = dueAt(kind, after);
      if (at !== undefined && at !== dueAt(kind, before)) this.agenda.add({ at, kind, id });
    }
  }

  /** Does what an object is due for, unless it has changed its mind meanwhile. */
  #act({ at, kind, id }: Due): void | Promise<void> {
    const object = this.objects[kind].get(id);
    if (object === undefined || dueAt(kind, object) !== at) return undefined;
    return this.unit(() => actOn(this, kind, object));
  }
}
