/** Returns and their refunds in PostgreSQL: committed together, and sent once by workers that are killed. */

import { make } from 'payments-client-sandbox/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { clientOf } from '../support/sandbox.ts';
import { thorough } from '../support/size.ts';
import { exampleDatabase } from './database.ts';
import { type Merchant, startMerchant } from './support.ts';

const database = exampleDatabase('test/examples/safe-retry-postgres.services.test.ts');
const { isSkipped, reason: why } = database;

beforeEach(async () => {
  if (isSkipped) return;
  await database.pool.query('DROP TABLE IF EXISTS returns, intents, payments_claims');
});

function startShop(): Promise<Merchant> {
  return startMerchant({ DATABASE_URL: database.url });
}

/** A payment of 24.00. */
function pay({ sandbox }: Merchant): string {
  const { id } = sandbox.add('payment_intent', { amount: 2400 });
  sandbox.pay(id);
  return id;
}

async function refundsOf({ sandbox }: Merchant): Promise<number[]> {
  return (await clientOf(sandbox).refunds.list().toArray({ max: 1000 })).map(({ amount }) => amount);
}

describe.skipIf(isSkipped)(`the outbox${why}`, () => {
  it('refunds a return once, even if it is stored twice', async () => {
    const shop = await startShop();
    const intent = pay(shop);
    const first = await shop.run('safe-retry/outbox', 'return-77', intent, '500');
    expect(first).toMatchObject({ code: 0, stdout: 'return-77: pending\n', stderr: '' });
    const again = await shop.run('safe-retry/outbox', 'return-77', intent, '500');
    expect(again.stderr).toMatch(/duplicate key/);
    expect(await shop.run('safe-retry/outbox')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await refundsOf(shop)).toEqual([500]);
  });

  it('sends a committed refund after a crash, without waiting', async () => {
    const shop = await startShop();
    const intent = pay(shop);
    const refunding = shop.sandbox.faults.inject({ kind: 'hold', operation: 'refunds.create' });
    const killed = shop.launch('safe-retry/outbox', 'return-77', intent, '500');
    await refunding.reached;
    await killed.stop('SIGKILL');
    refunding.release();
    expect((await database.pool.query('SELECT id FROM returns')).rows).toEqual([{ id: 'return-77' }]);
    expect((await shop.run('safe-retry/outbox')).stdout).toBe('return-77: pending\n');
    expect(await refundsOf(shop)).toEqual([500]);
  });

  it.each([
    ['failed', 1],
    ['unheard_of', 1],
    ['succeeded', 0],
  ])('prints a refund with the status %s, and exits with %i', async (status, exit) => {
    const shop = await startShop();
    const body = { ...make('refund', { amount: 500 }), status };
    shop.sandbox.faults.inject({ kind: 'respond', operation: 'refunds.create', status: 200, body });
    const { code, stdout } = await shop.run('safe-retry/outbox', 'return-77', pay(shop), '500');
    expect(stdout).toBe(`return-77: ${status}\n`);
    expect(code).toBe(exit);
  });

  it.each([
    ['return-77'],
    ['return-77', 'pi_1'],
    ['', 'pi_1', '500'],
    ['return-77', '', '500'],
    ['return-77', 'pi_1', '500', 'usd'],
  ])('says how it is run after %s %s', async (...args) => {
    const shop = await startShop();
    const expected = 'Expected: node outbox.ts [<return> <payment intent> <amount>]\n';
    expect(await shop.run('safe-retry/outbox', ...args)).toEqual({ code: 2, stdout: '', stderr: expected });
    expect((await database.pool.query('SELECT id FROM returns')).rows).toEqual([]);
  });

  it('stores no return without its refund', async () => {
    const shop = await startShop();
    const refused = await shop.run('safe-retry/outbox', 'return-77', pay(shop), '-5');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('InvalidRequestError') });
    expect((await database.pool.query('SELECT id FROM returns')).rows).toEqual([]);
    expect(await shop.run('safe-retry/outbox')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('sends no refund of a return that could not be committed', async () => {
    const shop = await startShop();
    // It fails at the commit.
    await database.pool.query(`
      CREATE TABLE intents (id text PRIMARY KEY);
      CREATE TABLE returns (
        id text PRIMARY KEY, intent text NOT NULL REFERENCES intents DEFERRABLE INITIALLY DEFERRED, amount int
      )`);
    const refused = await shop.run('safe-retry/outbox', 'return-77', pay(shop), '500');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('foreign key') });
    expect(await shop.run('safe-retry/outbox')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await refundsOf(shop)).toEqual([]);
  });

  it('leaves a refused refund to a person', async () => {
    const shop = await startShop();
    const { code, stderr } = await shop.run('safe-retry/outbox', 'return-77', pay(shop), '999999');
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^return-77: look into it: The service refused the request\. .*refunds\.create: status 422/,
    );
  });

  it('has four workers refund a hundred returns once each, while workers are killed', thorough, async () => {
    const shop = await startShop();
    const { code, stdout } = await shop.run('safe-retry/four-workers');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^100 returns, 100 refunded once, \d+ workers killed\n$/);
    expect(await refundsOf(shop)).toHaveLength(100);
  });
});
