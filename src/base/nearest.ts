function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [column, candidate] of [...other].entries()) {
      const replaced = (row[column] ?? 0) + (letter === candidate ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

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
    .map((candidate) => ({ candidate, far: distance(word, candidate) }))
    .sort((one, other) => one.far - other.far);
  const [best] = ranked;
  return best !== undefined && best.far <= furthest ? best.candidate : undefined;
}

/**
 * Returns the known word that was probably meant, as a question in brackets; empty where none is near.
 *
 * @param others Words that somebody may write instead, with ours.
 */
export function meantBy(
  word: string,
  known: readonly string[],
  others: Readonly<Record<string, string>> = {},
): string {
  const meant = Object.hasOwn(others, word) ? others[word] : nearest(word, known);
  return meant === undefined ? '' : ` (did you mean '${meant}'?)`;
}
