import type { Inline } from '../base/runtime/runtime.ts';
import { second } from '../base/time.ts';
import type { Store } from './store.ts';

/** How much open work there is. */
export type Backlog = Inline<{
  /** How much there is. */
  readonly count: number;
  /** The age of the oldest, in ms; `undefined` if there is none. */
  readonly oldest: number | undefined;
  /** Whether the store takes writes: one that is full, or a replica, still answers reads. */
  readonly isWritable: boolean;
}>;

type WrittenStore = Pick<Store, 'claim' | 'complete' | 'open'>;

/** Whether a store takes a claim with data, as one of a call. */
async function takesWrites(store: WrittenStore, space: string): Promise<boolean> {
  const key = `up/${space}`;
  try {
    const claim = await store.claim(key, second, { data: 'up' });
    if (claim.status === 'claimed') await store.complete(key, claim.token, 1, { data: '' });
    return true;
  } catch {
    return false;
  }
}

/** Counts the open claims of some spaces, by one call for each, and looks whether the store takes writes. */
export async function backlogOf(
  store: WrittenStore,
  spaces: readonly [string, ...string[]],
): Promise<Backlog> {
  const [first] = spaces;
  const count = (space: string) => store.open({ space, limit: 1, counts: true });
  const [pages, isWritable] = await Promise.all([Promise.all(spaces.map(count)), takesWrites(store, first)]);
  const ages = pages.flatMap(({ claims }) => claims.map(({ age }) => age));
  return {
    count: pages.reduce((sum, { count }) => sum + (count ?? 0), 0),
    oldest: ages.length === 0 ? undefined : Math.max(...ages),
    isWritable,
  };
}
