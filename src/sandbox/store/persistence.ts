import type { Identified } from './collection.ts';
import type { StoreContents } from './contents.ts';
import type { Due } from './scheduler.ts';

/** An object as a unit of work leaves it. */
export interface StoredObject {
  readonly kind: string;
  readonly id: string;
  /** The object; `undefined` where it was removed. */
  readonly object: Identified | undefined;
  /** Whether its id stays known. */
  readonly isKnown: boolean;
  /** Whether it waits to fall due. */
  readonly isDue: boolean;
}

/** The changes of one unit of work, to be saved. */
export interface StoredUnit {
  readonly objects: Iterable<StoredObject>;
  /** What falls due because of it, in that order. */
  readonly due: readonly Due[];
  /** The time, in milliseconds since 1970. */
  readonly time: number;
  /** How many identifiers were made. */
  readonly ids: number;
}

/** Keeps the contents of a store beyond its process. */
export interface Persistence {
  /** Returns the saved contents; `undefined` if there are none yet. */
  read(): StoreContents | undefined;
  /** Keeps a unit of work before it counts. Throws where it cannot: then the unit does not count. */
  append(unit: StoredUnit): void;
  /** Keeps these contents in place of all that was kept. */
  rewrite(contents: StoreContents): void;
  /** Ends it. Nothing can be changed any more. */
  close(): void;
}
