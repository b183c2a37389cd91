/**
 * Each way to handle an event meets each fault. The service delivers distinct events to two processes until each got a 2xx; the
 * effects are rows of a table without a key. No event is lost. None takes effect twice if its record commits with its effect. Inline,
 * an effect is repeated only if a fault cut its handler off.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { postgresStore } from 'payments-client/stores';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hasPgBouncer, type PgBouncer, startPgBouncer } from '../../support/pgbouncer.ts';
import { hasPostgres, type PostgresServer, startPostgresServer } from '../../support/postgres-server.ts';
import { engines, openPool, openQueue, type WebhookQueue } from '../../support/queues.ts';
import { hasRedis, type RedisServer, startRedisServer } from '../../support/redis-server.ts';
import { bySize, size } from '../../support/size.ts';
import { skipWithout } from '../../support/skip.ts';
import { deliverAll, inFlight, Machine, type Mode } from './rig.ts';

const { isSkipped, why } = skipWithout(
  hasPostgres() && hasRedis() && hasPgBouncer(),
  'PostgreSQL, Redis and pgbouncer',
  'test/webhooks/modes-and-faults/modes-and-faults.services.test.ts',
);

const events = bySize({ short: 40, all: 60, long: 200 });
const ids = Array.from({ length: events }, (_, index) => `evt_${index}`);

const modes: readonly Mode[] = [
  { handling: 'inline', store: 'redis' },
  { handling: 'inline', store: 'postgres' },
  { handling: 'completeIn', store: 'postgres' },
  { handling: 'transaction', store: 'postgres' },
  ...engines.flatMap((engine): Mode[] => [
    { handling: 'inline', store: engine === 'bullmq' ? 'redis' : 'postgres', engine },
    { handling: 'transaction', store: 'postgres', engine },
  ]),
];

/** Long for a handler, even on a busy machine, in ms. */
const lease = 4000;
const minute = 60_000;

/** What faults strike, and what they wait for. */
interface Targets {
  readonly first: Machine;
  /** Resolves when each event was handled, by any process. */
  allHandled(): Promise<unknown>;
}

/** What goes wrong while events are handled. */
interface Fault {
  readonly name: string;
  /** Strikes once a quarter of the events is handled. Default: nothing. */
  strike?(targets: Targets): Promise<unknown>;
  /** How wrong the clock of one machine is, in ms. Default: 0. */
  readonly clockShift?: number;
  /** Whether all connections of the merchant go through pgbouncer. Default: false. */
  readonly isThroughPgbouncer?: boolean;
  /** Whether only modes with Redis meet it. Default: false. */
  readonly isOfRedis?: boolean;
}

/** A stop has a length: longer than a lease, and than the second after it for which a transaction may be idle. */
async function stop(server: Pick<RedisServer, 'pause' | 'resume'>): Promise<void> {
  server.pause();
  await wait(lease + 2000);
  server.resume();
}

async function crash(server: Pick<RedisServer, 'crash' | 'restart'>): Promise<void> {
  await server.crash();
  await server.restart();
}

const faults: readonly Fault[] = [
  { name: 'process killed', strike: async ({ first }) => first.signal('SIGKILL') },
  {
    // It goes on when others have handled all that it had.
    name: 'process stopped',
    strike: async ({ first, allHandled }) => {
      first.signal('SIGSTOP');
      await allHandled();
      first.signal('SIGCONT');
    },
  },
  { name: 'PostgreSQL stopped', strike: () => stop(postgres) },
  { name: 'PostgreSQL crashed', strike: () => crash(postgres) },
  { name: 'Redis stopped', isOfRedis: true, strike: () => stop(redis) },
  { name: 'Redis crashed', isOfRedis: true, strike: () => crash(redis) },
  { name: 'pgbouncer', isThroughPgbouncer: true },
  { name: 'clock + 10 min', clockShift: 10 * minute },
  { name: 'clock - 10 min', clockShift: -10 * minute },
];

const nameOf = ({ handling, store, engine }: Mode) =>
  engine === undefined ? `${handling}, ${store}` : `${engine}, ${handling}`;

const hasRole = ({ store, engine }: Mode, { isOfRedis = false }: Fault) =>
  !isOfRedis || store === 'redis' || engine === 'bullmq';

interface Cell {
  readonly mode: Mode;
  readonly fault: Fault;
}

const all = modes.flatMap((mode) =>
  faults.filter((fault) => hasRole(mode, fault)).map((fault): Cell => ({ mode, fault })),
);

/** Shorter forms have a diagonal of the table. */
const cells = all.filter((_, index) => index % bySize({ short: 19, all: 11, long: 1 }) === 0);

/** The faults that cut no handler off. */
const isHarmless = ({ strike }: Fault) => strike === undefined;

/** How many events may take effect twice. */
function mayRepeat({ mode, fault }: Cell): number {
  if (mode.handling !== 'inline' || isHarmless(fault)) return 0;
  // A server that stops also cuts off the handlers that start meanwhile.
  return fault.name.startsWith('process') ? inFlight : events;
}

let postgres: PostgresServer;
let redis: RedisServer;
let pgbouncer: PgBouncer;
let pool: Pool;
const rows = new Map<string, Map<string, string>>();
/** How many handlers were cut off after their effect. */
let repeated = 0;

describe.skipIf(isSkipped)(`each mode under each fault${why}`, () => {
  beforeAll(async () => {
    postgres = await startPostgresServer({ isDurable: true });
    redis = await startRedisServer({ isDurable: true });
    pgbouncer = await startPgBouncer(postgres);
    pool = openPool(postgres.connection);
    await postgresStore(pool).migrate();
  });

  afterAll(async () => {
    await pool?.end();
    await pgbouncer?.stop();
    await redis?.stop();
    await postgres?.stop();
    for (const [mode, row] of rows) {
      const cellsOfRow = [...row].map(([fault, counts]) => `${fault} ${counts}`);
      process.stdout.write(`${mode}: ${cellsOfRow.join('; ')}\n`);
    }
  });

  /** Polls until a condition holds; only the test's own time bounds it. */
  const until = (holds: () => Promise<boolean>) =>
    vi.waitFor(async () => expect(await holds()).toBe(true), { interval: 100, timeout: 240_000 });

  const untilHandled = (name: string, least: number) =>
    until(async () => {
      const { rows } = await pool.query(`SELECT count(DISTINCT event)::int FROM ${name}`);
      return rows[0].count >= least;
    });

  /** Works off the queue, also jobs of stopped workers. */
  const drain = (queue: WebhookQueue) =>
    until(async () => {
      await queue.hurry();
      return (await queue.unended()) === 0;
    });

  async function run({ mode, fault }: Cell, name: string) {
    await pool.query(`CREATE TABLE ${name} (event text NOT NULL)`);
    const place = { redis: redis.path, postgres: postgres.connection };
    const database = fault.isThroughPgbouncer ? pgbouncer.connection : postgres.connection;
    const task = { mode, name, place, database, lease };
    const queue = mode.engine && (await openQueue(mode.engine, place, name));
    const first = new Machine(task, fault.clockShift ?? 0);
    const machines = [first, new Machine(task, 0)];
    const allHandled = () => Promise.all([queue && drain(queue), untilHandled(name, events)]);
    try {
      await Promise.all(machines.map((machine) => machine.start()));
      const strike = untilHandled(name, events / 4).then(() => fault.strike?.({ first, allHandled }));
      const [repeats] = await Promise.all([deliverAll(ids, machines), strike]);
      if (queue !== undefined) await drain(queue);
      await Promise.all(machines.map((machine) => machine.end()));
      return { repeats, ...(await countEffects(name)) };
    } finally {
      for (const machine of machines) machine.destroy();
      await queue?.close();
    }
  }

  async function countEffects(name: string) {
    const counts = `SELECT count(*)::int AS handled, count(*) FILTER (WHERE times > 1)::int AS doubled
      FROM (SELECT count(*) AS times FROM ${name} GROUP BY event) AS each`;
    const [{ handled, doubled }] = (await pool.query(counts)).rows;
    return { lost: events - handled, doubled };
  }

  it.each(
    cells.map((cell, index) => ({ ...cell, index, title: `${nameOf(cell.mode)}: ${cell.fault.name}` })),
  )('$title', { timeout: 300_000 }, async (cell) => {
    const { lost, doubled, repeats } = await run(cell, `cell_${cell.index}`);
    const row = rows.get(nameOf(cell.mode)) ?? new Map<string, string>();
    rows.set(nameOf(cell.mode), row.set(cell.fault.name, `${lost}/${doubled}`));
    process.stdout.write(`${cell.title}: ${lost} lost, ${doubled} doubled, ${repeats} deliveries repeated\n`);
    repeated += doubled;
    expect(lost).toBe(0);
    expect(doubled).toBeLessThanOrEqual(mayRepeat(cell));
  });

  // Fewer cells may happen to cut none off.
  it.runIf(size === 'long')('cuts handlers off after their effect', () => {
    expect(repeated).toBeGreaterThan(0);
  });
});
