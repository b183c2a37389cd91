/** The queue engines that deliveries are handed to, each behind the same few functions. */

import { Queue as BullQueue, Worker as BullWorker, type JobsOptions } from 'bullmq';
import { Logger, run, runMigrations } from 'graphile-worker';
import { Redis } from 'ioredis';
import type { WebhookJob } from 'payments-client/webhooks';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import type { PostgresServer } from './postgres-server.ts';

/** The engines, by their packages. */
export const engines = ['bullmq', 'graphile-worker', 'pg-boss'] as const;

/** The name of an engine. */
export type Engine = (typeof engines)[number];

/** The servers that engines keep their jobs in. */
export interface QueuePlace {
  /** The socket of Redis. */
  readonly redis: string;
  readonly postgres: PostgresServer['connection'];
}

/** A queue of one engine. */
export interface WebhookQueue {
  /** Adds a job, as `enqueue` of a receiver. */
  add(job: WebhookJob): Promise<unknown>;
  /** Adds many jobs by the engine's own means. */
  addAll(jobs: readonly WebhookJob[]): Promise<unknown>;
  /** Starts to work off the jobs, up to eight at a time. */
  work(dispatch: (job: WebhookJob) => Promise<unknown>): Promise<void>;
  /** Counts the jobs that have not ended. */
  unended(): Promise<number>;
  /** Does now what the engine does minutes or hours later: reassigns jobs of stopped workers, and retries failed ones. */
  hurry(): Promise<unknown>;
  /** Waits for running jobs, and disconnects. */
  close(): Promise<unknown>;
}

const ignore = () => {};

/** Opens a pool that survives a restart of its server. */
export function openPool(connection: PostgresServer['connection'], max = 8): pg.Pool {
  const pool = new pg.Pool({ ...connection, max }).on('error', ignore);
  return pool.on('connect', (client) => void client.on('error', ignore));
}

async function openBullmq({ redis }: QueuePlace, name: string): Promise<WebhookQueue> {
  const connection = new Redis(redis, { maxRetriesPerRequest: null }).on('error', ignore);
  const options: JobsOptions = {
    attempts: 1000,
    backoff: { type: 'fixed', delay: 200 },
    removeOnComplete: true,
  };
  const queue = new BullQueue<WebhookJob>(name, { connection, defaultJobOptions: options });
  queue.on('error', ignore);
  let worker: BullWorker<WebhookJob> | undefined;
  return {
    add: (job) => queue.add('webhook', job),
    addAll: (jobs) => queue.addBulk(jobs.map((data) => ({ name: 'webhook', data }))),
    work: async (dispatch) => {
      const stalling = { lockDuration: 2000, stalledInterval: 1000, maxStalledCount: 1000 };
      worker = new BullWorker(name, ({ data }) => dispatch(data), {
        connection,
        concurrency: 8,
        ...stalling,
      });
      worker.on('error', ignore);
      await worker.waitUntilReady();
    },
    unended: () => queue.getJobCountByTypes('waiting', 'active', 'delayed', 'failed'),
    // Its locks are short already.
    hurry: async () => {},
    close: async () => {
      await worker?.close();
      await queue.close();
      connection.disconnect();
    },
  };
}

const silent = new Logger(() => ignore);

async function openGraphile({ postgres }: QueuePlace, name: string): Promise<WebhookQueue> {
  const pgPool = openPool(postgres, 10);
  await runMigrations({ pgPool, logger: silent });
  let runner: Awaited<ReturnType<typeof run>> | undefined;
  const addJob = `graphile_worker.add_job($1, job, max_attempts := 1000)`;
  return {
    add: (job) => pgPool.query(`SELECT ${addJob} FROM (SELECT $2::json AS job) AS one`, [name, job]),
    addAll: (jobs) =>
      pgPool.query(`SELECT ${addJob} FROM json_array_elements($2::json) AS job`, [
        name,
        JSON.stringify(jobs),
      ]),
    work: async (dispatch) => {
      const taskList = { [name]: (job: unknown) => dispatch(job as WebhookJob).then(ignore) };
      const settings = { concurrency: 8, pollInterval: 200, noHandleSignals: true, logger: silent };
      runner = await run({ pgPool, taskList, ...settings });
    },
    unended: async () => {
      const jobs = 'SELECT count(*)::int FROM graphile_worker.jobs WHERE task_identifier = $1';
      return (await pgPool.query(jobs, [name])).rows[0].count;
    },
    hurry: async () => {
      await pgPool.query(`UPDATE graphile_worker._private_jobs SET locked_at = NULL, locked_by = NULL
        WHERE locked_at < now() - interval '2 s'`);
      await pgPool.query(
        'UPDATE graphile_worker._private_jobs SET run_at = now() WHERE locked_at IS NULL AND run_at > now()',
      );
    },
    close: async () => {
      await runner?.stop();
      await pgPool.end();
    },
  };
}

async function openPgBoss({ postgres }: QueuePlace, name: string): Promise<WebhookQueue> {
  const pool = openPool(postgres);
  const boss = new PgBoss({ ...postgres, max: 8 }).on('error', ignore);
  await boss.start();
  await boss.createQueue(name, { retryLimit: 1000, retryDelay: 1 });
  return {
    add: (job) => boss.send(name, job),
    addAll: (jobs) =>
      boss.insert(
        name,
        jobs.map((data) => ({ data })),
      ),
    work: async (dispatch) => {
      const settings = { pollingIntervalSeconds: 0.5, batchSize: 8, burstWhenBatchFull: true };
      await boss.work<WebhookJob>(name, settings, async (jobs) => {
        for (const { data } of jobs) await dispatch(data);
      });
    },
    unended: async () => {
      const jobs = "SELECT count(*)::int FROM pgboss.job WHERE name = $1 AND state <> 'completed'";
      return (await pool.query(jobs, [name])).rows[0].count;
    },
    hurry: () =>
      pool.query(
        `UPDATE pgboss.job SET state = 'retry', start_after = now()
        WHERE name = $1 AND (state = 'retry' OR state = 'active' AND started_on < now() - interval '2 s')`,
        [name],
      ),
    close: async () => {
      await boss.stop({ graceful: true, timeout: 10_000 });
      await pool.end();
    },
  };
}

const openers = { bullmq: openBullmq, 'graphile-worker': openGraphile, 'pg-boss': openPgBoss };

/** Opens a queue, and creates what it needs in its server. */
export function openQueue(engine: Engine, place: QueuePlace, name: string): Promise<WebhookQueue> {
  return openers[engine](place, name);
}
