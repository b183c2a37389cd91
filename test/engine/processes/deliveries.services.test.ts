/**
 * The receiver's promises with real stores. A service delivers events to four processes until each event is
 * acknowledged. It sends some twice, and some to two processes at once. The processes are killed, restarted, and
 * stalled for longer than a lease. Each event uses one way of handling: under a lease, with `completeIn`, or in a
 * transaction. Some handlers fail. The promises of the engine hold in the books.
 */

import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Webhooks } from 'payments-client/webhooks';
import { describe, expect, it, type TestContext } from 'vitest';
import { hasPostgres, startPostgresServer } from '../../support/postgres-server.ts';
import { hasRedis, startRedisServer } from '../../support/redis-server.ts';
import { bySize, size, thorough } from '../../support/size.ts';
import { skipWithout } from '../../support/skip.ts';
import { temporaryFile } from '../../support/temporary-file.ts';
import { endpointSecrets, forgersSecret, isReadable, isUnreadable, modes } from '../dimensions/deliveries.ts';
import { Book } from '../facts.ts';
import { bookNotes, type DeliveryTask, deliveriesOf, type SentEvent, unreportedIn } from './deliveries.ts';
import { drawOne, type Noted, readLines, report, seed, tally } from './notes.ts';
import { type Lifetime, ProcessPool, slots } from './pool.ts';
import { openStore, type StoreAddress } from './stores.ts';

const { count, faultEvery } = bySize({
  short: { count: 190, faultEvery: 40 },
  all: { count: 1100, faultEvery: 150 },
  long: { count: 38_000, faultEvery: 800 },
});
/** Long for a handler, short for an event that waits for the lease of a killed process. */
const lease = 1000;
const stall = 2000;
const concurrency = 64;
/** More attempts than any event needs. It limits a receiver that never acknowledges. */
const mostAttempts = 100;

const signers = {
  platform: new Webhooks({ secret: endpointSecrets.platform }),
  connected: new Webhooks({ secret: endpointSecrets.connected }),
  forger: new Webhooks({ secret: forgersSecret }),
};

/** The response to one delivery, such as `200 handled`; none if the process was killed, or stopped for too long. */
interface Response {
  readonly of: string;
  readonly life: string;
  readonly response: string | undefined;
}

/** The merchant's processes, and where they listen. */
class Merchant {
  readonly pool: ProcessPool;
  readonly #urls = new Map<Lifetime, string>();

  constructor(taskOf: (lifetime: Pick<Lifetime, 'name' | 'slot'>) => DeliveryTask) {
    this.pool = new ProcessPool(new URL('./receiver-process.ts', import.meta.url), taskOf);
  }

  async start(slot: number): Promise<void> {
    const lifetime = this.pool.start(slot);
    const gone = once(lifetime.process, 'exit').then(([code, signal]) => {
      throw new Error(`a process ended before it listened: ${code ?? signal}`);
    });
    const [address] = await Promise.race([once(lifetime.process, 'message'), gone]);
    // Its exit is expected from here on.
    gone.catch(() => undefined);
    this.#urls.set(lifetime, `http://127.0.0.1:${address.port}`);
  }

  /** The processes that listen. */
  get listening(): readonly Lifetime[] {
    return [...this.pool.running.values()].filter((lifetime) => this.#urls.has(lifetime));
  }

  async send({ kind, scope, mode, body, name: of }: SentEvent, lifetime: Lifetime): Promise<Response> {
    const signer = signers[kind === 'forged' ? 'forger' : scope];
    const headers = { 'content-type': 'application/json', ...(await signer.sign(body)) };
    lifetime.inFlight += 1;
    const life = lifetime.name;
    try {
      const { signal } = lifetime.patience;
      const url = `${this.#urls.get(lifetime)}/${mode}`;
      const response = await fetch(url, { method: 'POST', body, headers, signal });
      const { outcome } = Object(JSON.parse(await response.text()));
      return { of, life, response: `${response.status} ${outcome}` };
    } catch {
      return { of, life, response: undefined };
    } finally {
      lifetime.inFlight -= 1;
    }
  }
}

/** Whether the service stops after this response. It would redeliver an unreadable event for days. */
function isLast(event: SentEvent, { response = '' }: Response): boolean {
  if (isUnreadable(event)) return response === '500 failed';
  return response.startsWith('200 ') || response === '400 refused';
}

async function keepsPromisesOver(store: StoreAddress, { onTestFinished }: TestContext): Promise<void> {
  // Redis and a file have no transactions with the merchant's table.
  const plan = drawOne(deliveriesOf(count, store.kind === 'postgres' ? modes : ['leased']));
  const folder = await mkdtemp(path.join(tmpdir(), 'deliveries-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  // Creates the tables before the processes use them.
  const opened = await openStore(store);
  onTestFinished(async () => void (await opened.close()));
  const notesOf = (name: string) => path.join(folder, `${name}.jsonl`);
  const merchant = new Merchant(({ name, slot }) => {
    return { name, slot, store, lease, fails: slot < 2, notes: notesOf(name) };
  });
  const { pool } = merchant;
  onTestFinished(() => pool.destroy());
  await Promise.all(slots.map((slot) => merchant.start(slot)));

  const responses: Response[] = [];
  let attempts = 0;
  /** Delivers an event, one attempt at a time, to one process or to two. */
  const deliver = async (event: SentEvent) => {
    for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
      const target = plan.targets[attempts % plan.targets.length];
      attempts += 1;
      const { listening } = merchant;
      const first = (target?.first ?? 0) % Math.max(1, listening.length);
      const chosen = listening.filter(
        (_, index) => index === first || (target?.both && index === (first + 1) % listening.length),
      );
      const got = await Promise.all(chosen.map((lifetime) => merchant.send(event, lifetime)));
      responses.push(...got);
      if (got.some((response) => isLast(event, response))) return;
      await wait(Math.min(400, 25 * 2 ** attempt));
    }
    throw new Error(`${event.name} was never acknowledged`);
  };
  const deliverAll = async (queue: Iterable<SentEvent>, onDone: () => void) => {
    const events = queue[Symbol.iterator]();
    const deliverNext = async () => {
      for (let next = events.next(); !next.done; next = events.next()) {
        await deliver(next.value);
        onDone();
      }
    };
    await Promise.all(Array.from({ length: concurrency }, deliverNext));
  };

  // All copies of all events, while processes are killed and stalled in turn.
  let fault = Promise.resolve();
  let faults = 0;
  let done = 0;
  await deliverAll([...plan.events, ...plan.events.filter(({ double }) => double !== undefined)], () => {
    done += 1;
    if (done < (faults + 1) * faultEvery) return;
    faults += 1;
    const isKill = faults % 2 === 1;
    const slot = plan.stalls[faults % plan.stalls.length] ?? 0;
    // One fault at a time, so that three processes work.
    fault = fault.then(async () => {
      if (!isKill) return pool.stall(slot, stall);
      const killed = pool.killBusiest();
      if (killed !== undefined) await merchant.start(killed);
    });
  });
  await fault;
  const first = responses.length;
  await deliverAll(plan.events.filter(isReadable), () => {});
  const afterwards = tally(responses.slice(first).flatMap(({ response }) => response ?? []));
  expect(Object.keys(afterwards)).toEqual(['200 duplicate']);
  expect(await pool.end()).toEqual([0, 0, 0, 0]);

  const expected = plan.events.map((event) => [event.name, { ...event, movesMoney: false }] as const);
  const book = new Book({
    orders: new Map(),
    events: new Map(expected),
    hasJournal: false,
    losesWrites: false,
    keyMemory: 0,
    secrets: Object.values(endpointSecrets),
  });
  const lives = pool.lifetimes.map((lifetime) => ({
    lifetime,
    notes: readLines<Noted>(notesOf(lifetime.name)),
  }));
  bookNotes(book, lives, lease);
  const known = new Set(responses.filter(({ response }) => response === '200 duplicate').map(({ of }) => of));
  for (const of of lives.flatMap(unreportedIn))
    if (known.has(of)) book.note('handled', { of, isHandled: true });
  for (const of of await opened.read('effects')) book.note('affected', { of });
  const unreadable = new Map(
    plan.events.filter(isUnreadable).map(({ mode, body, name }) => [`${mode} ${body}`, name]),
  );
  for (const text of await opened.read('unreadable'))
    book.note('unread', { of: unreadable.get(text) ?? text });
  for (const response of responses) book.note('responded', response);
  for (const { name: of, isKilled } of pool.lifetimes) book.note('gone', { of, isKilled });
  book.note('rested', { of: 'the deliveries', open: [] });
  expect(book.violation).toBeUndefined();

  const { kills, stalls, cutOff } = pool;
  const kinds = tally(plan.events.map(({ kind }) => kind));
  report(`deliveries, ${store.kind}`, {
    deliveries: responses.length,
    kills,
    'cut off': cutOff,
    stalls,
    ...kinds,
  });
  report(
    `deliveries, ${store.kind}, responses`,
    tally(responses.map(({ response }) => response ?? 'no response')),
  );
  // Each must occur, otherwise the test proves nothing.
  expect([kills > 0, stalls > 0, cutOff > 0]).toEqual([true, true, true]);
  expect(Object.keys(kinds)).toHaveLength(6);
}

const file = 'test/engine/processes/deliveries.services.test.ts';
const redis = skipWithout(hasRedis(), 'redis-server', file);
const postgres = skipWithout(hasPostgres(), 'PostgreSQL server', file);

describe(`processes that receive ${count} events keep every promise (ENGINE_SEED=${seed}),`, {
  timeout: 1_800_000,
  // They mostly wait: for leases, and for the end of stalls.
  concurrent: size === 'short',
}, () => {
  it.skipIf(redis.isSkipped)(`over Redis${redis.why}`, async (context) => {
    const server = await startRedisServer();
    context.onTestFinished(() => server.stop());
    await keepsPromisesOver({ kind: 'redis', path: server.path }, context);
  });

  it.skipIf(postgres.isSkipped)(`over PostgreSQL${postgres.why}`, async (context) => {
    const server = await startPostgresServer();
    context.onTestFinished(() => server.stop());
    await keepsPromisesOver({ kind: 'postgres', connection: server.connection }, context);
  });

  it('over a file of SQLite', thorough, async (context) => {
    await keepsPromisesOver({ kind: 'sqlite', path: await temporaryFile() }, context);
  });
});
