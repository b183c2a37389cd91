import { distance } from 'fastest-levenshtein';

/** Longer than any option or command. Comparing takes quadratic time. */
const maxLength = 40;

/** Returns the word that was probably meant; `undefined` if none is within `furthest` edits. */
export function nearest(
  word: string,
  known: readonly string[],
  furthest = Math.max(2, Math.floor(word.length / 4)),
): string | undefined {
  if (word.length > maxLength) return undefined;
  const ranked = known
    .map((candidate) => ({ candidate, edits: distance(word, candidate) }))
    .sort((one, other) => one.edits - other.edits);
  const [best] = ranked;
  return best !== undefined && best.edits <= furthest ? best.candidate : undefined;
}

/**
 * Returns the known word that was probably meant, as a question in brackets; empty if none is near.
 *
 * @param others Words of other programs, with ours.
 */
export function meantBy(
  word: string,
  known: readonly string[],
  others: Readonly<Record<string, string>> = {},
): string {
  const meant = Object.hasOwn(others, word) ? others[word] : nearest(word, known);
  return meant === undefined ? '' : ` (did you mean '${meant}'?)`;
}
