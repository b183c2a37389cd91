/** Where each entry of the history was scrolled to, by its number. */
const positions = new Map<number, number>();
let count = 0;

/** Returns the number of the current entry. A new one gets its number in the history's state. */
function currentEntry(): number {
  const known: unknown = history.state?.entry;
  if (typeof known === 'number') return known;
  // A reload keeps the history, but not this module's numbers.
  count = Math.max(count, Date.now()) + 1;
  history.replaceState({ entry: count }, '');
  return count;
}

// The browser would restore the position before the page has its content.
history.scrollRestoration = 'manual';
let entry = currentEntry();
let wanted = 0;
addEventListener('scroll', () => positions.set(entry, scrollY), { passive: true });
// Before the page changes: a shorter page scrolls, which says nothing about the one that was left.
addEventListener('hashchange', () => {
  entry = currentEntry();
  wanted = positions.get(entry) ?? 0;
});

/** Scrolls a new page to its top, and a page that Back returns to where it was. */
export function restoreScroll(): void {
  scrollTo(0, wanted);
}
