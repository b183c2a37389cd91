import type { State } from '../domain/state.ts';

/** How many objects of each kind there are, without the kinds that have none. */
export function countObjects({ objects }: State): Readonly<Record<string, number>> {
  const sizes = Object.entries(objects).map(([kind, { size }]) => [kind, size] as const);
  return Object.fromEntries(sizes.filter(([, size]) => size > 0));
}
