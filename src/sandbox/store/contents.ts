import type { Kind, Kinds } from '../domain/records/records.ts';
import type { CollectionImage } from './collection.ts';
import type { Due } from './scheduler.ts';

/** Everything that a sandbox remembers, as plain values. The objects are shared with it: nobody changes them. */
export interface StateImage {
  /** The time, in milliseconds since 1970. */
  readonly time: number;
  /** How many identifiers were made. */
  readonly ids: number;
  /** The objects of each kind. A kind that is left out has none. */
  readonly objects: { readonly [One in Kind]?: CollectionImage<Kinds[One]> };
  /** What falls due, in that order. */
  readonly plan: readonly Due[];
}

/** The state of a sandbox in which nothing has happened yet. */
export function emptyImage(time: number): StateImage {
  return { time, ids: 0, objects: {}, plan: [] };
}
