import type { Store } from 'payments-client/stores';

/** The part of a store that a journal needs. */
export type ClaimStore<Client = never> = Pick<
  Store<Client>,
  'claim' | 'renew' | 'complete' | 'release' | 'find' | 'open'
>;

/** The part of a store that a velocity guard needs. */
export type VelocityStore = Pick<Store, 'check'>;

/** One limit that an attempt is checked against. */
export type VelocityEntry = Parameters<Store['check']>[1][number];

/** The token of every check of a test, unless it is about tokens. */
export const token = 'a-check';

/** Takes an attempt back from the counts of some of its keys. */
export async function takeBack(store: VelocityStore, id: string, keys: readonly string[]): Promise<void> {
  const none = { amount: 0n, limit: 0n, windowMs: 3_600_000, blocks: false };
  const entries = keys.map((key) => ({ key, token, ...none }));
  await store.check(id, entries);
}

/** Returns the open claim of a key, or an empty list. */
export async function openAt(store: Pick<Store, 'open'>, key: string) {
  return (await store.open({ key })).claims;
}
