/** Handlers in the merchant's transaction: record and effect commit together, in a minimum of statements. */

import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { PGlite, Transaction } from '@electric-sql/pglite';
import { memoryStore, type PostgresClient, postgresStore } from 'payments-client/stores';
import type {
  DeliveryFailure,
  DeliveryReport,
  TransactionContext,
  TransactionReceiverOptions,
  WebhookEvent,
} from 'payments-client/webhooks';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { anything } from '../../support/anything.ts';
import { delivery, eventOf, webhooksAt } from '../../support/deliveries.ts';
import { inTransaction } from '../../support/pg-transaction.ts';
import { emptyPglite } from '../../support/pglite.ts';
import { hasPostgres, type PostgresServer, startPostgresServer } from '../../support/postgres-server.ts';
import { skipWithout } from '../../support/skip.ts';
import { listen } from './running.ts';
import { send, summary } from './send.ts';

const failed = eventOf('refund.failed');

/** A database, its transactions, and all statements sent to it. */
interface Database {
  readonly client: PostgresClient;
  readonly statements: string[];
  transaction(run: (client: PostgresClient) => Promise<void>): Promise<unknown>;
  close?(): Promise<void>;
}

async function startPglite(): Promise<Database> {
  const database = await emptyPglite();
  const statements: string[] = [];
  const recorded = (client: PGlite | Transaction): PostgresClient => ({
    query: (text, values) => {
      statements.push(text.trim().split(/\s/)[0] ?? '');
      return client.query(text, values);
    },
  });
  const client = recorded(database);
  return {
    client,
    statements,
    transaction: (run) => database.transaction((inside) => run(recorded(inside))),
  };
}

type Options = Omit<Partial<TransactionReceiverOptions<PostgresClient>>, 'store'>;

async function start(database: Database, options: Options = {}) {
  const store = postgresStore(database.client);
  await store.migrate();
  await database.client.query('CREATE TABLE IF NOT EXISTS effect (event text)', []);
  database.statements.length = 0;
  const failures: DeliveryFailure[] = [];
  const receiver = webhooksAt().receiver({
    store,
    transaction: (run) => database.transaction(run),
    on: { 'refund.failed': ({ id }, { client }) => client.query('INSERT INTO effect VALUES ($1)', [id]) },
    onError: (failure) => failures.push(failure),
    ...options,
  });
  const url = await listen(createServer(receiver.node));
  const deliver = async (value: unknown = failed) => summary(await send(url, await delivery(value)));
  const effects = async () => (await database.client.query('SELECT event FROM effect', [])).rows.length;
  return { store, receiver, deliver, effects, failures };
}

const insert = ({ id }: WebhookEvent, { client }: TransactionContext<PostgresClient>) =>
  client.query('INSERT INTO effect VALUES ($1)', [id]);

describe('a handler in a transaction', () => {
  it('needs one statement more than its effect', async () => {
    const database = await startPglite();
    const { deliver, effects } = await start(database);
    expect(await deliver()).toBe('200 handled');
    // The first one asks once whether the database is a server.
    expect(database.statements).toEqual(['SELECT', 'SELECT', 'INSERT']);
    expect(await deliver()).toBe('200 duplicate');
    expect(await effects()).toBe(1);
  });

  it('receives the connection and the context of every handler', async () => {
    const database = await startPglite();
    const contexts: TransactionContext<PostgresClient>[] = [];
    const { deliver } = await start(database, {
      on: { 'refund.failed': (_event, context) => contexts.push(context) },
    });
    await deliver();
    expect(contexts).toEqual([
      {
        client: { query: expect.any(Function) },
        signal: expect.any(AbortSignal),
        rawBody: Buffer.from(JSON.stringify(failed)),
        operationId: 'webhook.default/test//evt_1',
        scope: undefined,
        issues: [],
      },
    ]);
  });

  it('that throws is rolled back with its record', async () => {
    const database = await startPglite();
    let works = false;
    const { deliver, effects, failures } = await start(database, {
      on: {
        'refund.failed': async (event, context) => {
          await insert(event, context);
          if (!works) throw new Error('no stock');
        },
      },
    });
    expect(await deliver()).toBe('500 failed');
    expect(await effects()).toBe(0);
    expect(failures).toEqual([{ error: new Error('no stock'), outcome: 'failed', event: failed }]);
    works = true;
    expect(await deliver()).toBe('200 handled');
    expect(await effects()).toBe(1);
  });

  it('that throws is kept, until it is repeated or delivered again', async () => {
    const database = await startPglite();
    const reports: DeliveryReport[] = [];
    let works = false;
    const { deliver, effects, receiver } = await start(database, {
      on: {
        'refund.failed': async (event, context) => {
          if (!works) throw new Error('no stock');
          await insert(event, context);
        },
      },
      onDelivery: (report) => reports.push(report),
    });
    for (const attempt of [1, 2]) {
      expect(await deliver()).toBe('500 failed');
      expect(await receiver.backlog()).toMatchObject({ count: 1 });
      expect(reports.at(-1)).toMatchObject({ outcome: 'failed', attempt });
    }
    const { value: kept } = await receiver.failed().next();
    if (!kept) throw new Error('expected a kept delivery');
    await expect(receiver.dispatch(kept)).rejects.toThrow('no stock');
    expect(await receiver.backlog()).toMatchObject({ count: 1 });
    works = true;
    expect(await receiver.dispatch(kept)).toBe('handled');
    expect(await receiver.backlog()).toMatchObject({ count: 0 });
    expect([await deliver(), await effects()]).toEqual(['200 duplicate', 1]);
  });

  it('is kept too if its transaction cannot commit, and is handled by the next delivery', async () => {
    const database = await startPglite();
    let commits = false;
    const { deliver, effects, receiver } = await start(database, {
      transaction: (run) =>
        database.transaction(async (client) => {
          await run(client);
          if (!commits) throw new Error('cannot commit');
        }),
    });
    expect(await deliver()).toBe('500 failed');
    expect(await receiver.backlog()).toMatchObject({ count: 1 });
    commits = true;
    expect([await deliver(), await effects()]).toEqual(['200 handled', 1]);
    expect(await receiver.backlog()).toMatchObject({ count: 0 });
  });

  it('is claimed for seconds, whatever the lease, if its process dies while it is kept', async () => {
    const database = await startPglite();
    const query: PostgresClient['query'] = (text, values) =>
      text.includes('SET token = NULL')
        ? Promise.reject(new Error('the process died'))
        : database.client.query(text, values);
    const { store, deliver } = await start(
      { ...database, client: { query } },
      {
        lease: 3_600_000,
        on: {
          'refund.failed': () => {
            throw new Error('no stock');
          },
        },
      },
    );
    expect(await deliver()).toBe('500 failed');
    const claim = await store.claim('webhook.default/test//evt_1', 1000);
    expect('retryAfter' in claim && claim.retryAfter).toBeLessThanOrEqual(15_000);
  });

  it('that throws is answered although the store never keeps it', async () => {
    const database = await startPglite();
    const { store } = await start(database);
    const failures: DeliveryFailure[] = [];
    const asked = new EventEmitter();
    const released = once(asked, 'release');
    const receiver = webhooksAt().receiver({
      store: {
        ...store,
        release: () => {
          asked.emit('release');
          return new Promise<never>(() => {});
        },
      },
      transaction: (run: (client: PostgresClient) => Promise<void>) => database.transaction(run),
      on: {
        'refund.failed': () => {
          throw new Error('no stock');
        },
      },
      onError: (failure) => failures.push(failure),
    });
    const sent = await delivery(failed);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const reply = receiver.handle(sent);
    await released;
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await reply).toMatchObject({ outcome: 'failed' });
    expect(failures).toMatchObject([
      { error: { code: 'STORE_TIMEOUT' } },
      { error: { message: 'no stock' } },
    ]);
  });

  it('is rolled back if its transaction cannot commit', async () => {
    const database = await startPglite();
    const { deliver, effects, failures } = await start(database, {
      transaction: (run) =>
        database.transaction(async (client) => {
          await run(client);
          throw new Error('cannot commit');
        }),
    });
    expect(await deliver()).toBe('500 failed');
    expect(await effects()).toBe(0);
    expect(failures).toMatchObject([{ error: new Error('cannot commit'), outcome: 'failed' }]);
  });

  it('runs again if the merchant retries a refused transaction', async () => {
    const database = await startPglite();
    let times = 0;
    const { deliver, effects } = await start(database, {
      transaction: async (run) => {
        const once = () => database.transaction(run);
        await once().catch(once);
      },
      on: {
        'refund.failed': async (event, context) => {
          await insert(event, context);
          times += 1;
          if (times === 1) throw Object.assign(new Error('could not serialize'), { code: '40001' });
        },
      },
    });
    expect(await deliver()).toBe('200 handled');
    expect([times, await effects()]).toEqual([2, 1]);
  });

  it('gets an aborted signal at the end of its lease, and is rolled back if it throws', async () => {
    const database = await startPglite();
    const { deliver, effects, failures } = await start(database, {
      lease: 20,
      on: {
        'refund.failed': async (event, context) => {
          await insert(event, context);
          await once(context.signal, 'abort');
          context.signal.throwIfAborted();
        },
      },
    });
    expect(await deliver()).toBe('500 failed');
    expect(failures).toMatchObject([
      { error: { name: 'TimeoutError', message: expect.stringMatching(/20 ms/) } },
    ]);
    expect(await effects()).toBe(0);
  });

  it('keeps the settings of its connection, in PGlite also the idle time, which would end the program', async () => {
    const database = await startPglite();
    const settings = async (client: PostgresClient) => {
      const names = ['lock_timeout', 'idle_in_transaction_session_timeout'];
      const columns = names.map((name) => `current_setting('${name}') AS ${name}`);
      return (await client.query(`SELECT ${columns}`, [])).rows[0];
    };
    await database.client.query(`SET lock_timeout = '7s'`, []);
    onTestFinished(async () => void (await database.client.query('RESET lock_timeout', [])));
    const seen: unknown[] = [];
    const { deliver } = await start(database, {
      on: { 'refund.failed': async (_event, { client }) => seen.push(await settings(client)) },
    });
    expect(await deliver()).toBe('200 handled');
    seen.push(await settings(database.client));
    expect(seen).toEqual([
      { lock_timeout: '7s', idle_in_transaction_session_timeout: '0' },
      { lock_timeout: '7s', idle_in_transaction_session_timeout: '0' },
    ]);
  });

  it('waits for a claim that another process holds', async () => {
    const database = await startPglite();
    const { store, deliver, effects } = await start(database);
    await store.claim('webhook.default/test//evt_1', 60_000);
    expect(await deliver()).toBe('409 in_progress');
    expect(await effects()).toBe(0);
  });

  it('is not used for an event without a handler, or a body that none can read', async () => {
    const database = await startPglite();
    const { deliver } = await start(database);
    expect(await deliver(eventOf('refund.created'))).toBe('200 handled');
    expect(database.statements).toEqual([]);
    expect(await deliver([])).toBe('500 failed');
    // The claim, and its release with the body.
    expect(database.statements).toEqual(['INSERT', 'UPDATE']);
  });

  it.each([
    ['runs none', async () => {}, /expected a call of the function passed to it, got none/],
    ['hides an error', 'hide', /no stock/],
  ] as const)('is not handled by a transaction that %s', async (_what, transaction, message) => {
    const database = await startPglite();
    const { deliver, effects, failures } = await start(database, {
      transaction:
        transaction === 'hide' ? (run) => database.transaction(run).catch(() => undefined) : transaction,
      on: {
        'refund.failed': async (event, context) => {
          await insert(event, context);
          throw new Error('no stock');
        },
      },
    });
    expect(await deliver()).toBe('500 failed');
    expect(String(failures[0]?.error)).toMatch(message);
    expect(await effects()).toBe(0);
  });

  it.each([
    [{ transaction: true }, /^transaction: expected a function that runs another in a transaction, got true/],
    [
      { store: memoryStore() },
      /^store: expected a store with record, such as postgresStore, for 'transaction'/,
    ],
  ])('refuses %o', async (wrong, message) => {
    const store = postgresStore((await startPglite()).client);
    const options = { store, transaction: async () => {}, on: {}, ...wrong };
    expect(() => webhooksAt().receiver(anything(options))).toThrow(message);
  });
});

const postgres = skipWithout(
  hasPostgres(),
  'PostgreSQL',
  'test/webhooks/receiver/transaction.services.test.ts',
);

describe.skipIf(postgres.isSkipped)(`on PostgreSQL${postgres.why}`, { timeout: 30_000 }, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgresServer();
  });
  afterAll(() => server?.stop());

  function pooled(max: number): Database {
    const pool = new pg.Pool({ ...server.connection, max });
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => {}));
    onTestFinished(() => pool.end());
    return { client: pool, statements: [], transaction: (run) => inTransaction(pool, run) };
  }

  it('handles one of many concurrent deliveries', async () => {
    const database = pooled(10);
    const { deliver, effects } = await start(database);
    const event = eventOf('refund.failed', { id: 'evt_race' });
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => deliver(event)));
    expect(outcomes.sort()).toEqual([...Array(19).fill('200 duplicate'), '200 handled']);
    expect(await effects()).toBe(1);
  });

  it('waits for the transaction of another delivery no longer than 2 s', async () => {
    const database = pooled(4);
    const handler = new EventEmitter();
    const reached = once(handler, 'reached');
    const released = once(handler, 'released');
    const { deliver, effects } = await start(database, {
      on: {
        'refund.failed': async (event, context) => {
          await insert(event, context);
          handler.emit('reached');
          await released;
        },
      },
    });
    const before = await effects();
    const event = eventOf('refund.failed', { id: 'evt_slow' });
    const first = deliver(event);
    await reached;
    expect(await deliver(event)).toBe('409 in_progress');
    handler.emit('released');
    expect(await first).toBe('200 handled');
    expect(await effects()).toBe(before + 1);
  });

  it('that fails is kept, although a discard that waited for its transaction is granted later', async () => {
    const database = pooled(4);
    const handler = new EventEmitter();
    const released = once(handler, 'released');
    let waits = false;
    const { receiver, deliver } = await start(database, {
      on: {
        'refund.failed': async () => {
          if (waits) handler.emit('reached');
          if (waits) await released;
          throw new Error('no stock');
        },
      },
    });
    const event = eventOf('refund.failed', { id: 'evt_discarded' });
    await deliver(event);
    waits = true;
    const reached = once(handler, 'reached');
    const second = deliver(event);
    await reached;
    const discarding = receiver.discard('webhook.default/test//evt_discarded');
    await expect(discarding).rejects.toMatchObject({ code: 'STORE_TIMEOUT' });
    handler.emit('released');
    expect(await second).toBe('500 failed');
    // It is claimed until the late claim is released, not for the minute of its lease.
    await expect.poll(async () => (await receiver.failed().next()).done).toBe(false);
  });

  it('ends the transaction of a process that is stopped, and meanwhile handles the events of others', async () => {
    const handler = new EventEmitter();
    const reached = once(handler, 'reached');
    const released = once(handler, 'released');
    const lease = 4000;
    // It looks at no signal, as nothing in a stopped process does.
    const stopped = await start(pooled(1), {
      lease,
      on: {
        'refund.failed': async (event, context) => {
          await insert(event, context);
          handler.emit('reached');
          await released;
        },
      },
    });
    const other = await start(pooled(4), { lease });
    const before = await other.effects();
    const event = eventOf('refund.failed', { id: 'evt_stopped' });
    const unanswered = stopped.deliver(event);
    await reached;
    // As many as the pool has connections.
    const meanwhile = await Promise.all([1, 2, 3, 4].map(() => other.deliver(event)));
    expect(meanwhile).toEqual(Array(4).fill('409 in_progress'));
    expect(await other.deliver(eventOf('refund.failed', { id: 'evt_other' }))).toBe('200 handled');

    let outcome = '409 in_progress';
    while (outcome === '409 in_progress') outcome = await other.deliver(event);
    expect(outcome).toBe('200 handled');
    handler.emit('released');
    expect(await unanswered).toMatch(/^50[03] failed$/);
    expect(await other.effects()).toBe(before + 2);
  });

  it('responds in time if the pool is exhausted, and handles nothing later', async () => {
    const database = pooled(1);
    let ran = 0;
    const { deliver } = await start(database, {
      on: {
        'refund.failed': () => {
          ran += 1;
        },
      },
    });
    let release = () => {};
    const blocked = new Promise<void>((resolve) => {
      release = resolve;
    });
    const holding = database.transaction(() => blocked);
    const event = eventOf('refund.failed', { id: 'evt_exhausted' });
    expect(await deliver(event)).toBe('503 failed');
    release();
    await holding;
    await database.client.query('SELECT 1', []);
    expect(ran).toBe(0);
    expect(await deliver(event)).toBe('200 handled');
    expect(ran).toBe(1);
  });
});
