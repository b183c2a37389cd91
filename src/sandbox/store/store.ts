import type { VirtualClock } from './clock.ts';
import { Collection, type CollectionSettings, type Identified } from './collection.ts';
import type { StoreContents } from './contents.ts';
import { IdSequence } from './ids.ts';
import type { StoredObject } from './persistence.ts';
import { type Due, Scheduler } from './scheduler.ts';
import { UnitOfWork } from './unit-of-work.ts';

/** One change of one object. */
export interface StoredChange {
  /** The object's kind. */
  readonly kind: string;
  readonly id: string;
  /** The object before; `undefined` if it is new. */
  readonly before: Identified | undefined;
  /** The object after; `undefined` if it was removed. */
  readonly after: Identified | undefined;
}

/** Options of a unit of work. */
export interface UnitOptions<Change> {
  /** Whether the changes belong to the past, so they emit no events. Default: false. */
  readonly isPast?: boolean | undefined;
  /** Names the cause for the watchers. Default: none. */
  readonly cause?: string | undefined;
  /** Inspects all changes before the commit. */
  readonly review?: ((changes: readonly Change[]) => void) | undefined;
}

/** The rules of a store's objects. */
export interface Rules<Change> {
  /**
   * Completes the changes of a unit of work before the commit: it may make more changes, and rolls all back by
   * throwing.
   */
  complete(changes: readonly Change[], isPast: boolean): void;
  /** Returns when an object falls due, in milliseconds since 1970; `undefined` if nothing is scheduled. */
  dueAt(kind: string, object: Identified): number | undefined;
  /** Runs the due action of an object. Returns a promise if it needs a network. */
  act(kind: string, object: Identified): void | Promise<void>;
}

/**
 * Objects in collections, which change in units of work and fall due in time. The whole state is objects, including
 * responses and events.
 *
 * @typeParam Change The changes of its kinds of objects.
 */
export class Store<Change extends StoredChange = StoredChange> {
  /** The clock. */
  readonly clock: VirtualClock;
  /** The scheduler. */
  readonly scheduler: Scheduler;
  /** Generates identifiers. */
  readonly ids = new IdSequence();
  /** All objects, by kind. */
  readonly objects: Readonly<Record<string, Collection<Identified>>>;
  /** Saves the result of a unit of work before the commit, or rolls it back by throwing. `undefined` in memory. */
  persist: ((objects: readonly StoredObject[], due: readonly Due[]) => void) | undefined;
  /** Receive the changes and options of each unit of work after the commit. They must not throw. */
  readonly watchers = new Set<(changes: readonly Change[], options: UnitOptions<Change>) => void>();
  readonly #rules: Rules<Change>;
  readonly #unit: UnitOfWork<Change>;
  #options: UnitOptions<Change> = {};

  constructor(
    clock: VirtualClock,
    kinds: Readonly<Record<string, CollectionSettings>>,
    rules: Rules<Change>,
  ) {
    this.clock = clock;
    this.#rules = rules;
    this.scheduler = new Scheduler(clock, (due) => this.#act(due));
    this.#unit = new UnitOfWork({
      complete: (changes) => this.#complete(changes),
      undo: ({ kind, id, before }) => this.objects[kind]?.undo(id, before),
      committed: (changes) => this.#committed(changes),
    });
    this.objects = Object.fromEntries(
      Object.entries(kinds).map(([kind, settings]) => [kind, this.#collection(kind, settings)]),
    );
  }

  /**
   * Runs work as a unit: all its changes are committed together, or none. A nested unit is part of the outer one.
   *
   * @throws whatever the work or the rules throw; nothing has changed then.
   */
  unit<T>(work: () => T, options: UnitOptions<Change> = {}): T {
    const before = this.#options;
    this.#options = { ...before, ...options };
    try {
      return this.#unit.run(work);
    } finally {
      this.#options = before;
    }
  }

  /** Returns the next schedule entries, at most `count`, earliest first. */
  next(count: number): readonly Due[] {
    return this.scheduler.next(count, (due) => this.#isStillDue(due));
  }

  /** Returns the whole state. */
  contents(): StoreContents {
    const objects = Object.entries(this.objects).map(([kind, all]) => [kind, all.contents()]);
    const due = this.scheduler.due().filter((one) => this.#isStillDue(one));
    return { time: this.clock.now(), ids: this.ids.count, objects: Object.fromEntries(objects), due };
  }

  /** Returns the schedule entries of some objects, earliest first. */
  dueOf(objects: StoreContents['objects']): readonly Due[] {
    const due = Object.entries(objects).flatMap(([kind, all]) =>
      all.flatMap(([id, object]) => {
        const at = this.#dueAt(kind, object);
        return at === undefined ? [] : [{ at, kind, id }];
      }),
    );
    return due.sort((one, other) => one.at - other.at);
  }

  /** Replaces the whole state. */
  load({ time, ids, objects, due }: StoreContents): void {
    for (const [kind, all] of Object.entries(this.objects)) all.load(objects[kind] ?? []);
    this.clock.set(time);
    this.ids.resume(ids);
    this.scheduler.restart(due);
  }

  #collection(kind: string, settings: CollectionSettings): Collection<Identified> {
    return new Collection(settings, {
      changed: (id, before, after) => {
        const change: StoredChange = { kind, id, before, after };
        // The objects of a collection are of its kind, which the compiler cannot know.
        this.#unit.note(change as Change);
      },
    });
  }

  #complete(changes: readonly Change[]): void {
    const { isPast = false, review } = this.#options;
    this.#rules.complete(changes, isPast);
    review?.(changes);
    if (changes.length === 0) return;
    this.persist?.(
      changes.map((change) => this.#stored(change)),
      this.#newlyDue(changes),
    );
  }

  #committed(changes: readonly Change[]): void {
    for (const { kind, id } of changes) this.objects[kind]?.commit(id);
    for (const due of this.#newlyDue(changes)) this.scheduler.add(due);
    for (const watch of this.watchers) watch(changes, this.#options);
  }

  #stored({ kind, id, after }: Change): StoredObject {
    const isKnown = after !== undefined || this.objects[kind]?.remembersRemoved === true;
    return { kind, id, object: after, isKnown, isDue: this.#dueAt(kind, after) !== undefined };
  }

  /** Returns the schedule entries that some changes add. */
  #newlyDue(changes: readonly Change[]): readonly Due[] {
    return changes.flatMap(({ kind, id, before, after }) => {
      const at = this.#dueAt(kind, after);
      return at === undefined || at === this.#dueAt(kind, before) ? [] : [{ at, kind, id }];
    });
  }

  #dueAt(kind: string, object: Identified | undefined): number | undefined {
    return object === undefined ? undefined : this.#rules.dueAt(kind, object);
  }

  #isStillDue({ at, kind, id }: Due): boolean {
    return this.#dueAt(kind, this.objects[kind]?.get(id)) === at;
  }

  /** Runs the due action of an object, unless it was rescheduled. */
  #act(due: Due): void | Promise<void> {
    const object = this.objects[due.kind]?.get(due.id);
    if (object === undefined || !this.#isStillDue(due)) return undefined;
    return this.unit(() => this.#rules.act(due.kind, object));
  }
}
