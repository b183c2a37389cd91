/**
 * The promise of the journal over real databases. Four processes share one store and ask for the same orders at the same time, over a network
 * that does harm. They are killed and started again, and half-way the service forgets its idempotency keys. Each order takes effect once, and
 * none is lost.
 */

import type { OpenOperation, PaymentsClient } from 'payments-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { report, tally, tallyFailures } from '../../chaos/books.ts';
import { seed } from '../../chaos/run.ts';
import { hasPostgres, startPostgresServer } from '../../support/postgres-server.ts';
import { hasRedis, startRedisServer } from '../../support/redis-server.ts';
import { clientOf, startSandbox } from '../../support/sandbox.ts';
import { bySize, thorough } from '../../support/size.ts';
import { skipWithout } from '../../support/skip.ts';
import { temporaryFile } from '../../support/temporary-file.ts';
import { booksOf, expectAll, expectLookUps, expectMemory, expectOneEffectEach, type Open } from './books.ts';
import { runDay, startHarm } from './day.ts';
import { type Order, ordersOf } from './plan.ts';
import { type Effect, listenAnew, lookUp, payIntents, twoDaysLater } from './service.ts';
import { openStore, type StoreAddress } from './stores.ts';

const size = bySize({
  short: { operations: 150, sales: 60 },
  all: { operations: 1000, sales: 400 },
  long: { operations: 5000, sales: 2000 },
});
const orders = ordersOf(size);
const twoDays = 2 * 86_400_000;

const byId = new Map(orders.map((order) => [order.id, order]));

/** The operations of the journal without a known end. */
async function openOf(payments: PaymentsClient): Promise<Open> {
  const all = new Map<string, OpenOperation>();
  for await (const operation of payments.journal.open()) all.set(operation.operationId, operation);
  return all;
}

/** Closes each operation by what the service did, as a person does. Returns how many had taken effect. */
async function settleAll(open: Open, effects: (order: Order) => readonly Effect[]): Promise<number> {
  let executed = 0;
  for (const [id, operation] of open) {
    const order = byId.get(id);
    if (order === undefined) throw new Error(`expected an order of the plan, got ${id}`);
    const [effect] = effects(order);
    if (effect === undefined) await operation.settle({ outcome: 'not_executed' });
    else {
      await operation.settle({ outcome: 'executed', result: effect.result });
      executed += 1;
    }
  }
  return executed;
}

async function proveOver(store: StoreAddress): Promise<void> {
  const opened = await openStore(store);
  onTestFinished(() => opened.close());
  const journal = { store: opened.store, now: () => Date.now() + twoDays };
  const day = { store, size, later: twoDays };

  const sandbox = await startSandbox();
  payIntents(sandbox, orders);
  const harm = await startHarm(sandbox, size, 1);
  const first = await runDay({
    ...{ ...day, sandbox, later: 0, proxy: harm },
    stopWhen: () => harm.arrivals.size >= orders.length / 2,
  });

  const later = await twoDaysLater(sandbox);
  const effectsThen = await lookUp(later);
  const left = await openOf(clientOf(later, { journal }));
  const leftOrders = orders.filter(({ id }) => left.has(id));
  expectLookUps(left, leftOrders);
  const kinds = tally(leftOrders.map(({ kind }) => kind));
  expect(Object.keys(kinds)).toContain('sale');
  expect(Object.keys(kinds)).toContain('intent');

  const laterHarm = await startHarm(later, size, 2);
  const second = await runDay({ ...day, sandbox: later, proxy: laterHarm });
  const [firstBooks, secondBooks] = [booksOf(first), booksOf(second)];
  const known = { first: firstBooks, second: secondBooks, left, effects: effectsThen };
  expectMemory(orders, { ...known, sent: laterHarm.arrivals });

  const closed = await listenAnew(later);
  const person = clientOf(closed, { journal });
  const open = await openOf(person);
  expectAll(leftOrders, 'closed by nobody', ({ id }) => open.has(id));
  const isForPerson = ({ id, kind }: Order) => kind === 'sale' || left.has(id);
  expectAll(orders, 'not repeated', (order) => !open.has(order.id) || isForPerson(order));
  const executed = await settleAll(open, await lookUp(closed));
  expect(await openOf(person)).toEqual(new Map());

  const third = await runDay({ ...day, sandbox: closed });
  expectOneEffectEach(orders, [firstBooks, secondBooks, booksOf(third)], await lookUp(closed));
  expect(await openOf(person)).toEqual(new Map());

  report(`crash, ${store.kind}`, {
    requests: harm.requests + laterHarm.requests,
    faults: [...harm.faults, ...laterHarm.faults].reduce((sum, [, times]) => sum + times, 0),
    kills: first.kills + second.kills,
    'calls cut off by them': first.inFlight + second.inFlight,
    'orders answered on the first day': orders.filter((order) => firstBooks(order).answers.length > 0).length,
    'left without a known end': left.size,
    'closed by hand': open.size,
    'of which had taken effect': executed,
  });
  report(
    `crash, ${store.kind}, errors`,
    tallyFailures([first, second, third].flatMap(({ entries }) => entries)),
  );
  expect(executed).toBeGreaterThan(0);
  expect(open.size).toBeGreaterThan(executed);
}

const file = 'test/journal/crash/one-effect.test.ts';
const redis = skipWithout(hasRedis(), 'redis-server', file);
const postgres = skipWithout(hasPostgres(), 'PostgreSQL server', file);

describe(`${size.operations} operations and ${size.sales} sales take effect once each (seed ${seed})`, {
  timeout: 1_200_000,
}, () => {
  it.skipIf(redis.isSkipped)(`over Redis${redis.why}`, async () => {
    const server = await startRedisServer();
    onTestFinished(() => server.stop());
    await proveOver({ kind: 'redis', path: server.path });
  });

  it.skipIf(postgres.isSkipped)(`over PostgreSQL${postgres.why}`, async () => {
    const server = await startPostgresServer();
    onTestFinished(() => server.stop());
    await proveOver({ kind: 'postgres', connection: server.connection });
  });

  it('over a file of SQLite', thorough, async () => {
    await proveOver({ kind: 'sqlite', path: await temporaryFile() });
  });
});
