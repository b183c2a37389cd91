/** Webhooks without a queue, with PostgreSQL: one process receives, others handle, and a person replays dead letters. */

import { beforeEach, describe, expect, it, vi } from 'vitest';
import { clientOf } from '../support/sandbox.ts';
import { exampleDatabase } from './database.ts';
import { type Merchant, secret, startMerchant } from './support.ts';

const database = exampleDatabase('test/examples/webhooks-inbox.services.test.ts');
const { isSkipped, reason } = database;

beforeEach(async () => {
  if (isSkipped) return;
  await database.pool.query('DROP TABLE IF EXISTS payments_claims');
});

const example = 'webhooks/inbox';
const type = 'checkout.session.completed';

/** A shop whose receiver listens. Each test starts its workers. */
async function start() {
  const shop = await startMerchant({
    DATABASE_URL: database.url,
  });
  const web = await shop.serve(example, 'web');
  shop.sandbox.webhooks.deliverTo(`${web.url}/webhooks`, { secret });
  return { shop, web };
}

/** Delivers an event, and expects its acknowledgement. */
async function deliver({ sandbox }: Merchant) {
  const { id, data } = sandbox.trigger(type);
  await sandbox.settled();
  expect(sandbox.webhooks.deliveries().map(({ status }) => status)).not.toContain('failed');
  return { operationId: `webhook/default/test//${id}`, session: data.object.id };
}

const accounts = async ({ sandbox }: Merchant) =>
  (await clientOf(sandbox).customers.list().toArray({ max: 100 })).map(({ metadata }) => metadata['session']);

const isOpened = (line: string) => line.includes('opened');
const idle = { code: 0, stdout: '', stderr: '' };

describe.skipIf(isSkipped)(`webhooks without a queue${reason}`, () => {
  it('responds at once, and leaves the handler to a worker', async () => {
    const { shop, web } = await start();
    const { session } = await deliver(shop);
    expect(await accounts(shop)).toEqual([]);
    const worker = shop.launch(example, 'worker');
    expect(await worker.line(isOpened)).toMatch(new RegExp(`^${session}: opened cus_`));
    expect(await accounts(shop)).toEqual([session]);
    expect(await worker.stop()).toMatchObject({ code: 0, stderr: '' });
    expect(await web.stop()).toMatchObject({ code: 0, stderr: '' });
  });

  it('finishes running handlers on SIGTERM', async () => {
    const { shop } = await start();
    const { session } = await deliver(shop);
    const held = shop.sandbox.faults.inject({ kind: 'hold', operation: 'customers.create' });
    const worker = shop.launch(example, 'worker');
    await held.reached;
    const ended = worker.stop('SIGTERM');
    held.release();
    expect(await ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/opened/), stderr: '' });
    expect(await accounts(shop)).toEqual([session]);
    expect((await shop.run(example, 'list')).stdout).toBe('');
  });

  it('continues after the database closed its connections', async () => {
    const { shop, web } = await start();
    const worker = shop.launch(example, 'worker');
    // The second one covers new connections: a pool closes those that were idle while the worker started.
    for (const _ of ['while it starts', 'once it runs']) {
      const { session } = await deliver(shop);
      await worker.line((line) => isOpened(line) && line.startsWith(session));
    }
    // A connection that breaks in a statement fails the statement; this is about idle ones.
    const busy = `SELECT 1 FROM pg_stat_activity
      WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND state <> 'idle'`;
    await vi.waitFor(async () => expect((await database.pool.query(busy)).rowCount).toBe(0));
    await database.pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`);
    await Promise.all([web, worker].map((process) => process.message('terminating connection')));
    const { session } = await deliver(shop);
    expect(await worker.line(isOpened)).toContain(session);
  });

  it('reassigns the event of a killed worker, and opens one account', async () => {
    const { shop } = await start();
    const { session } = await deliver(shop);
    const held = shop.sandbox.faults.inject({ kind: 'hold', operation: 'customers.create' });
    const killed = shop.launch(example, 'worker');
    await held.reached;
    await killed.stop('SIGKILL');
    held.release();
    // As if its lease had expired.
    await database.pool.query('UPDATE payments_claims SET expires_at = now() WHERE NOT completed');
    const other = shop.launch(example, 'worker');
    await other.line(isOpened);
    expect(await accounts(shop)).toEqual([session]);
  });

  it('lists a dead letter, and replays it', async () => {
    const { shop } = await start();
    const { operationId, session } = await deliver(shop);
    expect(await shop.run(example, 'list')).toEqual(idle);
    // As if it had failed 19 times.
    await database.pool.query('UPDATE payments_claims SET attempt = 19');
    shop.sandbox.faults.inject({ kind: 'respond', operation: 'customers.create', status: 400, times: 2 });
    const worker = shop.launch(example, 'worker');
    await worker.message('dead');
    const lastErrors = () =>
      database.pool.query("SELECT 1 FROM payments_claims WHERE data LIKE '%lastError%'");
    await vi.waitFor(async () => expect((await lastErrors()).rowCount).toBe(1), { timeout: 20_000 });
    await worker.stop();
    expect((await shop.run(example, 'list')).stdout).toMatch(
      new RegExp(`^${operationId} ${type} failed 20 times: BadRequestError`),
    );
    expect((await shop.run(example, 'replay', operationId)).stdout).toBe('dead\n');
    expect((await shop.run(example, 'replay', operationId)).stdout).toMatch(/opened cus_.+\nhandled\n$/);
    expect(await shop.run(example, 'list')).toEqual(idle);
    expect((await shop.run(example, 'replay', operationId)).stdout).toBe('The inbox does not contain it.\n');
    expect(await accounts(shop)).toEqual([session]);
  });
});
