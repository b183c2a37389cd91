import { Agenda, type Due } from './agenda.ts';
import type { VirtualClock } from './clock.ts';
import { Collection } from './collection.ts';
import { actOn, dueAt } from './due.ts';
import { emitEvents } from './events/emit.ts';
import { IdSequence } from './ids.ts';
import { checkLedger } from './ledger.ts';
import { type IdOf, type Kind, type Kinds, prefixes, type SandboxKind } from './objects.ts';
import { type Change, type ChangeOf, UnitOfWork } from './unit.ts';

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
  reply: 'reply',
  event: 'event',
};

type Note = <One extends Kind>(change: ChangeOf<One>) => void;

function collection<One extends Kind>(kind: One, note: Note): Collection<Kinds[One]> {
  return new Collection<Kinds[One]>(names[kind], {
    changed: (before, after) => note({ kind, id: (after ?? before)?.id ?? '', before, after }),
  });
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
    reply: collection('reply', note),
    event: collection('event', note),
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
  readonly #unit: UnitOfWork;

  constructor(clock: VirtualClock) {
    this.clock = clock;
    this.agenda = new Agenda(clock, (due) => this.#act(due));
    this.#unit = new UnitOfWork({
      finish: (changes) => this.#finish(changes),
      undo: (change) => this.#undo(change),
      committed: (changes) => this.#plan(changes),
    });
    // One of the kinds of change, by the kind of its collection.
    this.objects = createCollections((change) => this.#unit.note(change as Change));
  }

  /**
   * Does some work so that all its changes count together, with their events, or none does.
   *
   * @throws LedgerError when the books do not add up afterwards; nothing has changed then.
   */
  unit<T>(work: () => T): T {
    return this.#unit.run(work);
  }

  /** The fields that every new object has. */
  stamp<One extends SandboxKind>(object: One): Stamp<One> {
    const now = this.clock.seconds();
    const id: IdOf<One> = `${prefixes[object]}${this.ids.text()}`;
    return { id, object, livemode: false, created_at: now, updated_at: now };
  }

  #finish(changes: readonly Change[]): void {
    checkLedger(this, changes);
    // Events are changes too, and none of an event.
    emitEvents(this, [...changes]);
    if (changes.length > 0) this.journal(changes);
  }

  #undo({ kind, id, before }: Change): void {
    const collection: Collection<{ readonly id: string }> = this.objects[kind];
    if (before === undefined) collection.forgetNewest(id);
    else collection.put(id, before);
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
