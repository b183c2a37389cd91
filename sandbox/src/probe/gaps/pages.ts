/** What the pages of lists show. */

import { collectionNames } from '../../base/known-names.ts';
import { routes } from '../../sdk.ts';
import { asAssumed, differs, type Gap, isWord, notSeen } from '../finding.ts';
import { arraysOf, pageOf } from '../objects.ts';
import { collectionPaths } from '../path-forms.ts';
import { type Answer, fieldOf, type Reading, read } from '../question.ts';

/** A name that a client refuses as the field of the items. */
const reserved = 'next_cursor';

/** Returns the fields of a page that may hold its items: those with objects, or every array of an empty page. */
function candidatesOf({ json }: Answer): readonly string[] {
  const arrays = arraysOf(json).filter((name) => isWord(name) && name !== reserved);
  const full = arrays.filter((name) => {
    const [first]: readonly unknown[] = Array.from(Object(fieldOf(json, name)));
    return fieldOf(first, 'id') !== undefined;
  });
  return full.length > 0 ? full : arrays;
}

function* pages(): Reading<readonly Answer[]> {
  const found: Answer[] = [];
  for (const collection of collectionNames) {
    const [path = ''] = collectionPaths(collection);
    const page = pageOf(yield* read(path));
    if (page !== undefined) found.push(page);
  }
  return found;
}

/** The field of a page that holds its items: the one that fits every page. */
export const itemsField: Gap = {
  id: 'G30',
  title: 'field of a page with its items',
  *read() {
    const candidates = (yield* pages()).map(candidatesOf);
    if (candidates.length === 0) return notSeen();
    const common = candidates.reduce((some, others) => some.filter((name) => others.includes(name)));
    const [field, ...more] = common;
    if (field !== undefined && more.length === 0) return asAssumed(field, { itemsField: field });
    // The client also looks for the name of the collection.
    if (field === undefined && candidates.every(({ length }) => length === 1)) {
      return asAssumed('a different field for each collection');
    }
    return notSeen(`${common.length} fields fit every page`);
  },
};

/** More than any client requests. */
const most = 1000;

/** Returns whether the service accepts a limit; `undefined` if its answer is inconclusive. */
function* takes(limit: number): Reading<boolean | undefined> {
  const answer = yield* read(routes['products.list'].path, { limit: String(limit) });
  if (pageOf(answer) !== undefined) return true;
  return answer?.status === 400 || answer?.status === 422 ? false : undefined;
}

/** Returns the greatest accepted limit between an accepted and a refused one. */
function* greatest(taken: number, refused: number): Reading<number | undefined> {
  if (refused - taken === 1) return taken;
  const middle = Math.floor((taken + refused) / 2);
  const answer = yield* takes(middle);
  if (answer === undefined) return undefined;
  return yield* answer ? greatest(middle, refused) : greatest(taken, middle);
}

/** The greatest `limit` in the cursor form. */
export const pageLimit: Gap = {
  id: 'G67',
  title: 'greatest limit in the cursor form',
  *read() {
    if ((yield* takes(1)) !== true) return notSeen();
    const isTaken = yield* takes(most);
    if (isTaken === undefined) return notSeen();
    if (isTaken) return asAssumed(`${most} is accepted`);
    const limit = yield* greatest(1, most);
    return limit === undefined ? notSeen() : differs(`at most ${limit}`, { maxLimit: limit });
  },
};
