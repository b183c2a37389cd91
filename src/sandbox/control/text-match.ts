/**
 * Returns a case-insensitive predicate: whether one of some texts contains the searched text. An empty one matches
 * all.
 */
export function textMatcher(searched: string | null): (...texts: readonly unknown[]) => boolean {
  const needle = (searched ?? '').trim().toLowerCase();
  if (needle === '') return () => true;
  return (...texts) => texts.some((text) => typeof text === 'string' && text.toLowerCase().includes(needle));
}
