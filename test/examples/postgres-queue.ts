/**
 * Webhooks over a queue in PostgreSQL, whatever its engine: a delivery is acknowledged once its job is committed, and record and
 * shipment are committed together.
 */

import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ExampleDatabase } from './database.ts';
import { secret, startMerchant } from './support.ts';

/** The engine of a queue, and what its tests do to it in SQL. */
interface Engine {
  readonly name: string;
  readonly schema: string;
  /** Counts the jobs that have not ended. */
  readonly unended: string;
  /** Returns 1 once one job has failed once, and waits for its next attempt. */
  readonly waiting: string;
  /** Makes adding a job fail, and ends that. */
  readonly refuse: string;
  readonly accept: string;
  /** Does what the engine does when it assumes that a worker crashed. */
  readonly reassign: string;
}

const type = 'checkout.session.completed';
const isHandled = (line: string) => line === 'handled';

const until = (what: () => Promise<unknown>, expected: unknown) =>
  vi.waitFor(async () => expect(await what()).toEqual(expected), { timeout: 60_000, interval: 20 });

export function describeQueue(engine: Engine, database: ExampleDatabase): void {
  const { isSkipped, reason } = database;
  const example = `webhooks/${engine.name}`;

  beforeEach(async () => {
    if (isSkipped) return;
    await database.pool.query('DROP TABLE IF EXISTS shipments, payments_claims');
    await database.pool.query(`DROP SCHEMA IF EXISTS ${engine.schema} CASCADE`);
  });

  async function start() {
    const merchant = await startMerchant({
      DATABASE_URL: database.url,
    });
    const running = await merchant.serve(example);
    merchant.sandbox.webhooks.deliverTo(`${running.url}/webhooks`, { secret, events: [type] });
    return { sandbox: merchant.sandbox, serve: merchant.serve, running };
  }

  async function valuesOf(query: string): Promise<unknown[]> {
    return (await database.pool.query({ text: query, rowMode: 'array' })).rows.map(([value]) => value);
  }

  const shipments = () => valuesOf('SELECT session FROM shipments');
  const unended = () => valuesOf(engine.unended);
  const records = () => valuesOf('SELECT key FROM payments_claims');

  /** An open transaction of another program. */
  async function open(statement: string) {
    const client = await database.pool.connect();
    await client.query('BEGIN');
    await client.query(statement);
    let isOpen = true;
    const end = async () => {
      if (isOpen) await client.query('ROLLBACK');
      if (isOpen) client.release();
      isOpen = false;
    };
    onTestFinished(end);
    return end;
  }

  describe.skipIf(isSkipped)(`webhooks over ${engine.name}${reason}`, () => {
    it('ships once for an event that is delivered twice', async () => {
      const { sandbox, running } = await start();
      const unlock = await open('LOCK TABLE shipments IN EXCLUSIVE MODE');
      sandbox.faults.inject({ kind: 'duplicate_delivery', types: [type] });
      const { id, data } = sandbox.trigger(type);
      await sandbox.settled();
      expect(sandbox.webhooks.deliveries().map(({ status }) => status)).toEqual(['delivered', 'delivered']);
      expect(await unended()).toEqual([2]);
      await unlock();
      await running.line(isHandled);
      await until(unended, [0]);
      expect(await shipments()).toEqual([data.object.id]);
      expect(await records()).toEqual([`webhook.default/test//${id}`]);
      const { stdout } = await running.stop();
      expect([stdout.match(/^handled$/gm), stdout.match(/^duplicate$/gm)]).toMatchObject([
        { length: 1 },
        { length: 1 },
      ]);
    });

    it('acknowledges no delivery without its job, so it is delivered again', async () => {
      const { sandbox, running } = await start();
      await database.pool.query(engine.refuse);
      const { id, data } = sandbox.trigger(type);
      await sandbox.settled();
      expect(sandbox.webhooks.deliveries().map(({ attempts }) => attempts[0]?.status)).toEqual([500]);
      expect(await records()).toEqual([]);
      await database.pool.query(engine.accept);
      sandbox.webhooks.replay(id);
      await sandbox.settled();
      await running.line(isHandled);
      expect(await shipments()).toEqual([data.object.id]);
    });

    it('retries a job whose handler throws', async () => {
      const { sandbox, running } = await start();
      await database.pool.query('ALTER TABLE shipments ADD CONSTRAINT closed CHECK (false)');
      const { data } = sandbox.trigger(type);
      await running.message('violates check constraint');
      await until(() => valuesOf(engine.waiting), [1]);
      await database.pool.query('ALTER TABLE shipments DROP CONSTRAINT closed');
      await running.line(isHandled);
      expect(await shipments()).toEqual([data.object.id]);
    });

    it('reassigns the job of a killed worker, and ships once', async () => {
      const { sandbox, serve, running } = await start();
      const unlock = await open('LOCK TABLE shipments IN EXCLUSIVE MODE');
      const { data } = sandbox.trigger(type);
      const waiting = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'shipments'::regclass";
      await until(() => valuesOf(waiting), [1]);
      await running.stop('SIGKILL');
      await unlock();
      await database.pool.query(engine.reassign);
      const other = await serve(example);
      await other.line(isHandled);
      expect(await shipments()).toEqual([data.object.id]);
      await until(unended, [0]);
    });
  });
}
