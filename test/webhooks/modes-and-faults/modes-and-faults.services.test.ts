/**
 * Each way to handle an event meets each fault. The service delivers distinct events to two processes until each got a 2xx; the
 * effects are rows of a table without a key. No event is lost. None takes effect twice if its record commits with its effect. Inline,
 * an effect is repeated only if a fault cut its handler off.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { postgresStore } from 'payments-client/stores';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { secret } from '../../support/deliveries.ts';
import { hasPgBouncer, type PgBouncer, startPgBouncer } from '../../support/pgbouncer.ts';
import { hasPostgres, type PostgresServer, startPostgresServer } from '../../support/postgres-server.ts';
import { engines, openPool, openQueue, type WebhookQueue } from '../../support/queues.ts';
import { hasRedis, type RedisServer, startRedisServer } from '../../support/redis-server.ts';
import { bySize, size } from '../../support/size.ts';
import { skipWithout } from '../../support/skip.ts';
import { type Fault, faults, lease } from './faults.ts';
import { Machine } from './machines.ts';
import { deliverAll, inFlight } from './service.ts';
import type { Mode } from './task.ts';

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

  async function untilHandled(name: string, least: number): Promise<void> {
    const count = `SELECT count(DISTINCT event)::int FROM ${name}`;
    while ((await pool.query(count)).rows[0].count < least) await wait(20);
  }

  async function drain(queue: WebhookQueue): Promise<void> {
    while ((await queue.unended()) > 0) {
      await queue.hurry();
      await wait(250);
    }
  }

  async function run({ mode, fault }: Cell, name: string) {
    await pool.query(`CREATE TABLE ${name} (event text NOT NULL)`);
    const place = { redis: redis.path, postgres: postgres.connection };
    const database = fault.isThroughPgbouncer ? pgbouncer.connection : postgres.connection;
    const task = { mode, name, place, database, secret, lease };
    const queue = mode.engine && (await openQueue(mode.engine, place, name));
    const first = new Machine(task, fault.clockShift ?? 0);
    const machines = [first, new Machine(task, 0)];
    try {
      await Promise.all(machines.map((machine) => machine.start()));
      const strike = untilHandled(name, events / 4).then(() => fault.strike?.({ first, redis, postgres }));
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
  )('$title', { timeout: 240_000 }, async (cell) => {
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
