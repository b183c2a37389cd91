import { isRecord } from '../base/json.ts';
import { type CollectionName, collectionNames, collectionObjects } from '../resources/collection-objects.ts';
import { collectionPaths } from './path-forms.ts';
import { type Answer, fieldOf, okOf, type Reading, read } from './question.ts';

/** An object received from the service. */
export type Seen = Readonly<Record<string, unknown>> & { readonly id: string };

function isSeen(value: unknown): value is Seen {
  return isRecord(value) && typeof value['id'] === 'string' && value['id'] !== '';
}

/** Returns the fields of a page that are arrays. */
export function arraysOf(page: unknown): readonly string[] {
  return isRecord(page) ? Object.keys(page).filter((name) => Array.isArray(page[name])) : [];
}

/** Returns an answer if it is a page of a list; otherwise `undefined`. */
export function pageOf(answer: Answer | undefined): Answer | undefined {
  const json = okOf(answer)?.json;
  return typeof fieldOf(json, 'has_more') === 'boolean' && arraysOf(json).length > 0 ? answer : undefined;
}

/** Returns the objects of a page, in whatever field they are. */
export function itemsOf({ json }: Answer): readonly Seen[] {
  const lists: readonly unknown[][] = arraysOf(json).map((name) => Array.from(Object(fieldOf(json, name))));
  return lists.flat().filter(isSeen);
}

/** Returns whether no object of a page is of another kind. */
export function isOfKind(items: readonly Seen[], kind: string): boolean {
  return items.every(({ object }) => object === undefined || object === kind);
}

/** Returns the objects in the list of a collection, wherever the list is. */
export function* seenIn(collection: CollectionName): Reading<readonly Seen[]> {
  for (const path of collectionPaths(collection)) {
    const page = pageOf(yield* read(path));
    if (page === undefined) continue;
    const items = itemsOf(page);
    return isOfKind(items, collectionObjects[collection]) ? items : [];
  }
  return [];
}

/** Returns all listed objects by kind. */
export function* allSeen(): Reading<ReadonlyMap<string, readonly Seen[]>> {
  const seen = new Map<string, readonly Seen[]>();
  for (const collection of collectionNames) {
    seen.set(collectionObjects[collection], yield* seenIn(collection));
  }
  return seen;
}
