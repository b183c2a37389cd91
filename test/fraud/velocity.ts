/** Shared by the tests of velocity rules. */

import {
  type VelocityAttempt,
  VelocityGuard,
  type VelocityGuardOptions,
  type VelocityOutcome,
  type VelocityRule,
} from 'payments-client/fraud';
import { memoryStore } from 'payments-client/stores';

export const secret = 'a secret of the merchant, random';
export const start = Date.UTC(2026, 0, 1);
export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;
export const card = { number: '4929876512340988' };

/** Blocks the second attempt of a card in a minute. */
export const once = {
  name: 'once',
  per: 'card',
  counts: 'attempts',
  limit: 1,
  windowMs: minute,
  action: 'block',
} as const satisfies VelocityRule;

/** Holds a card that pays more than 10 in a day, in any currency. */
export const amounts = {
  name: 'amounts',
  per: 'card',
  counts: 'amount',
  limit: '10.00',
  windowMs: day,
  action: 'review',
} as const satisfies VelocityRule;

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
