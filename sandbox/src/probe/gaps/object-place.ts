import type { ObjectPlace } from '../../base/interface-types.ts';
import { collectionNames } from '../../base/known-names.ts';
import { collectionObjects } from '../../sdk.ts';
import { asAssumed, type Gap, notSeen, unusableIds } from '../finding.ts';
import { retrievableIn } from '../objects.ts';
import { type Answer, fieldOf, okOf, type Reading, read } from '../question.ts';
import { findMethod } from '../route-finder.ts';

/** Returns where the object with an id is in a body. */
function placeOf({ json }: Answer, kind: string, id: string): ObjectPlace | undefined {
  const places = [
    { place: 'whole', value: json },
    { place: 'data', value: fieldOf(json, 'data') },
    { place: 'type', value: fieldOf(json, kind) },
  ] as const;
  const found = places.filter(({ value }) => fieldOf(value, 'id') === id);
  return found.length === 1 ? found[0]?.place : undefined;
}

/** How many objects suffice for a conclusion. */
const enough = 3;

function* placesSeen(): Reading<readonly (ObjectPlace | undefined)[]> {
  const places: (ObjectPlace | undefined)[] = [];
  for (const collection of collectionNames) {
    const seen = yield* retrievableIn(collection);
    if (seen === undefined || seen === 'unusable' || places.length === enough) continue;
    const found = yield* findMethod(collection, 'retrieve');
    if (found === undefined) continue;
    const answer = okOf(yield* read(found.path.replace('{id}', seen.id)));
    if (answer !== undefined) places.push(placeOf(answer, collectionObjects[collection], seen.id));
  }
  return places;
}

function* hasUnusableIds(): Reading<boolean> {
  for (const collection of collectionNames) {
    if ((yield* retrievableIn(collection)) === 'unusable') return true;
  }
  return false;
}

/** The place of an object in a response. */
export const objectPlace: Gap = {
  id: 'G21',
  title: 'place of an object in a response',
  *read() {
    const [place, ...others] = yield* placesSeen();
    if (place === undefined && (yield* hasUnusableIds())) return notSeen(unusableIds);
    if (place === undefined || others.some((other) => other !== place)) return notSeen();
    return asAssumed(place === 'type' ? 'under the name of its type' : place, { objectPlace: place });
  },
};
