import type { Inline } from '../base/runtime/runtime.ts';
import type { Store } from './store.ts';

/** How much open work there is. */
export type Backlog = Inline<{
  /** How much there is. */
  readonly count: number;
  /** The age of the oldest, in ms; `undefined` if there is none. */
  readonly oldest: number | undefined;
}>;

/** Counts the open claims of some spaces, by one call for each. */
export async function backlogOf(store: Pick<Store, 'open'>, spaces: readonly string[]): Promise<Backlog> {
  const pages = await Promise.all(spaces.map((space) => store.open({ space, limit: 1, counts: true })));
  const ages = pages.flatMap(({ claims }) => claims.map(({ age }) => age));
  return {
    count: pages.reduce((sum, { count }) => sum + (count ?? 0), 0),
    oldest: ages.length === 0 ? undefined : Math.max(...ages),
  };
}
