/**
 * Many events, each delivered four times, shuffled and concurrently, to four processes that share one store. One
 * process is killed midway. Each event takes effect once, and none is lost.
 */

import { PaymentsClient } from 'payments-client';
import { createSandbox } from 'payments-client/sandbox';
import { postgresStore } from 'payments-client/stores';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { secret } from '../../support/deliveries.ts';
import { hasPostgres, startPostgresServer } from '../../support/postgres-server.ts';
import { hasRedis, startRedisServer } from '../../support/redis-server.ts';
import { bySize, thorough } from '../../support/size.ts';
import { skipWithout } from '../../support/skip.ts';
import { temporaryFile } from '../../support/temporary-file.ts';
import { deliverAll } from './deliver.ts';
import { kill, startWorker, type Worker } from './processes.ts';
import type { WorkerTask } from './task.ts';

const events = bySize({ short: 200, all: 2_000, long: 5_000 });
const copies = 4;
/** Long for a handler, short for a delivery that waits for the lease of a killed process. */
const lease = 3000;
const eventIds = Array.from({ length: events }, (_, index) => `evt_${index}`);

const cleanUps: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

async function deliverOver(task: WorkerTask) {
  const workers: Worker[] = [];
  cleanUps.push(() => Promise.all(workers.map(kill)));
  for (let index = 0; index < 4; index += 1) workers.push(await startWorker(task));
  const delivered = await deliverAll({ secret, events, copies, workers, killAfter: events, kill });
  expect(workers.map(({ process: child }) => child.signalCode).filter(Boolean)).toEqual(['SIGKILL']);
  expect(delivered.brokenOff).toBeGreaterThan(0);
  const figures = [...delivered.outcomes, ...delivered.repeats].map(([what, number]) => `${number} ${what}`);
  process.stdout.write(`${task.kind}: ${figures.join(', ')}; ${delivered.brokenOff} in flight at the kill\n`);
  return delivered;
}

function expectEachAnswered(outcomes: ReadonlyMap<string, number>) {
  const total = [...outcomes.values()].reduce((sum, number) => sum + number, 0);
  expect(total).toBe(events * copies);
  expect([...outcomes.keys()].sort()).toEqual(['duplicate', 'handled']);
}

const redis = skipWithout(
  hasRedis(),
  'redis-server',
  'test/webhooks/exactly-once/exactly-once.services.test.ts',
);
const postgres = skipWithout(
  hasPostgres(),
  'PostgreSQL server',
  'test/webhooks/exactly-once/exactly-once.services.test.ts',
);

describe('each event takes effect exactly once', { timeout: 300_000 }, () => {
  /** Each handler makes a payment for its event, in a service that all processes share. */
  async function expectOnePaymentEach(store: { readonly kind: 'redis' | 'sqlite'; readonly path: string }) {
    const sandbox = await createSandbox().listen();
    cleanUps.push(() => sandbox.close());
    const service = { baseUrl: sandbox.url, secretKey: sandbox.secretKey };

    const { outcomes } = await deliverOver({ ...store, service, secret, lease });

    const charged: unknown[] = [];
    const payments = new PaymentsClient({ ...service, fetch: sandbox.fetch });
    for await (const { metadata } of payments.paymentIntents.list({ limit: 100 }))
      charged.push(metadata['event']);
    expectEachAnswered(outcomes);
    expect(charged.sort()).toEqual(eventIds.sort());
  }

  it.skipIf(redis.isSkipped)(`over Redis, where its handler calls the service${redis.why}`, async () => {
    const server = await startRedisServer();
    cleanUps.push(() => server.stop());
    await expectOnePaymentEach({ kind: 'redis', path: server.path });
  });

  it('over a file of SQLite, where its handler calls the service', thorough, async () => {
    await expectOnePaymentEach({ kind: 'sqlite', path: await temporaryFile() });
  });

  it.skipIf(postgres.isSkipped)(
    `over Postgres, where its effect is a row${postgres.why}`,
    thorough,
    async () => {
      const server = await startPostgresServer();
      cleanUps.push(() => server.stop());
      const pool = new pg.Pool(server.connection);
      cleanUps.push(() => pool.end());
      await pool.query(postgresStore(pool).schema);
      await pool.query('CREATE TABLE effects (event text NOT NULL)');

      const { outcomes } = await deliverOver({
        kind: 'postgres',
        connection: server.connection,
        secret,
        lease,
      });

      const { rows } = await pool.query<{ event: string }>('SELECT event FROM effects');
      expectEachAnswered(outcomes);
      expect(rows.map(({ event }) => event).sort()).toEqual(eventIds.sort());
    },
  );
});
