/** What the suite and its processes have in common. */

import type { VelocityAttempt, VelocityOutcome, VelocityRule, VelocityVerdict } from 'payments-client/fraud';
import type { PostgresServer } from '../../../support/postgres-server.ts';

const block = { counts: 'attempts', action: 'block' } as const;

/**
 * The window of the limit per card, in ms; shorter than a process's clock is ahead, so a guard that uses its own clock
 * would restart its counts.
 */
export const cardWindow = 300_000;

/** Each attempt is checked by the rules whose subjects it has. */
export const rules: readonly VelocityRule[] = [
  { ...block, name: 'card', per: 'card', limit: 3, windowMs: cardWindow },
  { ...block, name: 'ip', per: 'ip', limit: 5, windowMs: 3_600_000 },
  // Exceeded by every attempt, so that each verdict shows the counts.
  { ...block, name: 'total', per: 'till', limit: 0, windowMs: 3_600_000, action: 'review' },
];

/** A server that processes share. */
export type StoreAddress =
  | { readonly kind: 'redis'; readonly path: string }
  | { readonly kind: 'postgres'; readonly connection: PostgresServer['connection'] };

/** The task of a process. */
export interface CheckerTask {
  readonly store: StoreAddress;
  /** How far its clock is ahead, in ms. */
  readonly ahead: number;
}

/** An order to a process; its parts run concurrently. */
export type Order =
  | {
      readonly kind: 'check';
      readonly attempts: readonly VelocityAttempt[];
      /** Kills itself after this many answers, while it waits for others. Default: never. */
      readonly killAfter?: number;
    }
  | {
      readonly kind: 'record';
      readonly tickets: readonly VelocityVerdict['ticket'][];
      readonly outcome: VelocityOutcome;
    };

/** A process's answer for one attempt. */
export interface Checked extends Pick<VelocityVerdict, 'decision' | 'ticket'> {
  /** In ms since 1970. */
  readonly retryAt: number | undefined;
  /** The total of each exceeded rule, by name. */
  readonly reached: Readonly<Record<string, string>>;
}
