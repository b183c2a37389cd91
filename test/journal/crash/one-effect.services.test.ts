/**
 * The journal's promise with real databases. Four processes share one store and make the same payments concurrently, over a
 * faulty network. They are killed and restarted, and midway the service forgets its idempotency keys. Each order takes
 * effect once, and none is lost.
 */

import type { OpenOperation, PaymentsClient } from 'payments-client';
import type { Sandbox } from 'payments-client/sandbox';
import { describe, expect, it, onTestFinished } from 'vitest';
import { report, tally, tallyFailures } from '../../chaos/books.ts';
import { seed } from '../../chaos/run.ts';
import { hasPostgres, startPostgresServer } from '../../support/postgres-server.ts';
import { hasRedis, startRedisServer } from '../../support/redis-server.ts';
import { clientOf, startSandbox } from '../../support/sandbox.ts';
import { bySize, thorough } from '../../support/size.ts';
import { skipWithout } from '../../support/skip.ts';
import { temporaryFile } from '../../support/temporary-file.ts';
import {
  expectAll,
  expectLookUps,
  expectNothingResent,
  expectOneEffectEach,
  type Open,
  resultsOf,
} from './books.ts';
import { runDay } from './day.ts';
import { startFront } from './front.ts';
import { type Order, ordersOf } from './plan.ts';
import { type Effect, lookUp, payIntents, restartService, twoDaysLater } from './service.ts';
import { openStore, type StoreAddress } from './stores.ts';

const size = bySize({
  short: { operations: 150, sales: 60 },
  all: { operations: 1000, sales: 400 },
  long: { operations: 5000, sales: 2000 },
});
const orders = ordersOf(size);
const twoDays = 2 * 86_400_000;

/** How many times a person closes all open operations. After the last round there are no faults. */
const rounds = bySize({ short: 1, all: 2, long: 2 });

/** Returns the open operations of the journal. */
async function openOf(payments: PaymentsClient): Promise<Open> {
  const all = new Map<string, OpenOperation>();
  for await (const operation of payments.journal.open()) all.set(operation.operationId, operation);
  return all;
}

/** Closes each open operation by the service's state, as a person does. */
async function closeAll(
  payments: PaymentsClient,
  effects: (order: Order) => readonly Effect[],
): Promise<{ readonly open: Open; readonly executed: number }> {
  const open = await openOf(payments);
  expectLookUps(open, orders);
  let executed = 0;
  for (const order of orders) {
    const [operation, [effect]] = [open.get(order.id), effects(order)];
    if (effect === undefined) await operation?.settle({ outcome: 'not_executed' });
    else await operation?.settle({ outcome: 'executed', result: effect.result });
    if (operation !== undefined && effect !== undefined) executed += 1;
  }
  expect(await openOf(payments)).toEqual(new Map());
  return { open, executed };
}

async function expectOneEffectOver(store: StoreAddress): Promise<void> {
  const opened = await openStore(store);
  onTestFinished(() => opened.close());
  const journal = { store: opened.store, now: () => Date.now() + twoDays };
  const front = await startFront();
  onTestFinished(() => front.close());
  const clerk = (service: Sandbox) => clientOf(service, { baseUrl: front.url, journal });
  const day = { store, front, size, later: twoDays, isFaulty: true };

  const before = await startSandbox();
  payIntents(before, orders);
  const stopWhen = (sent: number) => sent >= orders.length / 2;
  const first = await runDay({ ...day, number: 1, sandbox: before, later: 0, stopWhen });

  let sandbox = await twoDaysLater(before);
  const effects = await lookUp(sandbox);
  const openAfterFirst = await openOf(clerk(sandbox));
  expectLookUps(openAfterFirst, orders);
  const second = await runDay({ ...day, number: 2, sandbox });
  const results = { first: resultsOf(first), second: resultsOf(second), open: openAfterFirst, effects };
  expectNothingResent(orders, { ...results, sent: second.sent });

  const days = [first, second];
  const closed = [];
  for (let round = 1; round <= rounds; round += 1) {
    sandbox = await restartService(sandbox);
    const { open, executed } = await closeAll(clerk(sandbox), await lookUp(sandbox));
    closed.push({ open, executed });
    const needsPerson = ({ id, kind }: Order) => kind === 'sale' || (round === 1 && openAfterFirst.has(id));
    expectAll(orders, 'not replayed', (order) => !open.has(order.id) || needsPerson(order));
    if (round === 1)
      expectAll(orders, 'not listed as open', ({ id }) => !openAfterFirst.has(id) || open.has(id));
    days.push(await runDay({ ...day, number: round + 2, sandbox, isFaulty: round < rounds }));
  }
  expectOneEffectEach(orders, days.map(resultsOf), await lookUp(sandbox));
  expect(await openOf(clerk(sandbox))).toEqual(new Map());

  const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0);
  const closedManually = sum(closed.map(({ open }) => open.size));
  const executed = sum(closed.map((round) => round.executed));
  report(`crash, ${store.kind}`, {
    'requests through the proxy': sum(days.flatMap(({ sent }) => [...sent.values()])),
    faults: sum(days.map(({ faults }) => faults)),
    kills: sum(days.map(({ kills }) => kills)),
    'calls interrupted by kills': sum(days.map(({ inFlight }) => inFlight)),
    'orders completed on the first day': orders.filter((order) => results.first(order).responses.length > 0)
      .length,
    'left open': openAfterFirst.size,
    'closed manually': closedManually,
    'of which had taken effect': executed,
  });
  report(`crash, ${store.kind}, errors`, tallyFailures(days.flatMap(({ entries }) => entries)));
  // Each kind must occur, otherwise the test proves nothing.
  const kinds = orders.filter(({ id }) => openAfterFirst.has(id)).map(({ kind }) => kind);
  expect(tally(kinds)).toMatchObject({ intent: expect.any(Number), sale: expect.any(Number) });
  expect(executed).toBeGreaterThan(0);
  expect(closedManually).toBeGreaterThan(executed);
}

const file = 'test/journal/crash/one-effect.services.test.ts';
const redis = skipWithout(hasRedis(), 'redis-server', file);
const postgres = skipWithout(hasPostgres(), 'PostgreSQL server', file);

describe(`${size.operations} operations and ${size.sales} sales take effect once each (seed ${seed})`, {
  timeout: 1_200_000,
}, () => {
  it.skipIf(redis.isSkipped)(`over Redis${redis.why}`, async () => {
    const server = await startRedisServer();
    onTestFinished(() => server.stop());
    await expectOneEffectOver({ kind: 'redis', path: server.path });
  });

  it.skipIf(postgres.isSkipped)(`over PostgreSQL${postgres.why}`, async () => {
    const server = await startPostgresServer();
    onTestFinished(() => server.stop());
    await expectOneEffectOver({ kind: 'postgres', connection: server.connection });
  });

  it('over a file of SQLite', thorough, async () => {
    await expectOneEffectOver({ kind: 'sqlite', path: await temporaryFile() });
  });
});
