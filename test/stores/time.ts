import type { ClaimResult, Store } from 'payments-client/stores';

/** Longer than any test. */
export const long = 3_600_000;

export const day = 86_400_000;

/** When the clocks that the tests set start. */
export const start = Date.UTC(2026, 0, 1);

/** A key that no other test uses. */
export const freshKey = () => `evt_${crypto.randomUUID()}`;

/** Returns the claim, if it was granted. */
export function claimOf(result: ClaimResult): ClaimResult & { status: 'claimed' } {
  if (result.status !== 'claimed') throw new Error(`expected a claim, got ${result.status}`);
  return result;
}

/** Completes a key as one caller. */
export async function handle(store: Store, key: string, retention: number, data?: string): Promise<void> {
  const { token } = claimOf(await store.claim(key, long, { data }));
  await store.complete(key, token, retention);
}
