import type { ClaimResult } from 'payments-client/stores';
import type { ClaimStore } from '../support/stores.ts';

/** Longer than any test. */
export const long = 3_600_000;

/** A key that no other test uses. */
export const freshKey = () => `evt_${crypto.randomUUID()}`;

/** Returns the claim, if it was granted. */
export function claimOf(result: ClaimResult): ClaimResult & { status: 'claimed' } {
  if (result.status !== 'claimed') throw new Error(`expected a claim, got ${result.status}`);
  return result;
}

/** Waits until a store's clock has advanced past an expiry of 1 ms. Polls the store until it has forgotten a later record. */
export async function untilExpired(store: Pick<ClaimStore, 'claim' | 'complete'>): Promise<void> {
  const key = freshKey();
  const { token } = claimOf(await store.claim(key, long));
  await store.complete(key, token, 1);
  while ((await store.claim(key, long)).status === 'completed');
}
