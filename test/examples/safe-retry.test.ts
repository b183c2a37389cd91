/**
 * The orders in a database: a process is killed after the service has charged and before the merchant has written that
 * down, and started again; there is one charge.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import type { Operation, Sandbox } from 'payments-client/sandbox';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { clientOf } from '../support/sandbox.ts';
import { everyNth, thorough } from '../support/size.ts';
import { type Merchant, startMerchant, untilEvent } from './support.ts';

/** A merchant with a table of orders, which the test reads past the example. */
interface Shop extends Merchant {
  readonly name: string;
  orders(): Promise<readonly unknown[]>;
}

const select = 'SELECT id, state, intent FROM orders ORDER BY id';

async function onSqlite(): Promise<Shop> {
  const merchant = await startMerchant();
  const orders = async () => {
    const database = new DatabaseSync(join(merchant.folder, 'orders.sqlite'), { readOnly: true });
    const rows = database.prepare(select).all();
    database.close();
    return rows.map((row) => ({ ...row }));
  };
  return { ...merchant, name: 'safe-retry/sqlite', orders };
}

// PostgreSQL in this process takes its time to start, so all tests share one.
let database: PGlite;
beforeAll(async () => {
  database = await PGlite.create();
}, 120_000);
afterAll(() => database?.close());

/** An empty database, behind a socket. */
async function onPostgres(): Promise<Shop> {
  await database.exec('DROP TABLE IF EXISTS orders');
  const folder = mkdtempSync(join(tmpdir(), 'pglite-'));
  const path = join(folder, '.s.PGSQL.5432');
  const server = new PGLiteSocketServer({ db: database, path, maxConnections: 5 });
  await server.start();
  onTestFinished(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const merchant = await startMerchant({ DATABASE_URL: `postgres://postgres@/postgres?host=${folder}` });
  return {
    ...merchant,
    name: 'safe-retry/postgres',
    orders: async () => (await database.query(select)).rows,
  };
}

const order = ['order-1042', '1200', 'usd', 'pm_card'] as const;

async function chargesOf(sandbox: Sandbox): Promise<readonly string[]> {
  const charges = await clientOf(sandbox).charges.list().toArray({ max: 10 });
  return charges.map(({ status, amount }) => `${status} ${amount}`);
}

/** Starts the order, and kills the process after the service has done something, before it can tell. */
async function killAfter(
  event: string,
  operation: Operation,
  { name, sandbox, launch }: Shop,
): Promise<void> {
  sandbox.faults.inject({ kind: 'stall_body', operation });
  const happened = untilEvent(sandbox, event);
  const killed = launch(name, ...order);
  await happened;
  await killed.stop('SIGKILL');
}

const databases = [
  ['SQLite', onSqlite],
  ['Postgres', onPostgres],
] as const;

describe.each(everyNth(databases, 2))('orders in %s', (_, start) => {
  it('are charged once, though the process is killed between the two commits', async () => {
    const shop = await start();
    const { name, sandbox, run, orders } = shop;
    await killAfter('payment_intent.succeeded', 'paymentIntents.confirm', shop);
    expect(await chargesOf(sandbox)).toEqual(['succeeded 1200']);
    const [intent, ...others] = await clientOf(sandbox).paymentIntents.list().toArray({ max: 10 });
    expect(others).toEqual([]);
    expect(await orders()).toEqual([{ id: 'order-1042', state: 'open', intent: intent?.id }]);

    const before = sandbox.requests.length;
    const { code, stdout } = await run(name);
    expect(code).toBe(0);
    // It looks, so that there is one charge even where the service has forgotten the key.
    const sent = sandbox.requests.slice(before).map(({ operation }) => operation);
    expect(sent).toEqual(['paymentIntents.retrieve']);
    expect(stdout).toBe(`order-1042: ${intent?.id} paid\n`);
    expect(await orders()).toEqual([{ id: 'order-1042', state: 'paid', intent: intent?.id }]);
    expect(await chargesOf(sandbox)).toEqual(['succeeded 1200']);
  });

  it('have one intent, though the process is killed before it knows of it', async () => {
    const shop = await start();
    const { name, sandbox, run, orders } = shop;
    await killAfter('payment_intent.created', 'paymentIntents.create', shop);
    expect(await orders()).toEqual([{ id: 'order-1042', state: 'open', intent: null }]);

    expect((await run(name)).code).toBe(0);
    const intents = await clientOf(sandbox).paymentIntents.list().toArray({ max: 10 });
    expect(await orders()).toEqual(
      intents.map(({ id }) => ({ id: 'order-1042', state: 'paid', intent: id })),
    );
    expect(await chargesOf(sandbox)).toEqual(['succeeded 1200']);
  });

  it('are not charged again once they are paid', thorough, async () => {
    const { name, sandbox, run } = await start();
    await run(name, ...order);
    const before = sandbox.requests.length;
    expect(await run(name, ...order)).toMatchObject({ code: 0, stdout: '' });
    expect(sandbox.requests.length).toBe(before);
  });

  it('stay open after an error, and are paid by the next run', async () => {
    const { name, sandbox, run, orders } = await start();
    const operation = 'paymentIntents.confirm';
    sandbox.faults.inject({ kind: 'bad_gateway', operation, committed: true, times: 3 });
    expect((await run(name, ...order)).stderr).toMatch(/^order-1042: run again: /);
    sandbox.faults.inject({ kind: 'rate_limit', retryAfter: 0, times: 3 });
    const { code, stderr } = await run(name);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^order-1042: run again: .*429/);
    expect(await orders()).toMatchObject([{ state: 'open' }]);
    expect((await run(name)).code).toBe(0);
    expect(await orders()).toMatchObject([{ state: 'paid' }]);
    expect(await chargesOf(sandbox)).toEqual(['succeeded 1200']);
  });

  it('wait for another card after a decline', thorough, async () => {
    const { name, sandbox, run, orders } = await start();
    const declined = await run(name, 'order-1042', '1200', 'usd', 'pm_card_declined');
    expect(declined).toMatchObject({ code: 0, stderr: '' });
    expect(declined.stdout).toMatch(/^order-1042: pi_\w+ waits for another card\n$/);
    expect((await run(name, ...order)).stdout).toMatch(/^order-1042: pi_\w+ paid\n$/);
    expect(await orders()).toMatchObject([{ state: 'paid' }]);
    expect((await chargesOf(sandbox)).toSorted()).toEqual(['failed 1200', 'succeeded 1200']);
  });

  it('fail once they are given up and their intent is canceled', thorough, async () => {
    const { name, sandbox, run, orders } = await start();
    await run(name, 'order-1042', '1200', 'usd', 'pm_card_declined');
    expect((await run(name, 'cancel', 'order-1042')).stdout).toMatch(/^order-1042: pi_\w+ failed\n$/);
    expect(await orders()).toMatchObject([{ state: 'failed' }]);
    const [intent] = await clientOf(sandbox).paymentIntents.list().toArray({ max: 1 });
    expect(intent?.status).toBe('canceled');
  });
});
