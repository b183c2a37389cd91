/** What is checked: attempts of many cards from many addresses, by a limit for each. */

import type { VelocityRule } from 'payments-client/fraud';

/** As limits of a merchant, but so high that nothing is blocked. */
export const rules: readonly VelocityRule[] = [
  { name: 'card', per: 'card', counts: 'attempts', limit: 1e9, windowMs: 600_000, action: 'block' },
  { name: 'ip', per: 'ip', counts: 'attempts', limit: 1e9, windowMs: 3_600_000, action: 'block' },
];

/** Two primes, so that the same card comes from other addresses, and no two attempts in flight have one of them in common. */
const [cards, addresses] = [1009, 997];

/** An attempt, by how many there were before. */
export function attemptAt(index: number) {
  const card = { token: `fingerprint-${index % cards}` };
  return { card, ip: `192.0.2.${index % addresses}` };
}
