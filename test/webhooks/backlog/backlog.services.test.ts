/**
 * Many jobs wait in an engine, and the endpoint still takes each delivery, about as fast as with an engine that is almost empty. A
 * worker that starts later handles each event once.
 */

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Webhooks } from 'payments-client/webhooks';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { eventOf, secret } from '../../support/deliveries.ts';
import { hasPostgres, type PostgresServer, startPostgresServer } from '../../support/postgres-server.ts';
import { forkScript } from '../../support/programs.ts';
import { type Engine, engines, openPool, openQueue, type QueuePlace } from '../../support/queues.ts';
import { hasRedis, type RedisServer, startRedisServer } from '../../support/redis-server.ts';
import { bySize, size } from '../../support/size.ts';
import { skipWithout } from '../../support/skip.ts';
import type { Drained, EndpointTask } from './task.ts';

const { isSkipped, why } = skipWithout(
  hasPostgres() && hasRedis(),
  'PostgreSQL and Redis',
  'test/webhooks/backlog/backlog.services.test.ts',
);

const backlog = bySize({ short: 300, all: 2_000, long: 100_000 });
/** The rounds of both sides, and the deliveries of each: together a thirtieth of the backlog of the long form. */
const [rounds, perRound] = bySize({ short: [1, 30], all: [1, 100], long: [15, 200] });
const inFlight = 8;
const webhooks = new Webhooks({ secret });

const bodyOf = (id: string) => JSON.stringify(eventOf('refund.failed', { id }));

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.round((sorted.length - 1) * part)] ?? Number.NaN;
}

/** An endpoint and what it answered. */
class Endpoint {
  readonly statuses = new Set<number>();
  delivered = 0;
  readonly #process: ChildProcess;
  readonly #url: string;

  private constructor(child: ChildProcess, url: string) {
    this.#process = child;
    this.#url = url;
  }

  static async start(task: EndpointTask): Promise<Endpoint> {
    const child = forkScript(new URL('./endpoint.ts', import.meta.url), task);
    onTestFinished(() => void child.kill('SIGKILL'));
    const [{ port }] = await once(child, 'message');
    return new Endpoint(child, `http://127.0.0.1:${port}/`);
  }

  /** Delivers new events. Returns the time in ms below which 99 % of the responses came. */
  async round(): Promise<number> {
    const times: number[] = [];
    let left = perRound;
    const lane = async () => {
      for (; left > 0; left -= 1) times.push(await this.#deliver());
    };
    await Promise.all(Array.from({ length: inFlight }, lane));
    return quantile(times, 0.99);
  }

  /** Starts its worker, and waits until the queue is empty. */
  async drain(): Promise<Drained> {
    const drained = once(this.#process, 'message');
    this.#process.send('work');
    return (await drained)[0];
  }

  async #deliver(): Promise<number> {
    this.delivered += 1;
    const body = bodyOf(`evt_new_${this.delivered}`);
    const headers = { 'content-type': 'application/json', ...(await webhooks.sign(body)) };
    const since = performance.now();
    const response = await fetch(this.#url, { method: 'POST', body, headers });
    await response.arrayBuffer();
    this.statuses.add(response.status);
    return performance.now() - since;
  }
}

let postgres: PostgresServer;
let redis: RedisServer;

describe.skipIf(isSkipped)(`an endpoint before ${backlog} waiting jobs${why}`, () => {
  beforeAll(async () => {
    postgres = await startPostgresServer({ isDurable: true });
    redis = await startRedisServer({ isDurable: true });
  });

  afterAll(async () => {
    await redis?.stop();
    await postgres?.stop();
  });

  /** Each queue has a database of its own, since an engine keeps the jobs of all its queues in one table. */
  async function placeOf(database: string): Promise<QueuePlace> {
    const pool = openPool(postgres.connection, 1);
    await pool.query(`CREATE DATABASE "${database}"`);
    await pool.end();
    return { redis: redis.path, postgres: { ...postgres.connection, database } };
  }

  async function fill(task: EndpointTask): Promise<void> {
    const queue = await openQueue(task.engine, task.place, task.name);
    const receivedAt = new Date().toISOString();
    for (let first = 0; first < backlog; first += 2_000) {
      const jobs = Array.from({ length: Math.min(2_000, backlog - first) }, (_, index) => ({
        body: bodyOf(`evt_${first + index}`),
        receivedAt,
      }));
      await queue.addAll(jobs);
    }
    expect(await queue.unended()).toBe(backlog);
    await queue.close();
  }

  async function startBoth(engine: Engine) {
    const taskOf = async (name: string): Promise<EndpointTask> => ({
      engine,
      name,
      place: await placeOf(`${engine}-${name}`),
      secret,
    });
    const [full, empty] = [await taskOf('full'), await taskOf('empty')];
    await fill(full);
    return { full: await Endpoint.start(full), empty: await Endpoint.start(empty) };
  }

  it.each(engines)(
    'takes each delivery, and a worker handles each event once (%s)',
    {
      timeout: 1_800_000,
    },
    async (engine) => {
      const { full, empty } = await startBoth(engine);
      const ratios: number[] = [];
      // The first responses of a process are slow.
      for (const endpoint of [full, empty]) await endpoint.round();
      for (let round = 0; round < rounds; round += 1)
        ratios.push((await full.round()) / (await empty.round()));
      const ratio = quantile(ratios, 0.5);
      process.stdout.write(`${engine}: p99 ${ratio.toFixed(2)} × that of an empty queue\n`);
      expect([...full.statuses, ...empty.statuses]).toEqual([200, 200]);
      if (size === 'long') expect(ratio).toBeLessThanOrEqual(1.5);
      const events = backlog + full.delivered;
      expect(await full.drain()).toEqual({ events, calls: events });
    },
  );
});
