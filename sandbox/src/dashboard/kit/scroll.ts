/** Where each entry of the history was scrolled to, and its link that had the focus last, by its number. */
const positions = new Map<number, number>();
const links = new Map<number, string | null>();
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
addEventListener('focusin', ({ target }) => {
  if (target instanceof Element) links.set(entry, target.getAttribute('href'));
});
// Before the page changes: a shorter page scrolls, which says nothing about the one that was left.
addEventListener('hashchange', () => {
  entry = currentEntry();
  wanted = positions.get(entry) ?? 0;
});

/** Scrolls a new page to its top and focuses it. A page that Back returns to is where it was, with the focus on its link. */
export function restorePlace(main: HTMLElement | null): void {
  scrollTo(0, wanted);
  const href = links.get(entry) ?? '';
  const link = main?.querySelector<HTMLElement>(`[href="${CSS.escape(href)}"]`);
  (link ?? main)?.focus({ preventScroll: true });
}
