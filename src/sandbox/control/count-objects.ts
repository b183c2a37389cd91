import type { State } from '../domain/state.ts';

/** The ledger is shown by itself. */
const uncounted: readonly string[] = ['ledger_entry', 'ledger_account'];

/** How many objects of each kind there are, without the kinds that have none. */
export function countObjects({ objects }: State): Readonly<Record<string, number>> {
  const counted = Object.entries(objects).filter(([kind]) => !uncounted.includes(kind));
  const sizes = counted.map(([kind, { size }]) => [kind, size] as const);
  return Object.fromEntries(sizes.filter(([, size]) => size > 0));
}
