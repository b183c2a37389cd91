/**
 * How many deliveries a second a receiver handles, beside a merchant's own code that verifies the same deliveries and remembers their ids with
 * one bare statement. Both take turns in one process.
 */

import pg from 'pg';
import { createClient } from 'redis';
import { postgresStore, redisStore } from '../../src/stores/index.ts';
import { Webhooks } from '../../src/webhooks/index.ts';
import { inTransaction } from '../support/pg-transaction.ts';
import { validObject } from '../support/sample-objects.ts';
import { median, middleHalf, ratios } from './statistics.ts';
import { withStore } from './store-places.ts';

/** What came of one comparison. */
export interface ReceiverRace {
  readonly what: string;
  /** The bare statement. */
  readonly bare: string;
  /** The least ratio of deliveries a second that we hold ourselves to. */
  readonly bound: number;
  /** Deliveries a second. */
  readonly ours: number;
  readonly theirs: number;
  readonly ratio: number;
  readonly spread: string;
}

const rounds = 21;
const warmUp = 4;
const perRound = 640;
const inFlight = 32;

const webhooks = new Webhooks({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' });

interface Delivery {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

type Handle = (delivery: Delivery) => Promise<unknown>;

interface Pair {
  readonly what: string;
  readonly bare: string;
  readonly bound: number;
  readonly ours: Handle;
  readonly theirs: Handle;
}

let count = 0;

/** Deliveries of events that nobody handled yet. They are signed before the clock starts. */
function newDeliveries(): Promise<Delivery[]> {
  const object = validObject('refund');
  const envelope = { api_version: '2026-01-31', created: '2026-01-31T12:00:00Z', livemode: false };
  const content = { ...envelope, type: 'refund.failed', operations: ['retry'], data: { object } };
  return Promise.all(
    Array.from({ length: perRound }, async () => {
      count += 1;
      const body = Buffer.from(JSON.stringify({ id: `evt_${process.pid}_${count}`, ...content }));
      return { body, headers: await webhooks.sign(body) };
    }),
  );
}

/** Deliveries a second in one round. */
async function measure(handle: Handle): Promise<number> {
  const deliveries = (await newDeliveries()).values();
  const start = performance.now();
  const lane = async () => {
    for (const delivery of deliveries) await handle(delivery);
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  return (perRound * 1000) / (performance.now() - start);
}

async function race({ what, bare, bound, ours, theirs }: Pair): Promise<ReceiverRace> {
  const own: number[] = [];
  const other: number[] = [];
  for (let round = -warmUp; round < rounds; round += 1) {
    const [first, second] = [await measure(ours), await measure(theirs)];
    if (round < 0) continue;
    own.push(first);
    other.push(second);
  }
  const each = ratios(own, other);
  const spread = middleHalf(each);
  return { what, bare, bound, ours: median(own), theirs: median(other), ratio: median(each), spread };
}

async function raceAll(pairs: readonly Pair[]): Promise<readonly ReceiverRace[]> {
  const races: ReceiverRace[] = [];
  for (const pair of pairs) races.push(await race(pair));
  return races;
}

/** Fails where a delivery was not handled: a figure of failures would say nothing. */
function checked(handle: (delivery: Delivery) => Promise<{ readonly outcome: string }>): Handle {
  return async (delivery) => {
    const { outcome } = await handle(delivery);
    if (outcome !== 'handled') throw new Error(`expected the outcome handled, got ${outcome}.`);
  };
}

const effect = 'INSERT INTO effect VALUES ($1)';
const remember = 'INSERT INTO bare VALUES ($1) ON CONFLICT DO NOTHING';

async function onPostgres(connectionString: string): Promise<readonly ReceiverRace[]> {
  const pool = new pg.Pool({ connectionString });
  const store = postgresStore(pool);
  await store.migrate();
  await pool.query('CREATE TABLE bare (id text PRIMARY KEY); CREATE TABLE effect (event text)');
  const transactional = webhooks.receiver({
    store,
    transaction: (run) => inTransaction(pool, run),
    onEvent: ({ id }, { client }) => client.query(effect, [id]),
  });
  try {
    return await raceAll([
      {
        what: 'handled in a transaction of PostgreSQL',
        bare: 'INSERT … ON CONFLICT in the transaction',
        bound: 0.7,
        ours: checked(transactional.handle),
        theirs: async ({ body, headers }) => {
          const { id } = await webhooks.verify(body, headers);
          await inTransaction(pool, async (client) => {
            await client.query(remember, [id]);
            await client.query(effect, [id]);
          });
        },
      },
    ]);
  } finally {
    await pool.end();
  }
}

async function onRedis(path: string): Promise<readonly ReceiverRace[]> {
  const client = createClient({ socket: { path, tls: false } });
  await client.connect();
  const receiver = webhooks.receiver({ store: redisStore(client), onEvent: () => undefined });
  try {
    return await raceAll([
      {
        what: 'handled over Redis',
        bare: 'SET NX',
        bound: 0.8,
        ours: checked(receiver.handle),
        theirs: async ({ body, headers }) => {
          const { id } = await webhooks.verify(body, headers);
          await client.set(`bare:${id}`, '1', { NX: true, PX: 2_592_000_000 });
        },
      },
    ]);
  } finally {
    client.destroy();
  }
}

/** Every comparison whose server is installed, one after the other. */
export async function runReceiverRaces(): Promise<readonly ReceiverRace[]> {
  const postgres = await withStore('postgres', ({ address }) => onPostgres(address));
  const redis = await withStore('redis', ({ address }) => onRedis(address));
  return [...(postgres ?? []), ...(redis ?? [])];
}
