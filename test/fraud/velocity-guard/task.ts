import type {
  VelocityAttempt,
  VelocityOutcome,
  VelocityTicket,
  VelocityVerdict,
} from 'payments-client/fraud';
import type { PostgresServer } from '../../support/postgres-server.ts';

/** A server that processes share. */
export type StoreAddress =
  | { readonly kind: 'redis'; readonly path: string }
  | { readonly kind: 'postgres'; readonly connection: PostgresServer['connection'] };

/** What a process is told when it starts. */
export interface CheckerTask {
  readonly store: StoreAddress;
  /** How far its clock is ahead, in ms. */
  readonly ahead: number;
}

/** What a process is asked to do, with everything at once. */
export type Order =
  | {
      readonly kind: 'check';
      readonly attempts: readonly VelocityAttempt[];
      /** After how many answers it kills itself, while it waits for others. Default: never. */
      readonly killAfter?: number;
    }
  | {
      readonly kind: 'record';
      readonly tickets: readonly VelocityTicket[];
      readonly outcome: VelocityOutcome;
    };

/** What a process says of one attempt. */
export interface Checked extends Pick<VelocityVerdict, 'decision' | 'ticket'> {
  /** In ms since 1970. */
  readonly retryAt: number | undefined;
  /** What each exceeded rule came to, by its name. */
  readonly reached: Readonly<Record<string, string>>;
}
