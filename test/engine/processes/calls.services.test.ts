/**
 * Four processes make the same payments concurrently, over a network with every fault, and are killed and restarted. The promises
 * of the engine hold in their books.
 *
 * - Without a journal the keys of the service keep them. A sale at the form endpoint has no key: it is sent once.
 * - With a journal the processes share one store, and the promises hold for sales too, and after the service forgot its keys.
 */

import type { Sandbox } from 'payments-client-sandbox';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hasPostgres, startPostgresServer } from '../../support/postgres-server.ts';
import { hasRedis, startRedisServer } from '../../support/redis-server.ts';
import { clientOf, startSandbox } from '../../support/sandbox.ts';
import { bySize, thorough } from '../../support/size.ts';
import { skipWithout } from '../../support/skip.ts';
import { temporaryFile } from '../../support/temporary-file.ts';
import { Book } from '../facts.ts';
import { card, token } from '../merchants.ts';
import { lookUpOf } from '../orders.ts';
import { type DayPlan, daysOf } from './calls.ts';
import {
  CallBooks,
  type DayRecord,
  failuresOf,
  lookUp,
  openOf,
  payIntents,
  restartService,
  runDay,
  twoDaysLater,
} from './day.ts';
import { startFront } from './front.ts';
import { processCount } from './pool.ts';
import { drawOne, report, seed, tally } from './report.ts';
import { openStore, type StoreAddress } from './stores.ts';

const kills = bySize({ short: 1, all: 3, long: 8 });
const withJournal = bySize({ short: 200, all: 1400, long: 7000 });
/** A sale without a journal is sent once, so more of them take little time. */
const withoutJournal = bySize({ short: 400, all: 2000, long: 14_000 });
const day = 86_400_000;
/** Without the long form, the orders of a killed process wait one second for its leases, and not fifteen. */
const cut = bySize({ short: 14_000, all: 14_000, long: 0 });
/** How many times a person closes all open operations. After the last round there are no faults. */
const rounds = bySize({ short: 1, all: 2, long: 2 });

/** Draws the days of a test: the orders of the first, and the faults of each. */
function drawDays(count: number, orders: number): readonly [DayPlan, ...DayPlan[]] {
  const days = daysOf({ orders, processes: processCount, kills });
  const first = drawOne(days, 0);
  const others = Array.from({ length: count - 1 }, (_, index) => {
    const other = drawOne(days, index + 1);
    return {
      ...other,
      orders: first.orders.map((order, place) => ({ ...order, faults: other.orders[place]?.faults ?? [] })),
    };
  });
  return [first, ...others];
}

function openBook(
  { orders }: DayPlan,
  sandbox: Sandbox,
  hasJournal: boolean,
): { book: Book; books: CallBooks } {
  const book = new Book({
    orders: new Map(
      orders.map((order) => [
        order.orderId,
        { kind: order.kind, isShared: false, mayBeRefused: false, lookUps: [lookUpOf(order)] },
      ]),
    ),
    events: new Map(),
    hasJournal,
    losesWrites: false,
    keyMemory: day,
    secrets: [sandbox.secretKey, sandbox.securityKey, card.ccnumber, token],
  });
  return { book, books: new CallBooks(book, orders) };
}

function tell(title: string, days: readonly DayRecord[], more: Readonly<Record<string, number>>): void {
  const sum = (numbers: Iterable<number>) => [...numbers].reduce((one, other) => one + other, 0);
  const faults = days.flatMap((one) => [...one.faults]);
  report(title, {
    'requests through the proxy': sum(days.flatMap(({ sent }) => [...sent.values()])),
    faults: sum(faults.map(([, count]) => count)),
    'kinds of faults': new Set(faults.map(([name]) => name)).size,
    kills: sum(days.map((one) => one.kills)),
    'calls cut off': sum(days.map(({ cutOff }) => cutOff)),
    ...more,
  });
  report(`${title}, errors`, tally(failuresOf(days.flatMap(({ notes }) => notes))));
}

async function keepsPromisesWithoutJournal(): Promise<void> {
  const sandbox = await startSandbox();
  const [plan] = drawDays(1, withoutJournal);
  payIntents(sandbox, plan.orders);
  const only = await runDay({ sandbox, plan, later: 0, cut: 0, isFaulty: true });

  const { book, books } = openBook(plan, sandbox, false);
  books.requests(only, 0);
  books.effects(await lookUp(sandbox), 0);
  books.results(only);
  expect(book.violation).toBeUndefined();

  const unknown = only.notes.filter((note) => note.what === 'threw' && note.outcome === 'unknown');
  const executed = unknown.filter(({ order }) => book.about('executed', order).length > 0);
  tell('calls, without a journal', [only], {
    'errors of unknown outcome': unknown.length,
    'of which had taken effect': executed.length,
  });
  // Each must occur, otherwise the test proves nothing.
  expect(only.faults.size).toBeGreaterThan(20);
  expect(only.kills).toBeGreaterThan(0);
  expect(executed.length).toBeGreaterThan(0);
  expect(unknown.length).toBeGreaterThan(executed.length);
}

async function keepsPromisesOver(store: StoreAddress): Promise<void> {
  const opened = await openStore(store);
  onTestFinished(() => void opened.close());
  const later = 2 * day;
  const front = await startFront();
  onTestFinished(() => front.close());
  const clerk = (service: Sandbox) =>
    clientOf(service, {
      baseUrl: front.url,
      journal: { store: opened.store, now: () => Date.now() + later },
    });
  const [firstPlan, secondPlan = firstPlan, ...otherPlans] = drawDays(2 + rounds, withJournal);
  const settings = { store, front, cut, isFaulty: true };

  const before = await startSandbox();
  payIntents(before, firstPlan.orders);
  const { book, books } = openBook(firstPlan, before, true);
  const stopWhen = (sent: number) => sent >= firstPlan.orders.length / 2;
  const first = await runDay({ ...settings, plan: firstPlan, sandbox: before, later: 0, stopWhen });
  let sandbox = await twoDaysLater(before);
  books.effects(await lookUp(sandbox), 0);
  books.results(first);
  const openAfterFirst = await openOf(clerk(sandbox));
  books.records(openAfterFirst);
  expect(book.violation, 'after the first day').toBeUndefined();

  const days = [first];
  let closed = 0;
  let executed = 0;
  for (const [index, plan] of [secondPlan, ...otherPlans].entries()) {
    const isLast = index === rounds;
    const record = await runDay({ ...settings, plan, sandbox, later, isFaulty: !isLast });
    days.push(record);
    books.requests(record, later);
    books.effects(await lookUp(sandbox), later);
    books.results(record);
    if (isLast) {
      books.ends(record);
      break;
    }
    sandbox = await restartService(sandbox);
    const open = await openOf(clerk(sandbox));
    books.records(open);
    // A person closes each open operation by the service's books.
    const booked = await lookUp(sandbox);
    for (const [id, operation] of open) {
      const [effect] = booked.get(id) ?? [];
      if (effect === undefined) await operation.settle({ outcome: 'not_executed' });
      else await operation.settle({ outcome: 'executed', result: effect.result });
      closed += 1;
      if (effect !== undefined) executed += 1;
      books.settled(id, effect !== undefined);
    }
    expect(book.violation, `after day ${index + 2}`).toBeUndefined();
  }
  book.note('rested', { of: 'the days', open: [...(await openOf(clerk(sandbox))).keys()] });
  expect(book.violation).toBeUndefined();

  tell(`calls, ${store.kind}`, days, {
    'left open on the first day': openAfterFirst.size,
    'closed by a person': closed,
    'of which had taken effect': executed,
  });
  // Each kind must occur, otherwise the test proves nothing.
  const kinds = firstPlan.orders.filter(({ orderId }) => openAfterFirst.has(orderId)).map(({ kind }) => kind);
  expect(tally(kinds)).toMatchObject({ intent: expect.any(Number), sale: expect.any(Number) });
  expect(executed).toBeGreaterThan(0);
  expect(closed).toBeGreaterThan(executed);
}

const file = 'test/engine/processes/calls.services.test.ts';
const redis = skipWithout(hasRedis(), 'redis-server', file);
const postgres = skipWithout(hasPostgres(), 'PostgreSQL server', file);

describe(`processes that call keep every promise (ENGINE_SEED=${seed}),`, { timeout: 1_200_000 }, () => {
  it('without a journal', keepsPromisesWithoutJournal);

  it.skipIf(redis.isSkipped)(`with a journal in Redis${redis.why}`, async () => {
    const server = await startRedisServer();
    onTestFinished(() => server.stop());
    await keepsPromisesOver({ kind: 'redis', path: server.path });
  });

  it.skipIf(postgres.isSkipped)(`with a journal in PostgreSQL${postgres.why}`, async () => {
    const server = await startPostgresServer();
    onTestFinished(() => server.stop());
    await keepsPromisesOver({ kind: 'postgres', connection: server.connection });
  });

  it('with a journal in a file of SQLite', thorough, async () => {
    await keepsPromisesOver({ kind: 'sqlite', path: await temporaryFile() });
  });
});
