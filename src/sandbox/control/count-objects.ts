import type { State } from '../domain/state.ts';

/** The ledger has its own page. */
const uncounted: readonly string[] = ['ledger_entry', 'ledger_account'];

/** Returns the number of objects by kind, without empty kinds. */
export function countObjects({ objects }: State): Readonly<Record<string, number>> {
  const counted = Object.entries(objects).filter(([kind]) => !uncounted.includes(kind));
  const sizes = counted.map(([kind, { size }]) => [kind, size] as const);
  return Object.fromEntries(sizes.filter(([, size]) => size > 0));
}
