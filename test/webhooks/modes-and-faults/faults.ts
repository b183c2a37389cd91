import { setTimeout as wait } from 'node:timers/promises';
import type { PostgresServer } from '../../support/postgres-server.ts';
import type { RedisServer } from '../../support/redis-server.ts';
import type { Machine } from './machines.ts';

/** In ms; long for a handler, even on a busy machine. */
export const lease = 4000;
/** Longer than a lease, and than the second after it for which a transaction may be idle. */
const stopped = lease + 2000;
const minute = 60_000;

/** What faults strike. */
interface Targets {
  readonly first: Machine;
  readonly redis: RedisServer;
  readonly postgres: PostgresServer;
}

/** What goes wrong while events are handled. */
export interface Fault {
  readonly name: string;
  /** Strikes once a quarter of the events is handled. Default: nothing. */
  strike?(targets: Targets): Promise<void>;
  /** How wrong the clock of one machine is, in ms. Default: 0. */
  readonly clockShift?: number;
  /** Whether all connections of the merchant go through pgbouncer. Default: false. */
  readonly isThroughPgbouncer?: boolean;
  /** Whether only modes with Redis meet it. Default: false. */
  readonly isOfRedis?: boolean;
}

async function pause(server: Pick<RedisServer, 'pause' | 'resume'>): Promise<void> {
  server.pause();
  await wait(stopped);
  server.resume();
}

async function restart(server: Pick<RedisServer, 'crash' | 'restart'>): Promise<void> {
  await server.crash();
  await server.restart();
}

/** Every fault. */
export const faults: readonly Fault[] = [
  { name: 'process killed', strike: async ({ first }) => first.signal('SIGKILL') },
  {
    name: 'process stopped',
    strike: async ({ first }) => {
      first.signal('SIGSTOP');
      await wait(stopped);
      first.signal('SIGCONT');
    },
  },
  { name: 'PostgreSQL stopped', strike: ({ postgres }) => pause(postgres) },
  { name: 'PostgreSQL crashed', strike: ({ postgres }) => restart(postgres) },
  { name: 'Redis stopped', isOfRedis: true, strike: ({ redis }) => pause(redis) },
  { name: 'Redis crashed', isOfRedis: true, strike: ({ redis }) => restart(redis) },
  { name: 'pgbouncer', isThroughPgbouncer: true },
  { name: 'clock + 10 min', clockShift: 10 * minute },
  { name: 'clock - 10 min', clockShift: -10 * minute },
];
