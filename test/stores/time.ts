import type { ClaimResult, ClaimStore } from 'payments-client/stores';

/** Longer than any test. */
export const long = 3_600_000;

/** A key that no other test uses. */
export const freshKey = () => `evt_${crypto.randomUUID()}`;

/** The claim, where it was given. */
export function claimOf(result: ClaimResult): ClaimResult & { status: 'claimed' } {
  if (result.status !== 'claimed') throw new Error(`expected a claim, got ${result.status}`);
  return result;
}

/**
 * Waits until the clock of a store has moved on, so that what it holds for 1 ms has expired. The store itself says when:
 * it is asked until it has forgotten a record that was made later.
 */
export async function untilExpired(store: Pick<ClaimStore, 'claim' | 'complete'>): Promise<void> {
  const key = freshKey();
  const { token } = claimOf(await store.claim(key, long));
  await store.complete(key, token, 1);
  while ((await store.claim(key, long)).status === 'completed');
}
