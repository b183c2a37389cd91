import type { CollectionContents, Identified } from './collection.ts';
import type { Due } from './scheduler.ts';

/** Everything that a store remembers, as plain values. The objects are shared with it: nobody changes them. */
export interface StoreContents {
  /** The time, in milliseconds since 1970. */
  readonly time: number;
  /** How many identifiers were made. */
  readonly ids: number;
  /** The objects of each kind. A kind that is left out has none. */
  readonly objects: Readonly<Record<string, CollectionContents<Identified>>>;
  /** What falls due, in that order. */
  readonly due: readonly Due[];
}

/** The contents of a store in which nothing has happened yet. */
export function emptyContents(time: number): StoreContents {
  return { time, ids: 0, objects: {}, due: [] };
}
