/**
 * Four processes make the same payments concurrently, over a network with every fault, and are killed and restarted. The promises
 * of the engine hold in their books.
 *
 * - Without a journal the keys of the service keep them. A sale at the form endpoint has no key: it is sent once.
 * - With a journal the processes share one store, and the promises hold for sales too, and after the service forgot its keys.
 */

import { createJournal } from 'payments-client/journal';
import { createSandbox, type Sandbox } from 'payments-client-sandbox';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hasPostgres, startPostgresServer } from '../../support/postgres-server.ts';
import { hasRedis, startRedisServer } from '../../support/redis-server.ts';
import { clientOf } from '../../support/sandbox.ts';
import { bySize, thorough } from '../../support/size.ts';
import { skipWithout } from '../../support/skip.ts';
import { temporaryFile } from '../../support/temporary-file.ts';
import type { Reply } from '../dimensions/network.ts';
import { Book } from '../facts.ts';
import { card, token } from '../merchants.ts';
import { lookUpOf } from '../orders.ts';
import { type DayPlan, daysOf } from './calls.ts';
import { DayBooks, type DayRecord, openOf, payIntents, runDay, twoDaysLater } from './day.ts';
import { drawOne, report, seed, tally } from './notes.ts';
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

/** Draws the first day, or a later one: the same orders, with other faults. */
function drawDay(orders: number, number = 1): DayPlan {
  const drawn = drawOne(daysOf({ orders, kills }), number);
  if (number === 1) return drawn;
  const faultsOf = (place: number) => drawn.orders[place]?.faults ?? [];
  const first = drawDay(orders).orders.map((order, place) => ({ ...order, faults: faultsOf(place) }));
  return { ...drawn, orders: first };
}

function openBook({ orders }: DayPlan, sandbox: Sandbox, hasJournal: boolean): Book {
  const expectedOf = (order: DayPlan['orders'][number]) => {
    return { kind: order.kind, isShared: false, mayBeRefused: false, lookUps: [lookUpOf(order)] };
  };
  return new Book({
    orders: new Map(orders.map((order) => [order.orderId, expectedOf(order)])),
    events: new Map(),
    hasJournal,
    losesWrites: false,
    keyMemory: day,
    secrets: [sandbox.secretKey, sandbox.securityKey, card.ccnumber, token],
  });
}

function tell(title: string, days: readonly DayRecord[], more: Readonly<Record<string, number>>): void {
  const sum = (numbers: Iterable<number>) => [...numbers].reduce((one, other) => one + other, 0);
  const faults = days.flatMap((one) => [...one.faults]);
  report(title, {
    'requests through the proxy': sum(days.flatMap(({ arrivals }) => [...arrivals.values()])),
    faults: sum(faults.map(([, count]) => count)),
    'kinds of faults': new Set(faults.map(([name]) => name)).size,
    kills: sum(days.map((one) => one.kills)),
    'calls cut off': sum(days.map(({ cutOff }) => cutOff)),
    ...more,
  });
}

/** The orders of the calls that threw an error of unknown outcome. */
function unknownOf(book: Book): readonly string[] {
  return [...book.expected.orders.keys()].flatMap((order) =>
    book.about('threw', order).flatMap(({ outcome }) => (outcome === 'unknown' ? order : [])),
  );
}

async function keepsPromisesWithoutJournal(): Promise<void> {
  const sandbox = createSandbox({ startsAt: Date.UTC(2026, 0, 1) });
  const plan = drawDay(withoutJournal);
  payIntents(sandbox, plan.orders);
  const only = await runDay({ number: 1, sandbox, plan, later: 0, cut: 0, isFaulty: true });

  const book = openBook(plan, sandbox, false);
  new DayBooks(book).day(only, 0);
  expect(book.violation).toBeUndefined();

  const unknown = unknownOf(book);
  const executed = unknown.filter((order) => book.about('executed', order).length > 0);
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

/** Reads a reply of the service as the result that a person enters in the journal. */
function resultOf({ headers, body }: Reply): object {
  if (headers['content-type']?.includes('json')) return JSON.parse(body);
  const { response, responsetext, transactionid, orderid } = Object.fromEntries(new URLSearchParams(body));
  return { response, responsetext, transactionid, orderid };
}

async function keepsPromisesOver(store: StoreAddress): Promise<void> {
  const opened = await openStore(store);
  onTestFinished(async () => void (await opened.close()));
  const later = 2 * day;
  /** What the service has booked, where a person looks an order up. */
  const booked = new Map<string, object>();
  const onReply = (order: string, reply: Reply) => void booked.set(order, resultOf(reply));
  const plan = drawDay(withJournal);
  const before = createSandbox({ startsAt: Date.UTC(2026, 0, 1) });
  payIntents(before, plan.orders);
  const book = openBook(plan, before, true);
  const books = new DayBooks(book);
  const faulty = { store, cut, onReply, isFaulty: true };
  const stopWhen = (sent: number) => sent >= plan.orders.length / 2;
  const first = await runDay({ ...faulty, number: 1, plan, sandbox: before, later: 0, stopWhen });
  const sandbox = await twoDaysLater(before);
  const journal = createJournal({ store: opened.store, now: () => Date.now() + later });
  const clerk = clientOf(sandbox, { baseUrl: first.url, journal });
  books.day(first, 0);
  let open = await openOf(clerk);
  books.records(open);
  expect(book.violation, 'after the first day').toBeUndefined();

  const openAfterFirst = plan.orders.filter(({ orderId }) => open.has(orderId));
  const days = [first];
  let closed = 0;
  let executed = 0;
  const last = rounds + 2;
  for (let number = 2; number <= last; number += 1) {
    const isFaulty = number < last;
    const { port } = first;
    const today = drawDay(withJournal, number);
    const record = await runDay({ ...faulty, number, plan: today, port, sandbox, later, isFaulty });
    days.push(record);
    books.day(record, later);
    open = await openOf(clerk);
    if (isFaulty) {
      books.records(open);
    } else {
      for (const of of record.ended) book.note('ended', { of, end: 'result' });
      book.note('rested', { of: 'the days', open: [...open.keys()] });
    }
    expect(book.violation, `after day ${number}`).toBeUndefined();
    // A person closes each open operation by the service's books.
    for (const [id, operation] of open) {
      const result = booked.get(id);
      await operation.settle(
        result === undefined ? { outcome: 'not_executed' } : { outcome: 'executed', result },
      );
      closed += 1;
      if (result !== undefined) executed += 1;
      books.settled(id, result !== undefined);
    }
  }

  tell(`calls, ${store.kind}`, days, {
    'left open on the first day': openAfterFirst.length,
    'closed by a person': closed,
    'of which had taken effect': executed,
  });
  // Each kind must occur, otherwise the test proves nothing.
  const kinds = tally(openAfterFirst.map(({ kind }) => kind));
  expect(kinds).toMatchObject({ intent: expect.any(Number), sale: expect.any(Number) });
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
