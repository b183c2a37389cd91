/** The orders in a PostgreSQL server: of two processes one charges an order, and the other may once the first has died. */

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPostgres, type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';
import { clientOf } from '../support/sandbox.ts';
import { skipWithout } from '../support/skip.ts';
import { startMerchant } from './support.ts';

const file = 'test/examples/safe-retry-postgres.test.ts';
const { isSkipped, why } = skipWithout(hasPostgres(), 'PostgreSQL', file);

let server: PostgresServer | undefined;
let database: pg.Client;
beforeAll(async () => {
  if (isSkipped) return;
  server = await startPostgresServer();
  database = new pg.Client(server.connection);
  await database.connect();
}, 60_000);
afterAll(async () => {
  await database?.end();
  await server?.stop();
});

describe.skipIf(isSkipped)(`orders in PostgreSQL${why}`, () => {
  it('are left to the process that is at them, and taken up when it has died', async () => {
    const DATABASE_URL = `postgres://postgres@/postgres?host=${server?.connection.host}`;
    const { sandbox, launch, run } = await startMerchant({ DATABASE_URL });
    const confirming = sandbox.faults.inject({ kind: 'hold', operation: 'paymentIntents.confirm' });
    const first = launch('safe-retry/postgres', 'order-1042', '1200', 'usd', 'pm_card');
    await confirming.reached;

    const before = sandbox.requests.length;
    expect(await run('safe-retry/postgres')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(sandbox.requests.length).toBe(before);

    await first.stop('SIGKILL');
    confirming.release();
    // Waits until the server has noticed.
    await database.query("SELECT pg_advisory_lock(hashtext('order-1042'))");
    await database.query("SELECT pg_advisory_unlock(hashtext('order-1042'))");
    expect((await run('safe-retry/postgres')).stdout).toMatch(/^order-1042: pi_\w+ paid\n$/);
    const charges = await clientOf(sandbox).charges.list().toArray({ max: 5 });
    expect(charges.map(({ status }) => status)).toEqual(['succeeded']);
    const { rows } = await database.query('SELECT id, state FROM orders');
    expect(rows).toEqual([{ id: 'order-1042', state: 'paid' }]);
  });
});
