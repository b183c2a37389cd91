import type { VelocityRule } from 'payments-client/fraud';

const block = { counts: 'attempts', action: 'block' } as const;

/**
 * The window of the limit per card, in ms; shorter than a process's clock is ahead, so a guard that uses its own clock
 * would restart its counts.
 */
export const cardWindow = 300_000;

/** How long a brief limit blocks, in ms. */
export const briefWindow = 1000;

/** Each attempt is checked by the rules whose subjects it has. */
export const rules: readonly VelocityRule[] = [
  { ...block, name: 'card', per: 'card', limit: 3, windowMs: cardWindow },
  { ...block, name: 'ip', per: 'ip', limit: 5, windowMs: 3_600_000 },
  { ...block, name: 'brief', per: 'buyer', limit: 3, windowMs: briefWindow },
  // Exceeded by every attempt, so that each verdict shows the counts.
  { ...block, name: 'total', per: 'till', limit: 0, windowMs: 3_600_000, action: 'review' },
];
