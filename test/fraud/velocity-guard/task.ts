import type { VelocityAttempt, VelocityOutcome, VelocityVerdict } from 'payments-client/fraud';
import type { PostgresServer } from '../../support/postgres-server.ts';

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
