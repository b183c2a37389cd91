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
  /** What it was; `undefined` where it is new. */
  readonly before: Identified | undefined;
  /** What it is; `undefined` where it was removed. */
  readonly after: Identified | undefined;
}

/** How a unit of work is done. */
export interface UnitOptions<Change> {
  /** Whether its changes are to look as if they had happened long ago. Default: false. */
  readonly isPast?: boolean | undefined;
  /** Names what caused it, for the watchers. Default: nothing. */
  readonly cause?: string | undefined;
  /** Looks at all that came of it, before that counts. */
  readonly review?: ((changes: readonly Change[]) => void) | undefined;
}

/** The rules of a store's objects, which the store itself does not know. */
export interface Rules<Change> {
  /** Completes the changes of a unit of work before they count: may change more, and refuses all of it by throwing. */
  complete(changes: readonly Change[], isPast: boolean): void;
  /** When an object falls due, in milliseconds since 1970; `undefined` where nothing is planned. */
  dueAt(kind: string, object: Identified): number | undefined;
  /** Does what an object is due for. A promise where it takes a network. */
  act(kind: string, object: Identified): void | Promise<void>;
}

/**
 * Objects in collections, which change in units of work and fall due in time. All that there is to remember is objects, what was
 * answered and what has happened too.
 *
 * @typeParam Change The changes of its kinds of objects.
 */
export class Store<Change extends StoredChange = StoredChange> {
  /** The time. */
  readonly clock: VirtualClock;
  /** What falls due. */
  readonly scheduler: Scheduler;
  /** Where identifiers come from. */
  readonly ids = new IdSequence();
  /** All objects, by their kinds. */
  readonly objects: Readonly<Record<string, Collection<Identified>>>;
  /** Saves what a unit of work leaves before it counts, or refuses it by throwing. `undefined` in memory. */
  persist: ((objects: readonly StoredObject[], due: readonly Due[]) => void) | undefined;
  /** Receive the changes of each unit of work once they count, and how it was done. They must not throw. */
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
   * Does some work so that all its changes count together, or none does. A unit within another one is part of it.
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

  /** What falls due next, at most `count`, the earliest first. */
  next(count: number): readonly Due[] {
    return this.scheduler.next(count, (due) => this.#isStillDue(due));
  }

  /** Everything that it remembers. */
  contents(): StoreContents {
    const objects = Object.entries(this.objects).map(([kind, all]) => [kind, all.contents()]);
    const due = this.scheduler.due().filter((one) => this.#isStillDue(one));
    return { time: this.clock.now(), ids: this.ids.count, objects: Object.fromEntries(objects), due };
  }

  /** What falls due of some objects, the earliest first. */
  dueOf(objects: StoreContents['objects']): readonly Due[] {
    const due = Object.entries(objects).flatMap(([kind, all]) =>
      all.flatMap(([id, object]) => {
        const at = this.#dueAt(kind, object);
        return at === undefined ? [] : [{ at, kind, id }];
      }),
    );
    return due.sort((one, other) => one.at - other.at);
  }

  /** Remembers these contents, and nothing else. */
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

  /** What falls due because of some changes. */
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

  /** Does what an object is due for, unless it is no longer. */
  #act(due: Due): void | Promise<void> {
    const object = this.objects[due.kind]?.get(due.id);
    if (object === undefined || !this.#isStillDue(due)) return undefined;
    return this.unit(() => this.#rules.act(due.kind, object));
  }
}
