import type { PostgresServer } from '../../support/postgres-server.ts';

/** The task of a process with a receiver in transactions. */
export interface StoppedTask {
  readonly connection: PostgresServer['connection'];
  readonly secret: string;
  /** In ms. */
  readonly lease: number;
  /** Whether the handler of `evt_stopped` stops the process. */
  readonly stops: boolean;
}
