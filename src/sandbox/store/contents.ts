import type { CollectionContents, Identified } from './collection.ts';
import type { Due } from './scheduler.ts';

/** The whole state of a store as plain values. The objects are shared and immutable. */
export interface StoreContents {
  /** The time, in milliseconds since 1970. */
  readonly time: number;
  /** The number of generated identifiers. */
  readonly ids: number;
  /** The objects of each kind. An omitted kind is empty. */
  readonly objects: Readonly<Record<string, CollectionContents<Identified>>>;
  /** The schedule, in order. */
  readonly due: readonly Due[];
}

/** Returns the contents of a new store. */
export function emptyContents(time: number): StoreContents {
  return { time, ids: 0, objects: {}, due: [] };
}
