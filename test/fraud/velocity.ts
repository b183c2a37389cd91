/** Shared by the tests of velocity rules. */

import {
  type VelocityAttempt,
  VelocityGuard,
  type VelocityGuardOptions,
  type VelocityOutcome,
} from 'payments-client/fraud';
import { memoryStore } from 'payments-client/stores';

export const secret = 'a secret of the merchant, random';
export const start = Date.UTC(2026, 0, 1);
export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;
export const card = { number: '4929876512340988' };

/** A guard whose clock a test moves. */
export function guardAt(options: Omit<VelocityGuardOptions, 'secret' | 'store'> = {}) {
  let time = start;
  const guard = new VelocityGuard({ secret, store: memoryStore({ now: () => time }), ...options });
  return {
    guard,
    at: (ms: number) => {
      time = start + ms;
    },
    check: (attempt: VelocityAttempt) => guard.check(attempt),
    async pay(attempt: VelocityAttempt, outcome: VelocityOutcome = 'approved') {
      const verdict = await guard.check(attempt);
      await guard.record(verdict.ticket, outcome);
      return verdict.decision;
    },
  };
}

/** Repeats a call in sequence, and returns the results. */
export async function times<T>(count: number, act: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let index = 0; index < count; index += 1) results.push(await act());
  return results;
}
