/** Webhooks over BullMQ with Redis: each event is queued once and handled once, after any failure or crash. */

import { type Job, Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import type { Sandbox } from 'payments-client/sandbox';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { hasRedis, type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { clientOf } from '../support/sandbox.ts';
import { skipWithout } from '../support/skip.ts';
import { secret, startMerchant } from './support.ts';

const { isSkipped, why: reason } = skipWithout(
  hasRedis(),
  'Redis',
  'test/examples/webhooks-bullmq.services.test.ts',
);

let server: RedisServer | undefined;
let redis: Redis;
let queue: Queue;
beforeAll(async () => {
  if (isSkipped) return;
  server = await startRedisServer();
  redis = new Redis(server.path, { maxRetriesPerRequest: null });
  queue = new Queue('webhooks', { connection: redis });
});
beforeEach(async () => {
  await redis?.flushall();
});
afterAll(async () => {
  await queue?.close();
  redis?.disconnect();
  await server?.stop();
});

const example = 'webhooks/bullmq';

async function start() {
  const merchant = await startMerchant({ REDIS_URL: server?.path ?? '' });
  const { sandbox, serve } = merchant;
  const running = await serve(example);
  sandbox.webhooks.deliverTo(`${running.url}/webhooks`, { secret });
  return { sandbox, serve, running };
}

const isOpened = (line: string) => line.includes('opened');

async function accountsOf(sandbox: Sandbox): Promise<number> {
  return (await clientOf(sandbox).customers.list().toArray({ max: 100 })).length;
}

async function jobOf(id: string): Promise<Job> {
  const job: Job | undefined = await queue.getJob(id);
  if (job === undefined) throw new Error(`expected a job ${id}, got none`);
  return job;
}

const until = (what: () => Promise<unknown>, expected: unknown) =>
  vi.waitFor(async () => expect(await what()).toEqual(expected), { timeout: 60_000, interval: 20 });

/** The keys of an event: its job and its account. */
const keysOf = (eventId: string) => [`webhook/queue/test//${eventId}`, `webhook/accounts/test//${eventId}`];

const recordOf = (key = '') => `payments-client:{claims}${key}`;

describe.skipIf(isSkipped)(`webhooks over BullMQ${reason}`, () => {
  it('queues a duplicate event once, under its operationId', async () => {
    const { sandbox, running } = await start();
    sandbox.faults.inject({ kind: 'duplicate_delivery', types: ['checkout.session.completed'] });
    const { id } = sandbox.trigger('checkout.session.completed');
    await sandbox.settled();
    expect(sandbox.webhooks.deliveries().map(({ status }) => status)).not.toContain('failed');
    await running.line(isOpened);
    await until(async () => (await queue.getJobs()).map((job) => job.id).includes(keysOf(id)[0]), true);
    const jobs = await queue.getJobs();
    expect(jobs.filter(({ name }) => name === 'checkout.session.completed')).toHaveLength(1);
    await until(async () => (await jobOf(keysOf(id)[0] ?? '')).returnvalue, 'handled');
    expect(await accountsOf(sandbox)).toBe(1);
    const { stderr, code } = await running.stop();
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  });

  it('handles an event once if it is queued again after a crash', async () => {
    const { sandbox, running } = await start();
    const { id } = sandbox.trigger('checkout.session.completed');
    const [queued = ''] = keysOf(id);
    await running.line(isOpened);
    await until(async () => (await jobOf(queued)).returnvalue, 'handled');
    const [{ timestamp }] = [await jobOf(queued)];
    // As if the process had crashed between the job and its record.
    expect(await redis.del(recordOf(queued))).toBe(1);
    sandbox.webhooks.replay(id);
    await sandbox.settled();
    expect(await redis.exists(recordOf(queued))).toBe(1);
    expect((await jobOf(queued)).timestamp).toBe(timestamp);
    // The same, once BullMQ has removed the job.
    await redis.del(recordOf(queued));
    await (await jobOf(queued)).remove();
    sandbox.webhooks.replay(id);
    await sandbox.settled();
    await until(async () => (await jobOf(queued)).returnvalue, 'duplicate');
    expect(await accountsOf(sandbox)).toBe(1);
    expect((await running.stop()).stdout.match(/opened/g)).toHaveLength(1);
  });

  it('retries a job whose handler throws', async () => {
    const { sandbox, running } = await start();
    sandbox.faults.inject({ kind: 'respond', operation: 'customers.create', status: 400 });
    const { id } = sandbox.trigger('checkout.session.completed');
    await running.line(isOpened);
    await until(async () => (await jobOf(keysOf(id)[0] ?? '')).returnvalue, 'handled');
    expect((await jobOf(keysOf(id)[0] ?? '')).attemptsMade).toBe(2);
    expect(await accountsOf(sandbox)).toBe(1);
    expect((await running.stop()).stderr).toContain('BadRequestError');
  });

  it('reassigns the job of a killed worker, and opens one account', async () => {
    const { sandbox, serve, running } = await start();
    const held = sandbox.faults.inject({ kind: 'hold', operation: 'customers.create' });
    const { id } = sandbox.trigger('checkout.session.completed');
    const [queued = '', handled = ''] = keysOf(id);
    await held.reached;
    await running.stop('SIGKILL');
    held.release();
    // As if the job's lock, the next check and the event's lease had expired.
    await redis.del(`bull:webhooks:${queued}:lock`, 'bull:webhooks:stalled-check');
    await redis.hset(recordOf(handled), 'until', 0);
    const other = await serve(example);
    const checker = new Worker('webhooks', null, { connection: redis, stalledInterval: 100 });
    onTestFinished(() => checker.close());
    await checker.startStalledCheckTimer();
    await other.line(isOpened);
    await until(async () => (await jobOf(queued)).returnvalue, 'handled');
    expect(await accountsOf(sandbox)).toBe(1);
  });
});
