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

/** Counts the open claims of some spaces, by one call for each. */
export async function openWorkIn(
  store: Pick<Store, 'open'>,
  spaces: readonly string[],
): Promise<Omit<Backlog, 'isWritable'>> {
  const pages = await Promise.all(spaces.map((space) => store.open({ space, limit: 1, counts: true })));
  const ages = pages.flatMap(({ claims }) => claims.map(({ age }) => age));
  return {
    count: pages.reduce((sum, { count }) => sum + (count ?? 0), 0),
    oldest: ages.length === 0 ? undefined : Math.max(...ages),
  };
}

/** Counts the open claims of some spaces, and looks whether the store takes writes. */
export async function backlogOf(
  store: WrittenStore,
  spaces: readonly [string, ...string[]],
): Promise<Backlog> {
  const [first] = spaces;
  const [work, isWritable] = await Promise.all([openWorkIn(store, spaces), takesWrites(store, first)]);
  return { ...work, isWritable };
}
