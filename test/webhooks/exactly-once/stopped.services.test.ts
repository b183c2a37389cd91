/** One of two processes is stopped within a handler's transaction. The other still handles every event, once each. */

import { postgresStore } from 'payments-client/stores';
import { Webhooks } from 'payments-client/webhooks';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { eventOf, secret } from '../../support/deliveries.ts';
import { hasPostgres, startPostgresServer } from '../../support/postgres-server.ts';
import { skipWithout } from '../../support/skip.ts';
import { kill, startWorker, type Worker } from './processes.ts';
import type { StoppedTask } from './stopped-task.ts';

const postgres = skipWithout(
  hasPostgres(),
  'PostgreSQL',
  'test/webhooks/exactly-once/stopped.services.test.ts',
);
/** Longer than the 2 s that a record waits, so that deliveries meet the open transaction. */
const lease = 8000;
const script = new URL('./stopped-worker.ts', import.meta.url);
const webhooks = new Webhooks({ secret });

async function send({ url }: Worker, id: string): Promise<string> {
  const body = JSON.stringify(eventOf('refund.failed', { id }));
  const headers = { 'content-type': 'application/json', ...(await webhooks.sign(body)) };
  const response = await fetch(url, { method: 'POST', body, headers });
  const { outcome }: { outcome: string } = JSON.parse(await response.text());
  return `${response.status} ${outcome} ${response.headers.get('retry-after') ?? ''}`.trim();
}

it.skipIf(postgres.isSkipped)(
  `a process stopped within a transaction disables no other${postgres.why}`,
  { timeout: 30_000 },
  async () => {
    const server = await startPostgresServer();
    onTestFinished(() => server.stop());
    const pool = new pg.Pool({ ...server.connection, max: 1 });
    onTestFinished(() => pool.end());
    await postgresStore(pool).migrate();
    await pool.query('CREATE TABLE effects (event text NOT NULL)');
    const task: StoppedTask = { connection: server.connection, secret, lease, stops: true };
    const stopped = await startWorker(task, script);
    onTestFinished(() => kill(stopped));
    const other = await startWorker({ ...task, stops: false }, script);
    onTestFinished(() => kill(other));

    const unanswered = send(stopped, 'evt_stopped');
    const idle = `SELECT 1 FROM pg_stat_activity WHERE state = 'idle in transaction' AND query LIKE 'INSERT INTO effects%'`;
    while ((await pool.query(idle)).rows.length === 0);

    // As many as the pool has connections.
    const deliveries = ['evt_stopped', 'evt_stopped', 'evt_stopped', 'evt_stopped'];
    expect(await Promise.all(deliveries.map((id) => send(other, id)))).toEqual(
      Array(4).fill('409 in_progress 1'),
    );
    expect(await send(other, 'evt_1')).toBe('200 handled');

    let outcome = '409';
    while (outcome.startsWith('409')) outcome = await send(other, 'evt_stopped');
    expect(outcome).toBe('200 handled');

    stopped.process.kill('SIGCONT');
    expect(await unanswered).toBe('500 failed');
    const { rows } = await pool.query<{ event: string }>('SELECT event FROM effects ORDER BY event');
    expect(rows.map(({ event }) => event)).toEqual(['evt_1', 'evt_stopped']);
  },
);
