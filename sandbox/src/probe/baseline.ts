/**
 * Distinguishes an existing path from an unknown one. The baseline holds the answers to paths that the interface shows,
 * and to paths that no service has. If these are equal, the probe concludes nothing.
 */

import { routes } from '../sdk.ts';
import { type Fingerprint, fingerprintOf, isSame } from './fingerprint.ts';
import { noCollection, noIdOf, noOperation } from './impossible.ts';
import { type Answer, type Lock, okOf, type Question, type Reading, read } from './question.ts';

/** The fingerprints of answers for existing and for unknown paths. */
export interface Baseline {
  readonly known: Fingerprint;
  readonly unknown: readonly Fingerprint[];
}

/** The conclusion about a path from an answer. */
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

/** Returns a baseline if every answer arrived, and no unknown path answers as the known one does. */
function toBaseline(
  known: Fingerprint | undefined,
  unknown: readonly Fingerprint[],
  asked: number,
): Baseline | undefined {
  if (known === undefined || unknown.length < asked) return undefined;
  return unknown.some((one) => isSame(one, known)) ? undefined : { known, unknown };
}

const noCustomer = noIdOf('customer');
const ofCustomer = (path: string) => path.replace('{id}', noCustomer);

/** Asks for the baseline of requests that write, protected by a lock. A path of the interface represents the existing ones. */
export function* writingBaseline(lock: Lock): Reading<Baseline | undefined> {
  const locked = (path: string) => ({ kind: 'locked', method: 'POST', path, lock }) as const;
  const [known] = yield* fingerprintsOf([locked(ofCustomer(routes['customers.restore'].path))]);
  if (known === undefined || known.status < 400) return undefined;
  const unknownPaths = [
    locked(ofCustomer(`/v1/customers/{id}/${noOperation}`)),
    locked(`/v1/${noCollection}/${noCustomer}/restore`),
    locked(`/v1/${noCollection}`),
  ];
  return toBaseline(known, yield* fingerprintsOf(unknownPaths), unknownPaths.length);
}

/** Asks for the baseline of deletions. */
export function* deletionBaseline(): Reading<Baseline | undefined> {
  const locked = (path: string) => ({ kind: 'locked', method: 'DELETE', path, lock: 'id' }) as const;
  const [known] = yield* fingerprintsOf([locked(ofCustomer(routes['customers.delete'].path))]);
  const unknownPaths = [locked(`/v1/${noCollection}/${noCustomer}`)];
  return toBaseline(known, yield* fingerprintsOf(unknownPaths), unknownPaths.length);
}

/** Asks for the baseline of retrieving one object. A deletion of an unknown object shows the answer for an unknown id. */
export function* readingBaseline(): Reading<Baseline | undefined> {
  const [known] = yield* fingerprintsOf([
    { kind: 'locked', method: 'DELETE', path: ofCustomer(routes['customers.delete'].path), lock: 'id' },
  ]);
  if (known === undefined || known.status < 400) return undefined;
  const unknownPaths = [
    { kind: 'read', path: `/v1/${noCollection}/${noCustomer}` },
    { kind: 'read', path: ofCustomer(`/v1/customers/{id}/${noOperation}`) },
  ] as const;
  return toBaseline(known, yield* fingerprintsOf(unknownPaths), unknownPaths.length);
}

/** Returns the fingerprint of a list of an unknown collection; `undefined` for a 2xx or no answer. */
export function* unknownList(): Reading<Fingerprint | undefined> {
  const path = `/v1/${noCollection}`;
  const answer = yield* read(path);
  return answer === undefined || okOf(answer) !== undefined ? undefined : fingerprintOf(answer, path);
}

/** Classifies an answer. */
export function classify(answer: Answer | undefined, path: string, baseline: Baseline): Verdict {
  if (answer === undefined) return 'unclear';
  const fingerprint = fingerprintOf(answer, path);
  if (isSame(fingerprint, baseline.known)) return 'exists';
  const isUnknown = answer.status === 405 || baseline.unknown.some((one) => isSame(one, fingerprint));
  return isUnknown ? 'unknown' : 'unclear';
}
