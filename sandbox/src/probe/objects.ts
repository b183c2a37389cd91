import type { CollectionName } from '../base/interface-types.ts';
import { isRecord } from '../base/json.ts';
import { collectionNames } from '../base/known-names.ts';
import { collectionObjects } from '../sdk.ts';
import { collectionPaths } from './path-forms.ts';
import { type Answer, fieldOf, isPlain, okOf, type Reading, read } from './question.ts';

/** An object received from the service. */
export type Seen = Readonly<Record<string, unknown>> & { readonly id: string };

function isSeen(value: unknown): value is Seen {
  return isRecord(value) && typeof value['id'] === 'string' && value['id'] !== '';
}

/** A page has one list, or a few. */
const maxArrays = 20;

/** More than any page of a list has. */
const maxItems = 1000;

/** Readings look at a page many times, and it may have many fields. */
const knownArrays = new WeakMap<object, readonly string[]>();

/** Returns the fields of a page that are arrays. */
export function arraysOf(page: unknown): readonly string[] {
  if (!isRecord(page)) return [];
  const known = knownArrays.get(page);
  if (known !== undefined) return known;
  const names = Object.keys(page).filter((name) => Array.isArray(page[name]));
  const arrays = names.slice(0, maxArrays);
  knownArrays.set(page, arrays);
  return arrays;
}

/** Returns an answer if it is a page of a list; otherwise `undefined`. */
export function pageOf(answer: Answer | undefined): Answer | undefined {
  const json = okOf(answer)?.json;
  return typeof fieldOf(json, 'has_more') === 'boolean' && arraysOf(json).length > 0 ? answer : undefined;
}

/** Returns the objects of a page, in whatever field they are. */
export function itemsOf({ json }: Answer): readonly Seen[] {
  const items: unknown[] = [];
  for (const name of arraysOf(json)) {
    const list = fieldOf(json, name);
    if (Array.isArray(list)) items.push(...list.slice(0, maxItems));
  }
  return items.filter(isSeen);
}

/** Returns whether no object of a page is of another kind. */
export function isOfKind(items: readonly Seen[], kind: string): boolean {
  return items.every(({ object }) => object === undefined || object === kind);
}

/** Returns the objects in the list of a collection, wherever the list is. */
function* seenIn(collection: CollectionName): Reading<readonly Seen[]> {
  for (const path of collectionPaths(collection)) {
    const page = pageOf(yield* read(path));
    if (page === undefined) continue;
    const items = itemsOf(page);
    return isOfKind(items, collectionObjects[collection]) ? items : [];
  }
  return [];
}

/** Returns an object whose id can be in a path, or `unusable` if the list has only other ids; `undefined` without objects. */
export function* retrievableIn(collection: CollectionName): Reading<Seen | 'unusable' | undefined> {
  const seen = yield* seenIn(collection);
  return seen.find(({ id }) => isPlain(id)) ?? (seen.length > 0 ? 'unusable' : undefined);
}

/** Returns all listed objects by kind. */
export function* allSeen(): Reading<ReadonlyMap<string, readonly Seen[]>> {
  const seen = new Map<string, readonly Seen[]>();
  for (const collection of collectionNames) {
    seen.set(collectionObjects[collection], yield* seenIn(collection));
  }
  return seen;
}
