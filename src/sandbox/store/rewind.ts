import type { CollectionContents, Identified } from './collection.ts';
import type { StoreContents } from './contents.ts';
import type { Store, StoredChange } from './store.ts';

/** The time and the number of identifiers to restore. */
interface Standing {
  readonly time: number;
  readonly ids: number;
}

function takeBack(objects: Map<string, Map<string, Identified | undefined>>, change: StoredChange): void {
  const all = objects.get(change.kind);
  if (change.before === undefined) all?.delete(change.id);
  else all?.set(change.id, change.before);
}

/**
 * Returns the contents of a store before some changes. Objects that were removed since come last.
 *
 * @param later All changes since then, oldest first.
 */
export function rewind<Change extends StoredChange>(
  store: Store<Change>,
  later: readonly Change[],
  { time, ids }: Standing,
): StoreContents {
  const contents = store.contents();
  const objects = new Map(Object.entries(contents.objects).map(([kind, all]) => [kind, new Map(all)]));
  for (const change of later.toReversed()) takeBack(objects, change);
  const before: Readonly<Record<string, CollectionContents<Identified>>> = Object.fromEntries(
    [...objects].map(([kind, all]) => [kind, [...all]]),
  );
  return { time, ids, objects: before, due: store.dueOf(before) };
}
