import type { Identified } from './collection.ts';
import type { StoreContents } from './contents.ts';
import type { Due } from './scheduler.ts';

/** An object after a unit of work. */
export interface StoredObject {
  readonly kind: string;
  readonly id: string;
  /** The object; `undefined` if it was removed. */
  readonly object: Identified | undefined;
  /** Whether its id is remembered. */
  readonly isKnown: boolean;
  /** Whether it is in the schedule. */
  readonly isDue: boolean;
}

/** The changes of one unit of work, to save. */
export interface StoredUnit {
  readonly objects: Iterable<StoredObject>;
  /** The schedule entries that it adds, in order. */
  readonly due: readonly Due[];
  /** The time, in milliseconds since 1970. */
  readonly time: number;
  /** The number of generated identifiers. */
  readonly ids: number;
}

/** Persists the contents of a store. */
export interface Persistence {
  /** Returns the saved contents; `undefined` if there are none yet. */
  read(): StoreContents | undefined;
  /** Saves a unit of work before it commits. Throws on failure, which rolls the unit back. */
  append(unit: StoredUnit): void;
  /** Replaces all saved contents. */
  rewrite(contents: StoreContents): void;
  /** Closes it. Later changes fail. */
  close(): void;
}
