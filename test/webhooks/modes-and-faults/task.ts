import type { PostgresServer } from '../../support/postgres-server.ts';
import type { Engine, QueuePlace } from '../../support/queues.ts';

/** How a merchant handles an event, and where its record is. */
export interface Mode {
  readonly handling: 'inline' | 'completeIn' | 'transaction';
  readonly store: 'redis' | 'postgres';
  /** The engine between the endpoint and the handler. Default: none. */
  readonly engine?: Engine;
}

/** The task of a process of the merchant. */
export interface MachineTask {
  readonly mode: Mode;
  /** The name of the queue, the consumer and the table of effects. */
  readonly name: string;
  readonly place: QueuePlace;
  /** The database of the store and the effects: that of the place, or pgbouncer before it. */
  readonly database: PostgresServer['connection'];
  readonly secret: string;
  /** In ms. */
  readonly lease: number;
}
