import { readErrorBody } from '../sdk.ts';
import { isImpossible } from './impossible.ts';
import type { Answer } from './question.ts';

/** The content of an answer, without the parts that vary. */
export interface Fingerprint {
  readonly status: number;
  /** The code, without the object kind that it names; `undefined` if the body has none. */
  readonly code: string | undefined;
  /** The text, without the path, the id and the object kind that it names. */
  readonly text: string;
}

/** A word boundary within a camel-case word, as in `paymentIntent`. */
const camelHump = /(?<=[a-z])(?=[A-Z])/g;

function singular(word: string): string {
  return word.replace(/(?<=ch)es$|s$/, '');
}

/** Returns the words with which a path names its collection and operation. */
function namesIn(path: string): ReadonlySet<string> {
  const segments = path.split('/').filter((segment) => !isImpossible(segment));
  const words = segments.flatMap((segment) => segment.split(/[^A-Za-z]|(?=[A-Z])/));
  const names = words.map((word) => singular(word.toLowerCase()));
  return new Set([...names, 'resource', 'object']);
}

function withoutNames(words: readonly string[], names: ReadonlySet<string>): string {
  return words.filter((word) => word !== '' && !names.has(singular(word))).join(' ');
}

const verbs = new Set(['get', 'post', 'put', 'patch', 'delete']);

/** Returns whether a word is a path, an id, a number or another part that varies. */
function isVarying(word: string): boolean {
  return word.includes('/') || /\d/.test(word) || isImpossible(word) || verbs.has(word.toLowerCase());
}

/** Returns a text without the parts that vary, and without the names in its path. */
function plain(said: string, names: ReadonlySet<string>): string {
  const words = said.split(/[\s"'`<>,;()[\]{}]/).filter((word) => !isVarying(word));
  const plainWords = words.flatMap((word) =>
    word
      .replace(camelHump, ' ')
      .toLowerCase()
      .split(/[^a-z]/),
  );
  return withoutNames(plainWords, names);
}

function plainCode(code: string, names: ReadonlySet<string>): string {
  return withoutNames(
    code
      .replace(camelHump, ' ')
      .toLowerCase()
      .split(/[^a-z\d]/),
    names,
  );
}

/** How many characters of a message, or of a body without one, are compared. */
const maxText = 2000;

/** Longer than any error. A fingerprint is made for each comparison, so it must not take long. */
const maxExamined = 64 * 1024;

/** Returns the fingerprint of an answer to a request for a path. */
export function fingerprintOf({ status, text: whole }: Answer, path: string): Fingerprint {
  const text = whole.slice(0, maxExamined);
  const { code, detail } = readErrorBody(text, status);
  const names = namesIn(path);
  return {
    status,
    code: code === undefined ? undefined : plainCode(code, names),
    text: plain((detail ?? text).slice(0, maxText), names),
  };
}

/** Returns whether two answers are equal. If they have a code, the code decides. */
export function isSame(one: Fingerprint, other: Fingerprint): boolean {
  if (one.status !== other.status || one.code !== other.code) return false;
  return one.code !== undefined || one.text === other.text;
}
