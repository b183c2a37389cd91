import type { Issue } from './issue.ts';
import { nearest } from './nearest.ts';

/** Returns the words of an issue for an unknown name, with the name that was probably meant. */
export function unknownName(name: string, known: readonly string[]): Omit<Issue, 'path'> {
  return { expected: `one of ${known.join(', ')}`, received: `an unknown option${meantBy(name, known)}` };
}

/** Returns the known name that was probably meant, as a question in brackets; empty where none is near. */
export function meantBy(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return meant === undefined ? '' : ` (did you mean '${meant}'?)`;
}

function withoutStyle(name: string): string {
  return name.toLowerCase().replaceAll('_', '');
}

/** The words of a name in any style: `amount_to_capture`, `amountToCapture`, `amount2`. */
function wordsOf(name: string): readonly string[] {
  const spaced = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  return spaced.split(/[^a-z]+/).filter((word) => word !== '');
}

/** Shorter words, such as `id`, begin and end too many names. */
const minWord = 5;

/** Whether one name holds the other: each of its words, or all of it at the beginning or the end. */
function resembles(name: string, other: string): boolean {
  const [few = [], many = []] = [wordsOf(name), wordsOf(other)].sort((a, b) => a.length - b.length);
  if (few.length > 0 && few.every((word) => many.includes(word))) return true;
  const [short = '', long = ''] = [few.join(''), many.join('')].sort((a, b) => a.length - b.length);
  return short.length >= minWord && (long.startsWith(short) || long.endsWith(short));
}

/**
 * Returns the name of the field that was probably meant, whatever its style and its length.
 *
 * @param loosely Whether common words are enough, as in `amount_to_capture`.
 */
export function meantByField(name: string, known: readonly string[], loosely: boolean): string | undefined {
  const exact = known.find((one) => withoutStyle(one) === withoutStyle(name));
  const near = exact ?? (name.length > 4 ? nearest(name, known, 2) : undefined);
  if (near !== undefined || !loosely) return near;
  const similar = known.filter((one) => resembles(name, one));
  return nearest(name, similar, Number.POSITIVE_INFINITY) ?? similar[0];
}

/** An issue of a field that probably has a wrong name. */
export interface Misnamed extends Issue {
  readonly name: string;
}

/** Whether a message may repeat the name of an option. Other text may be a secret, or control a terminal. */
export function isPlainName(name: string): boolean {
  return /^[A-Za-z_]{1,40}$/.test(name);
}

/** Returns an issue for each name of an object that is not known. */
export function unknownNames(path: string, given: object, known: readonly string[]): Issue[] {
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  return unknown.map((name) => ({ path: `${path}.${name}`, ...unknownName(name, known) }));
}
