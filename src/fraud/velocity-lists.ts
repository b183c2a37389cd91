import { isRecord } from '../base/json.ts';
import { optionsOf, unchecked } from '../base/options.ts';
import { checkShape, refuseType } from './refuse.ts';
import type { VelocityAttempt } from './velocity-attempt.ts';
import { refuseSecretly, subjectOf, type VelocitySubjects } from './velocity-subject.ts';

/**
 * Selects attempts. An entry matches the attempts that have all of its subjects: `{ ip: '192.0.2.7' }` matches every
 * attempt from that address. A function is called for each attempt, so that the list can be in a database.
 */
export type VelocityList =
  | readonly VelocitySubjects[]
  | ((attempt: VelocityAttempt) => boolean | Promise<boolean>);

/** Returns whether an attempt is on a list. */
export type ListMatcher = (attempt: VelocityAttempt) => Promise<boolean>;

const entrySchema = optionsOf<VelocitySubjects>({
  card: unchecked(),
  ip: unchecked(),
  subjects: unchecked(),
});

/**
 * Reads a list.
 *
 * @throws TypeError for a value that is not a list, or an entry without subjects.
 */
export function listMatcher(path: string, list: unknown): ListMatcher {
  if (typeof list === 'function') return async (attempt) => answerOf(path, await list(attempt));
  if (!Array.isArray(list)) return refuseType(path, 'an array of subjects, or a function', list);
  const entries = list.map((entry, index) => textsOf(`${path}[${index}]`, entry));
  const isMeant = (attempt: VelocityAttempt) =>
    entries.some((texts) => texts.every(([per, text]) => subjectOf(per, attempt) === text));
  return async (attempt) => isMeant(attempt);
}

/** Any other answer might let a denied card pay. */
function answerOf(path: string, answer: unknown): boolean {
  return typeof answer === 'boolean' ? answer : refuseType(`${path}()`, 'true or false', answer);
}

/** Returns the comparable text of each subject of an entry. */
function textsOf(path: string, entry: unknown): (readonly [per: string, text: string])[] {
  if (!isRecord(entry)) return refuseSecretly(path, 'an object', entry);
  checkShape(path, entrySchema, entry);
  const { card, ip, subjects = {} } = entry;
  if (!isRecord(subjects)) return refuseSecretly(`${path}.subjects`, 'an object', subjects);
  const names = Object.keys({
    ...(card !== undefined && { card }),
    ...(ip !== undefined && { ip }),
    ...subjects,
  });
  if (names.length === 0) return refuseType(path, 'a card, an IP address or subjects', entry);
  return names.map(
    (per) => [per, subjectOf(per, entry, path) ?? refuseName(path, per, subjects[per])] as const,
  );
}

/** Rules per `card` and `ip` use the fields of these names, never a subject. */
function refuseName(path: string, per: string, value: unknown): never {
  return refuseSecretly(`${path}.subjects.${per}`, 'text under a name other than card and ip', value);
}
