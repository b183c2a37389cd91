/** Finds the paths and methods of a service among the known forms. */

import type { CollectionName } from '../base/interface-types.ts';
import { collectionObjects } from '../sdk.ts';
import {
  type Baseline,
  classify,
  deletionBaseline,
  readingBaseline,
  unknownList,
  type Verdict,
  writingBaseline,
} from './baseline.ts';
import { fingerprintOf, isSame } from './fingerprint.ts';
import { noIdOf } from './impossible.ts';
import { isOfKind, itemsOf, pageOf, retrievableIn } from './objects.ts';
import { assumedTarget, collectionPaths, type Target, targetsOf } from './path-forms.ts';
import { type Answer, fieldOf, type Lock, okOf, type Question, type Reading } from './question.ts';

/** Asks for one target, and classifies the answer. */
type Classify = (target: Target, again?: true) => Reading<Verdict>;

/** Returns the existing target: the assumed one, or another if that is unknown. Asks both again before another one counts. */
function* firstExisting(
  [assumed, ...others]: readonly [Target, ...Target[]],
  classifyTarget: Classify,
): Reading<Target | undefined> {
  const verdict = yield* classifyTarget(assumed);
  if (verdict !== 'unknown') return verdict === 'exists' ? assumed : undefined;
  for (const target of others) {
    if ((yield* classifyTarget(target)) !== 'exists') continue;
    const isStable =
      (yield* classifyTarget(target, true)) === 'exists' &&
      (yield* classifyTarget(assumed, true)) === 'unknown';
    return isStable ? target : undefined;
  }
  return undefined;
}

/** Returns the targets other than the assumed one, without duplicates. */
function othersThan(assumed: Target, targets: readonly Target[]): readonly Target[] {
  const byText = new Map(targets.map((target) => [`${target.method} ${target.path}`, target]));
  byText.delete(`${assumed.method} ${assumed.path}`);
  return [...byText.values()];
}

const classifyList = (collection: CollectionName): Classify =>
  function* ({ path }, again) {
    const unknown = yield* unknownList();
    const question: Question = { kind: 'read', path };
    const answer = yield again === undefined ? question : { ...question, again };
    if (answer === undefined) return 'unclear';
    const page = pageOf(answer);
    if (page !== undefined) {
      const items = itemsOf(page);
      const isRight = isOfKind(items, collectionObjects[collection]);
      // If even an unknown path returns a list, only the objects are evidence.
      const isSure =
        unknown !== undefined || items.some(({ object }) => object === collectionObjects[collection]);
      return isRight && isSure ? 'exists' : 'unclear';
    }
    if (unknown === undefined) return 'unclear';
    return answer.status === 405 || isSame(fingerprintOf(answer, path), unknown) ? 'unknown' : 'unclear';
  };

/** Returns whether an answer contains the object with an id. */
function holds({ json }: Answer, id: string): boolean {
  return [json, ...Object.values(Object(json))].some((value) => fieldOf(value, 'id') === id);
}

function classifyObject(answer: Answer | undefined, id: string): Verdict {
  const found = okOf(answer);
  if (found !== undefined && holds(found, id)) return 'exists';
  return answer?.status === 404 || answer?.status === 405 ? 'unknown' : 'unclear';
}

const classifyRetrieve = (collection: CollectionName): Classify =>
  function* ({ path }, again) {
    const seen = yield* retrievableIn(collection);
    const isOfObject = path.endsWith('{id}');
    if (isOfObject && seen === 'unusable') return 'unclear';
    const known = isOfObject && seen !== 'unusable' ? seen : undefined;
    const id = known?.id ?? noIdOf(collectionObjects[collection]);
    const filled = path.replace('{id}', id);
    const answer = yield { kind: 'read', path: filled, ...(again && { again }) };
    if (known !== undefined) return classifyObject(answer, id);
    const baseline = yield* readingBaseline();
    return baseline === undefined ? 'unclear' : classify(answer, filled, baseline);
  };

/** Returns the first lock under which existing and unknown paths answer differently. */
function* usableBaseline(
  locks: readonly Lock[],
): Reading<{ readonly lock: Lock; readonly baseline: Baseline } | undefined> {
  for (const lock of locks) {
    const baseline = yield* writingBaseline(lock);
    if (baseline !== undefined) return { lock, baseline };
  }
  return undefined;
}

const classifyWrite = (collection: CollectionName): Classify =>
  function* ({ method, path }, again) {
    if (method === 'GET') return yield* classifyRetrieve(collection)({ method, path }, again);
    const filled = path.replace('{id}', noIdOf(collectionObjects[collection]));
    if (method === 'DELETE') {
      const baseline = yield* deletionBaseline();
      if (baseline === undefined) return 'unclear';
      const answer = yield { kind: 'locked', method, path: filled, lock: 'id', ...(again && { again }) };
      return classify(answer, filled, baseline);
    }
    // A path without an id creates something, so only the key reliably protects it.
    const found = yield* usableBaseline(path.includes('{id}') ? ['key', 'body', 'id'] : ['key']);
    if (found === undefined) return 'unclear';
    const answer = yield { kind: 'locked', method, path: filled, lock: found.lock, ...(again && { again }) };
    return classify(answer, filled, found.baseline);
  };

/** Returns the paths below which a method may be, likeliest first. */
function* basesOf(collection: CollectionName, method: string): Reading<readonly string[]> {
  const forms = collectionPaths(collection);
  if (method === 'list') return forms;
  const list = yield* findMethod(collection, 'list');
  if (method === 'retrieve') return [list?.path ?? '', ...forms];
  const object = yield* findMethod(collection, 'retrieve');
  return [list?.path ?? '', object?.path.replace('/{id}', '') ?? '', ...forms.slice(0, 1)];
}

function classifierOf(collection: CollectionName, method: string): Classify {
  if (method === 'list') return classifyList(collection);
  return method === 'retrieve' ? classifyRetrieve(collection) : classifyWrite(collection);
}

/** Returns the HTTP method and path of a method; `undefined` if the answers are inconclusive. */
export function* findMethod(collection: CollectionName, method: string): Reading<Target | undefined> {
  const assumed = assumedTarget(collection, method);
  const bases = (yield* basesOf(collection, method)).filter((base) => base !== '');
  const targets = bases.flatMap((base) => targetsOf(method, assumed, base));
  return yield* firstExisting([assumed, ...othersThan(assumed, targets)], classifierOf(collection, method));
}
