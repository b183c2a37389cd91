/**
 * Tells a path that does not exist from one that does, by two kinds of answers: those to paths that the interface shows, and those to paths that no
 * service has. Where both are the same, nothing can be told.
 */

import { routes } from '../resources/routes.ts';
import { type Fingerprint, fingerprintOf, isSame } from './fingerprint.ts';
import { noCollection, noIdOf, noOperation } from './impossible.ts';
import { type Answer, type Lock, okOf, type Question, type Reading, read } from './question.ts';

/** What the answers to existing and to unknown paths look like. */
export interface Scale {
  readonly known: Fingerprint;
  readonly unknown: readonly Fingerprint[];
}

/** What an answer says of its path. */
export type Verdict = 'exists' | 'unknown' | 'unclear';

function* fingerprintsOf(
  questions: readonly (Question & { readonly path: string })[],
): Reading<Fingerprint[]> {
  const fingerprints: Fingerprint[] = [];
  for (const question of questions) {
    const answer = yield question;
    if (answer !== undefined) fingerprints.push(fingerprintOf(answer, question.path));
  }
  return fingerprints;
}

/** A scale, if every answer came, and nothing that no service has is answered as what each has. */
function toScale(
  known: Fingerprint | undefined,
  unknown: readonly Fingerprint[],
  asked: number,
): Scale | undefined {
  if (known === undefined || unknown.length < asked) return undefined;
  return unknown.some((one) => isSame(one, known)) ? undefined : { known, unknown };
}

const noCustomer = noIdOf('customer');
const ofCustomer = (path: string) => path.replace('{id}', noCustomer);

/** The scale for requests that write, protected by a lock. Only a path of the interface shows what an existing one answers. */
export function* scaleOfWriting(lock: Lock): Reading<Scale | undefined> {
  const locked = (path: string) => ({ kind: 'locked', method: 'POST', path, lock }) as const;
  const [known] = yield* fingerprintsOf([locked(ofCustomer(routes['customers.restore'].path))]);
  if (known === undefined || known.status < 400) return undefined;
  const strangers = [
    locked(ofCustomer(`/v1/customers/{id}/${noOperation}`)),
    locked(`/v1/${noCollection}/${noCustomer}/restore`),
    locked(`/v1/${noCollection}`),
  ];
  return toScale(known, yield* fingerprintsOf(strangers), strangers.length);
}

/** The scale for deletions. */
export function* scaleOfDeleting(): Reading<Scale | undefined> {
  const locked = (path: string) => ({ kind: 'locked', method: 'DELETE', path, lock: 'id' }) as const;
  const [known] = yield* fingerprintsOf([locked(ofCustomer(routes['customers.delete'].path))]);
  const strangers = [locked(`/v1/${noCollection}/${noCustomer}`)];
  return toScale(known, yield* fingerprintsOf(strangers), strangers.length);
}

/** The scale for reading one object: a deletion shows how the service says that there is no such object. */
export function* scaleOfReading(): Reading<Scale | undefined> {
  const [known] = yield* fingerprintsOf([
    { kind: 'locked', method: 'DELETE', path: ofCustomer(routes['customers.delete'].path), lock: 'id' },
  ]);
  if (known === undefined || known.status < 400) return undefined;
  const strangers = [
    { kind: 'read', path: `/v1/${noCollection}/${noCustomer}` },
    { kind: 'read', path: ofCustomer(`/v1/customers/{id}/${noOperation}`) },
  ] as const;
  return toScale(known, yield* fingerprintsOf(strangers), strangers.length);
}

/** How a collection that does not exist answers; `undefined` where it answers as a list does, or not at all. */
export function* scaleOfListing(): Reading<Fingerprint | undefined> {
  const path = `/v1/${noCollection}`;
  const answer = yield* read(path);
  return answer === undefined || okOf(answer) !== undefined ? undefined : fingerprintOf(answer, path);
}

/** Weighs an answer. */
export function weigh(answer: Answer | undefined, path: string, scale: Scale): Verdict {
  if (answer === undefined) return 'unclear';
  const fingerprint = fingerprintOf(answer, path);
  if (isSame(fingerprint, scale.known)) return 'exists';
  const isUnknown = answer.status === 405 || scale.unknown.some((one) => isSame(one, fingerprint));
  return isUnknown ? 'unknown' : 'unclear';
}
