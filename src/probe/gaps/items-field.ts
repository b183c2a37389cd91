import { collectionNames } from '../../resources/collection-objects.ts';
import { asAssumed, type Gap, notSeen } from '../finding.ts';
import { arraysOf, pageOf } from '../objects.ts';
import { collectionPaths } from '../path-forms.ts';
import { type Answer, fieldOf, type Reading, read } from '../question.ts';

/** Names that a client refuses as the field of the items. */
const reserved = ['', 'next_cursor'];

/** Returns the fields of a page that may hold its items: those with objects, or every array of an empty page. */
function candidatesOf({ json }: Answer): readonly string[] {
  const arrays = arraysOf(json).filter((name) => !reserved.includes(name));
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
