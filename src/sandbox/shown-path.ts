/** A path as it is logged: what stands in the place of an id may be a key or the number of a card. */
export function shownPath(path: string): string {
  return path.replace(/sk_[\w-]{6,}|\d(?:(?:-|%20)?\d){12,}/g, '[redacted]');
}
