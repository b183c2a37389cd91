/**
 * The receiver's promise with real stores. A service delivers events to four processes until each event is
 * acknowledged. It sends some twice, and some to two processes at once. The processes are killed, restarted, and
 * stalled for longer than a lease. Each event uses one way of handling: under a lease, with `completeIn`, or in a
 * transaction. Some handlers fail.
 *
 * - No authentic event is lost: each has its effect, even if its form differs from the interface. In a transaction it has exactly one effect.
 * - An authentic body without an event for a handler reaches `onUnreadable`. It is never acknowledged.
 * - A forged delivery is refused and has no effect.
 * - Only one process at a time handles an event within its lease, and none after a report that it was handled.
 * - Nothing stays in progress: in the end each event is a duplicate.
 * - The metrics agree: processes count their responses, each handler run has one report, and an event without a report was interrupted.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import { drawsOf } from '../support/draws.ts';
import { hasPostgres, startPostgresServer } from '../support/postgres-server.ts';
import { hasRedis, startRedisServer } from '../support/redis-server.ts';
import { bySize, size, thorough } from '../support/size.ts';
import { skipWithout } from '../support/skip.ts';
import { temporaryFile } from '../support/temporary-file.ts';
import {
  expectCorrectReports,
  expectCounted,
  expectEffects,
  expectExplained,
  expectKept,
  expectOneAtATime,
  expectResponses,
  expectRunsCounted,
  type FinalRecords,
} from './deliveries/invariants.ts';
import { openMerchant, type StoreAddress } from './deliveries/merchant.ts';
import type { Note } from './deliveries/notes.ts';
import {
  isReadable,
  type Mode,
  modesOfPostgres,
  modesWithoutTransactions,
  type PlannedEvent,
  planEvents,
} from './deliveries/plan.ts';
import { ProcessPool } from './deliveries/process-pool.ts';
import { Service } from './deliveries/service.ts';
import { readLines } from './lines.ts';
import { report, seed, tally } from './report.ts';

const { deliveries, faultEvery } = bySize({
  short: { deliveries: 500, faultEvery: 55 },
  all: { deliveries: 3000, faultEvery: 200 },
  long: { deliveries: 100_000, faultEvery: 1000 },
});
/** Long for a handler, short for an event that waits for the lease of a killed process. */
const lease = 1000;
const stall = 2000;
const slots = [0, 1, 2, 3];

function shuffled<T>(items: readonly T[], draw: (bound: number) => number): readonly T[] {
  return items
    .map((item) => ({ item, place: draw(2 ** 31) }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);
}

/** Delivers all copies of all events, while it kills and stalls processes in turn. */
async function deliverUnderFaults(
  service: Service,
  pool: ProcessPool,
  events: readonly PlannedEvent[],
): Promise<void> {
  const draw = drawsOf(seed, 1);
  const copies = shuffled(
    events.flatMap((event) => Array.from({ length: event.copies }, () => event)),
    draw,
  );
  let fault = Promise.resolve();
  let faults = 0;
  await service.deliverAll(copies, (done) => {
    if (done < (faults + 1) * faultEvery) return;
    faults += 1;
    const isKill = faults % 2 === 1;
    const slot = draw(slots.length);
    // One fault at a time, so that three processes work.
    fault = fault.then(() => (isKill ? pool.killBusiest() : pool.stall(slot, stall)));
  });
  await fault;
}

async function expectEveryEventHandled(
  store: StoreAddress,
  modes: readonly Mode[],
  { onTestFinished }: TestContext,
): Promise<void> {
  const since = Date.now();
  const folder = await mkdtemp(path.join(tmpdir(), 'deliveries-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const task = { store, modes, lease };
  // Creates the tables before the processes use them.
  const merchant = await openMerchant({ ...task, slot: slots.length, notes: '' });
  onTestFinished(() => void merchant.close());
  const pool = new ProcessPool(task, folder);
  onTestFinished(() => pool.destroy());
  await Promise.all(slots.map((slot) => pool.start(slot)));

  const events = planEvents(seed, deliveries, modes);
  const service = new Service(pool, drawsOf(seed, 2));
  await deliverUnderFaults(service, pool, events);
  const first = service.responses.length;
  await service.deliverAll(events.filter(isReadable));
  const afterwards = tally(service.responses.slice(first).flatMap(({ what }) => what ?? []));
  expect(Object.keys(afterwards)).toEqual(['200 duplicate']);
  expect(service.abandoned.map(({ name }) => name)).toEqual([]);
  expect(await pool.end()).toEqual([0, 0, 0, 0]);

  const records: FinalRecords = {
    events,
    responses: service.responses,
    lease,
    logs: pool.lifetimes.map((lifetime) => ({ lifetime, notes: readLines<Note>(lifetime.notes) })),
    data: await merchant.data(),
  };
  expectEffects(records);
  expectKept(records);
  expectResponses(records);
  expectCounted(records);
  expectCorrectReports(records);
  expectRunsCounted(records);
  expectOneAtATime(records);
  expectExplained(records);

  const { kills, stalls, cutOff } = pool;
  const counts = {
    deliveries: service.responses.length,
    events: events.length,
    kills,
    'cut off': cutOff,
    stalls,
  };
  report(`deliveries, ${store.kind}`, { ...counts, seconds: Math.round((Date.now() - since) / 1000) });
  const kinds = tally(events.map(({ kind }) => kind));
  report(`deliveries, ${store.kind}, events`, kinds);
  report(
    `deliveries, ${store.kind}, responses`,
    tally(service.responses.map(({ what }) => what ?? 'no response')),
  );
  const reports = records.logs.flatMap(({ notes: lines }) =>
    lines.flatMap((note) => (note.what === 'reported' ? [note.outcome] : [])),
  );
  report(`deliveries, ${store.kind}, counted`, tally(reports));
  // Each must occur, otherwise the test proves nothing.
  expect([kills > 0, stalls > 0, cutOff > 0]).toEqual([true, true, true]);
  expect(Object.keys(kinds)).toHaveLength(6);
}

const file = 'test/crash/every-delivery.services.test.ts';
const redis = skipWithout(hasRedis(), 'redis-server', file);
const postgres = skipWithout(hasPostgres(), 'PostgreSQL server', file);

describe(`every authentic event is handled, in ${deliveries} deliveries (seed ${seed})`, {
  timeout: 1_800_000,
  // They mostly wait: for leases, and for the end of stalls.
  concurrent: size === 'short',
}, () => {
  it.skipIf(redis.isSkipped)(`over Redis${redis.why}`, async (context) => {
    const server = await startRedisServer();
    context.onTestFinished(() => server.stop());
    await expectEveryEventHandled({ kind: 'redis', path: server.path }, modesWithoutTransactions, context);
  });

  it.skipIf(postgres.isSkipped)(`over PostgreSQL${postgres.why}`, async (context) => {
    const server = await startPostgresServer();
    context.onTestFinished(() => server.stop());
    await expectEveryEventHandled(
      { kind: 'postgres', connection: server.connection },
      modesOfPostgres,
      context,
    );
  });

  it('over a file of SQLite', thorough, async (context) => {
    const store: StoreAddress = { kind: 'sqlite', path: await temporaryFile() };
    await expectEveryEventHandled(store, modesWithoutTransactions, context);
  });
});
