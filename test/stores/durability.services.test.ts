/** What each store keeps of what it has confirmed, whatever happens to its server: no sale is sent twice that the contract keeps. */

import { JournalError, type PaymentsClient } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { startShop } from '../journal/shop.ts';
import { hasPostgres } from '../support/postgres-server.ts';
import { hasRedis } from '../support/redis-server.ts';
import { skipWithout } from '../support/skip.ts';
import type { Drill, Promised } from './drills/drill.ts';
import { memoryDrills, sqliteDrills } from './drills/local.ts';
import { postgresDrills } from './drills/postgres.ts';
import { redisDrills } from './drills/redis.ts';

const file = 'test/stores/durability.services.test.ts';
const here = { isSkipped: false, why: '' };
const stores = [
  { name: 'memory', drills: memoryDrills, ...here },
  { name: 'SQLite', drills: sqliteDrills, ...here },
  { name: 'Redis', drills: redisDrills, ...skipWithout(hasRedis(), 'redis-server', file) },
  { name: 'PostgreSQL', drills: postgresDrills, ...skipWithout(hasPostgres(), 'PostgreSQL', file) },
];

const before = ['before 1', 'before 2'];
const since = ['since 1', 'since 2', 'since 3'];
const sold = 'sold';

/** Sells with each id, and returns what came of it: `sold`, or the code of the cause for which nothing was sent. */
async function sell(payments: PaymentsClient, ids: readonly string[]): Promise<readonly unknown[]> {
  const results: unknown[] = [];
  for (const operationId of ids) {
    const sale = { amount: '12.00', payment_token: 'tok_1' };
    const result = payments.transact.sale(sale, { operationId }).then(
      () => sold,
      (error: unknown) => {
        if (!(error instanceof JournalError)) throw error;
        return Object(error.cause).code;
      },
    );
    results.push(await result);
  }
  return results;
}

const all = (result: unknown, ids: readonly string[]) => ids.map(() => result);

async function run({ store, midway, strike }: Drill, promised: Promised): Promise<void> {
  const afterFailover = promised === 'unnoticed' || promised === 'kept' ? 'warn' : 'refuse';
  const { sandbox, payments, restart } = await startShop({ store, afterFailover });
  const sent = () => sandbox.requests.length;
  expect(await sell(payments, before)).toEqual(all(sold, before));
  await midway?.();
  const first = await sell(payments, since);
  if (promised === 'refused') {
    expect(first).not.toContain(sold);
    expect(first).not.toContain(undefined);
    return expect(sent()).toBe(before.length);
  }
  expect(first).toEqual(all(sold, since));
  const restarted = restart({ store: await strike() });
  expect(await sell(restarted, before)).toEqual(all(sold, before));
  const repeated = await sell(restarted, since);
  if (promised === 'unnoticed') return expect(sent()).toBe(before.length + 2 * since.length);
  expect(repeated).toEqual(all(promised === 'kept' ? sold : 'STORE_FAILED_OVER', since));
  expect(sent()).toBe(before.length + since.length);
  if (promised === 'kept') return;
  expect(await sell(restarted, ['new'])).toEqual(['STORE_FAILED_OVER']);
  await restarted.journal.acknowledgeFailover();
  expect(await sell(restarted, ['new'])).toEqual([sold]);
}

describe.each(stores)('what $name keeps$why', ({ drills, isSkipped }) => {
  for (const [name, cell] of Object.entries(drills)) {
    if (typeof cell === 'string') it.skip(`after ${name}: no drill, since ${cell}`, () => {});
    else {
      it.skipIf(isSkipped)(`after ${name} is as promised: ${cell.promised}`, async () => {
        await run(await cell.open(), cell.promised);
      });
    }
  }
});
