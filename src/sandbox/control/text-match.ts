/** Returns a function that tells whether one of some texts holds what is searched for, in either case. Everything holds nothing. */
export function textMatcher(searched: string | null): (...texts: readonly unknown[]) => boolean {
  const wanted = (searched ?? '').trim().toLowerCase();
  if (wanted === '') return () => true;
  return (...texts) => texts.some((text) => typeof text === 'string' && text.toLowerCase().includes(wanted));
}
