/**
 * The receiver's promise with real databases. A service delivers events to four processes until each event is
 * acknowledged. It sends some twice, and some to two processes at once. The processes are killed, restarted, and
 * stalled for longer than a lease. Each event uses one way of handling: under a lease, with an inbox, or in a
 * transaction. Some handlers fail, and some fail until they are fixed.
 *
 * - No authentic event is lost: each has its effect, even if its form differs from the interface. In a transaction it has exactly one effect.
 * - An authentic body without an event for a handler is kept: by the inbox, or by `onUnreadable`. It is never acknowledged.
 * - A forged delivery is refused and has no effect.
 * - Only one process at a time handles an event within its lease, and none after it was reported as handled.
 * - Nothing stays in progress: in the end each event is a duplicate, and the inbox contains only dead letters and unreadable bodies.
 * - The metrics agree: processes count their answers, each handler run has one report, and each event without a report was cut off.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, type TestContext } from 'vitest';
import { report, tally } from '../../chaos/books.ts';
import { seed } from '../../chaos/run.ts';
import { drawsOf } from '../../support/draws.ts';
import { hasPostgres, startPostgresServer } from '../../support/postgres-server.ts';
import { hasRedis, startRedisServer } from '../../support/redis-server.ts';
import { bySize, size } from '../../support/size.ts';
import { skipWithout } from '../../support/skip.ts';
import { Crew } from './crew.ts';
import {
  type Aftermath,
  expectAnswers,
  expectCounted,
  expectEffects,
  expectExplained,
  expectKept,
  expectOneAtATime,
  expectRunsCounted,
  expectTrueReports,
} from './invariants.ts';
import { type Desk, type Merchant, openMerchant, type StoreAddress } from './merchant.ts';
import { readNotes } from './notes.ts';
import {
  inboxOf,
  isReadable,
  type Mode,
  modesOfPostgres,
  modesOfRedis,
  type PlannedEvent,
  planEvents,
} from './plan.ts';
import { Service } from './service.ts';

const { deliveries, harmEvery } = bySize({
  short: { deliveries: 500, harmEvery: 55 },
  all: { deliveries: 3000, harmEvery: 200 },
  long: { deliveries: 100_000, harmEvery: 1000 },
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

/** Delivers all copies of all events, while processes are killed and stalled in turn. */
async function deliverInHarm(service: Service, crew: Crew, events: readonly PlannedEvent[]): Promise<void> {
  const draw = drawsOf(seed, 1);
  const copies = shuffled(
    events.flatMap((event) => Array.from({ length: event.copies }, () => event)),
    draw,
  );
  let harm = Promise.resolve();
  let harms = 0;
  await service.deliverAll(copies, (done) => {
    if (done < (harms + 1) * harmEvery) return;
    harms += 1;
    const isKill = harms % 2 === 1;
    const slot = draw(slots.length);
    // One at a time, so that three processes work.
    harm = harm.then(() => (isKill ? crew.killBusiest() : crew.stall(slot, stall)));
  });
  await harm;
}

interface Kept {
  readonly desk: Desk;
  readonly operationId: string;
  readonly text: string;
  readonly isReadable: boolean;
  readonly isDead: boolean;
  readonly wait: number;
}

async function inboxesOf({ desks }: Merchant): Promise<readonly Kept[]> {
  const kept: Kept[] = [];
  for (const desk of desks.filter(({ mode }) => inboxOf(mode) !== undefined)) {
    for await (const { operationId, event, rawBody, isDead, wait: rest } of desk.entries()) {
      const text = `${desk.mode} ${Buffer.from(rawBody)}`;
      kept.push({ desk, operationId, text, isReadable: event !== undefined, isDead, wait: rest });
    }
  }
  return kept;
}

/** Waits until the workers are idle, and returns the remaining entries. */
async function drained(merchant: Merchant): Promise<readonly Kept[]> {
  const until = Date.now() + 60_000;
  for (;;) {
    const kept = await inboxesOf(merchant);
    const open = kept.filter(({ isDead, wait: rest }) => !isDead || rest > 0);
    if (open.length === 0) return kept;
    if (Date.now() > until)
      throw new Error(`left in the inbox: ${open[0]?.operationId}, and ${open.length - 1} more`);
    await wait(50);
  }
}

async function proveOver(
  store: StoreAddress,
  modes: readonly Mode[],
  { onTestFinished }: TestContext,
): Promise<void> {
  const since = Date.now();
  const folder = await mkdtemp(path.join(tmpdir(), 'deliveries-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const task = { store, modes, lease };
  // Creates the tables before the processes use them.
  const notes = path.join(folder, 'mended.jsonl');
  const mended = await openMerchant({ ...task, slot: 4, notes, isMended: true });
  onTestFinished(() => void mended.close());
  const crew = new Crew(task, folder);
  onTestFinished(() => crew.destroy());
  await Promise.all(slots.map((slot) => crew.start(slot)));

  const events = planEvents(seed, deliveries, modes);
  const service = new Service(crew, drawsOf(seed, 2));
  await deliverInHarm(service, crew, events);
  const left = await drained(mended);
  const dead = left.filter((kept) => kept.isReadable);
  for (const { desk, operationId } of dead) expect(await desk.replay(operationId)).toBe('handled');

  const first = service.answers.length;
  await service.deliverAll(events.filter(isReadable));
  const afterwards = tally(service.answers.slice(first).flatMap(({ what }) => what ?? []));
  expect(Object.keys(afterwards)).toEqual(['200 duplicate']);
  expect(service.given.map(({ name }) => name)).toEqual([]);
  expect(await crew.end()).toEqual([0, 0, 0, 0]);

  const inboxes = (await inboxesOf(mended)).map(({ text }) => text);
  const diaries = crew.lives.map((life) => ({ life, notes: readNotes(life.notes) }));
  const aftermath: Aftermath = {
    ...{ events, answers: service.answers, inboxes, lease },
    diaries: [...diaries, { life: undefined, notes: readNotes(notes) }],
    facts: await mended.facts(),
  };
  expectEffects(aftermath);
  expectKept(aftermath);
  expectAnswers(aftermath);
  expectCounted(aftermath);
  expectTrueReports(aftermath);
  expectRunsCounted(aftermath);
  expectOneAtATime(aftermath);
  expectExplained(aftermath);

  const { kills, stalls, cutOff } = crew;
  const counts = {
    deliveries: service.answers.length,
    events: events.length,
    kills,
    'cut off': cutOff,
    stalls,
  };
  report(`deliveries, ${store.kind}`, {
    ...counts,
    dead: dead.length,
    seconds: Math.round((Date.now() - since) / 1000),
  });
  const kinds = tally(events.map(({ kind }) => kind));
  report(`deliveries, ${store.kind}, events`, kinds);
  report(`deliveries, ${store.kind}, answers`, tally(service.answers.map(({ what }) => what ?? 'no answer')));
  const reports = aftermath.diaries.flatMap(({ notes: lines }) =>
    lines.flatMap((note) => (note.what === 'reported' ? [`${note.source} ${note.outcome}`] : [])),
  );
  report(`deliveries, ${store.kind}, counted`, tally(reports));
  // Each must occur, or the test proves nothing.
  expect([kills > 0, stalls > 0, cutOff > 0, dead.length > 0]).toEqual([true, true, true, true]);
  expect(Object.keys(kinds)).toHaveLength(6);
}

const file = 'test/webhooks/chaos/every-delivery.test.ts';
const redis = skipWithout(hasRedis(), 'redis-server', file);
const postgres = skipWithout(hasPostgres(), 'PostgreSQL server', file);

describe(`every authentic event is handled or kept, in ${deliveries} deliveries (seed ${seed})`, {
  timeout: 1_800_000,
  // They mostly wait: for leases, and for the end of stalls.
  concurrent: size === 'short',
}, () => {
  it.skipIf(redis.isSkipped)(`over Redis${redis.why}`, async (context) => {
    const server = await startRedisServer();
    context.onTestFinished(() => server.stop());
    await proveOver({ kind: 'redis', path: server.path }, modesOfRedis, context);
  });

  it.skipIf(postgres.isSkipped)(`over PostgreSQL${postgres.why}`, async (context) => {
    const server = await startPostgresServer();
    context.onTestFinished(() => server.stop());
    await proveOver({ kind: 'postgres', connection: server.connection }, modesOfPostgres, context);
  });
});
