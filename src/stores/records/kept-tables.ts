/**
 * What to do about tables that a store cannot use. Empty ones would begin with no memory of what was sent, so no advice leads there unless
 * the store was never used.
 */

const keep = 'Keep its records: without them what was sent is forgotten, and a payment may be sent twice.';

/** Returns what to do about tables of another version of this package. */
export function versionAdvice(present: number, own: number): string {
  return present > own
    ? `${keep} A newer version of payments-client wrote them: install that one in each process.`
    : `${keep} An earlier version of payments-client wrote them: go back to it, and read in CHANGELOG.md how a later one takes them over.`;
}

/**
 * Returns what to do about tables of something else.
 *
 * @param own What to give a store that was never used.
 */
export function foreignAdvice(own: string): string {
  return `If the store has used it before, restore it from a backup: an empty one forgets what was sent. Otherwise give the store ${own}.`;
}
