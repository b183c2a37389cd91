/**
 * Four processes make the same payments concurrently, over a network with every fault, and are killed and restarted. Each order
 * takes effect once, none is lost, and each error says truly whether money may have moved.
 *
 * - Without a journal the keys of the service keep that promise. A sale at the form endpoint has no key: it is sent once.
 * - With a journal the processes share one store, and the promise holds for sales too, and after the service forgot its keys.
 */

import type { OpenOperation, PaymentsClient } from 'payments-client';
import type { Sandbox } from 'payments-client-sandbox';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hasPostgres, startPostgresServer } from '../support/postgres-server.ts';
import { hasRedis, startRedisServer } from '../support/redis-server.ts';
import { clientOf, startSandbox } from '../support/sandbox.ts';
import { bySize, thorough } from '../support/size.ts';
import { skipWithout } from '../support/skip.ts';
import { temporaryFile } from '../support/temporary-file.ts';
import {
  type Effects,
  expectAll,
  expectLookUps,
  expectNothingResent,
  expectOneEffectEach,
  expectOneResultEach,
  expectTrueReports,
  type Open,
  resultsOf,
  tallyFailures,
} from './calls/books.ts';
import { runDay } from './calls/day.ts';
import { isCalledOnce, type Order, ordersOf } from './calls/plan.ts';
import { lookUp, payIntents, restartService, twoDaysLater } from './calls/service.ts';
import { openStore, type StoreAddress } from './calls/stores.ts';
import { startFront } from './network/front.ts';
import { report, seed, tally } from './report.ts';

const size = bySize({
  short: { operations: 150, sales: 60 },
  all: { operations: 1000, sales: 400 },
  long: { operations: 5000, sales: 2000 },
});
const orders = ordersOf(size);
/** A sale without a journal is sent once, so more of them take little time. */
const withoutJournal = bySize({
  short: { operations: 150, sales: 400 },
  all: { operations: 1000, sales: 1000 },
  long: { operations: 10_000, sales: 4000 },
});
const twoDays = 2 * 86_400_000;

/** How many times a person closes all open operations. After the last round there are no faults. */
const rounds = bySize({ short: 1, all: 2, long: 2 });

const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0);

/** Returns the open operations of the journal. */
async function openOf(payments: PaymentsClient): Promise<Open> {
  const all = new Map<string, OpenOperation>();
  for await (const operation of payments.journal.open()) all.set(operation.operationId, operation);
  return all;
}

/** Closes each open operation by the service's state, as a person does. */
async function closeAll(
  payments: PaymentsClient,
  effects: Effects,
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

async function expectOneEffectWithoutJournal(): Promise<void> {
  const sandbox = await startSandbox();
  const all = ordersOf(withoutJournal);
  payIntents(sandbox, all);
  const day = await runDay({ number: 0, sandbox, size: withoutJournal, later: 0, isFaulty: true });

  const results = resultsOf(day);
  const effects = await lookUp(sandbox);
  const once = all.filter(isCalledOnce);
  const repeated = all.filter((order) => !isCalledOnce(order));
  expectTrueReports(once, results, effects);
  expectOneResultEach(repeated, [results], effects);
  const sales = all.filter(({ kind }) => kind === 'sale');
  expectAll(sales, 'sent twice', ({ id }) => (day.sent.get(id) ?? 0) < 2);

  const unknown = once.filter((order) =>
    results(order).failures.some(({ outcome }) => outcome === 'unknown'),
  );
  const executed = unknown.filter((order) => effects(order).length > 0);
  report('crash, without a journal', {
    'requests through the proxy': sum([...day.sent.values()]),
    faults: sum(Object.values(day.faults)),
    kills: day.kills,
    'calls interrupted by kills': day.inFlight,
    'single calls of unknown outcome': unknown.length,
    'of which had taken effect': executed.length,
  });
  report('crash, without a journal, faults', day.faults);
  report('crash, without a journal, errors', tallyFailures(day.notes));
  // Each kind must occur, otherwise the test proves nothing.
  expect(Object.keys(day.faults).length).toBeGreaterThan(bySize({ short: 10, all: 15, long: 22 }));
  expect(day.kills).toBeGreaterThan(0);
  expect(executed.length).toBeGreaterThan(0);
  expect(unknown.length).toBeGreaterThan(executed.length);
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

  const closedManually = sum(closed.map(({ open }) => open.size));
  const executed = sum(closed.map((round) => round.executed));
  report(`crash, ${store.kind}`, {
    'requests through the proxy': sum(days.flatMap(({ sent }) => [...sent.values()])),
    faults: sum(days.flatMap(({ faults }) => Object.values(faults))),
    kills: sum(days.map(({ kills }) => kills)),
    'calls interrupted by kills': sum(days.map(({ inFlight }) => inFlight)),
    'orders completed on the first day': orders.filter((order) => results.first(order).responses.length > 0)
      .length,
    'left open': openAfterFirst.size,
    'closed manually': closedManually,
    'of which had taken effect': executed,
  });
  report(`crash, ${store.kind}, errors`, tallyFailures(days.flatMap(({ notes }) => notes)));
  // Each kind must occur, otherwise the test proves nothing.
  const kinds = orders.filter(({ id }) => openAfterFirst.has(id)).map(({ kind }) => kind);
  expect(tally(kinds)).toMatchObject({ intent: expect.any(Number), sale: expect.any(Number) });
  expect(executed).toBeGreaterThan(0);
  expect(closedManually).toBeGreaterThan(executed);
}

const file = 'test/crash/one-effect.services.test.ts';
const redis = skipWithout(hasRedis(), 'redis-server', file);
const postgres = skipWithout(hasPostgres(), 'PostgreSQL server', file);

describe(`operations and sales take effect once each (seed ${seed}),`, {
  timeout: 1_200_000,
}, () => {
  it('without a journal', expectOneEffectWithoutJournal);

  it.skipIf(redis.isSkipped)(`with a journal in Redis${redis.why}`, async () => {
    const server = await startRedisServer();
    onTestFinished(() => server.stop());
    await expectOneEffectOver({ kind: 'redis', path: server.path });
  });

  it.skipIf(postgres.isSkipped)(`with a journal in PostgreSQL${postgres.why}`, async () => {
    const server = await startPostgresServer();
    onTestFinished(() => server.stop());
    await expectOneEffectOver({ kind: 'postgres', connection: server.connection });
  });

  it('with a journal in a file of SQLite', thorough, async () => {
    await expectOneEffectOver({ kind: 'sqlite', path: await temporaryFile() });
  });
});
