/** How a transaction uses its connection: by pools that a test controls. `transaction.services.test.ts` has PostgreSQL. */

import { EventEmitter } from 'node:events';
import { ConfigurationError, PaymentsError } from 'payments-client';
import { type PostgresClient, type PostgresStore, postgresStore } from 'payments-client/stores';
import { describe, expect, it, vi } from 'vitest';
import { anything } from '../../support/anything.ts';
import { failureOf } from '../../support/failure.ts';

type Documents = Parameters<Parameters<PostgresStore['transaction']>[0]>[1];

type Taken = (error: unknown, client?: unknown) => void;

/** Returns a pool that records its statements, and answers or fails by a table of them. */
function poolOf(answers: Readonly<Record<string, unknown>> = {}) {
  const seen: string[] = [];
  const client = {
    async query(text: string) {
      const [verb = ''] = text.trim().split(' ');
      seen.push(verb);
      const answer = answers[verb];
      if (answer instanceof Error) throw answer;
      return { rows: [], command: answer ?? verb };
    },
    release: (isBroken: boolean) => void seen.push(isBroken ? 'destroyed' : 'returned'),
  };
  return { ...client, seen, client, connect: (taken: Taken) => taken(undefined, client) };
}

const inTransaction = ['BEGIN', 'UPDATE'];
const update = (client: PostgresClient) => client.query('UPDATE orders SET shipped = true', []);

describe('a connection of a pool', () => {
  it('goes back after a commit', async () => {
    const pool = poolOf();
    const result = await postgresStore(pool).transaction(async (client) => {
      expect(client).toBe(pool.client);
      await update(client);
      return 'result';
    });
    expect([result, pool.seen]).toEqual(['result', [...inTransaction, 'COMMIT', 'returned']]);
  });

  it('is of the pool that the store has as its client', () => {
    const pool = poolOf();
    expect(postgresStore(pool).client).toBe(pool);
  });

  it('goes back after a rollback, and the error of the function passes', async () => {
    const [pool, thrown] = [poolOf(), { anything: 'but an error' }];
    const failing = postgresStore(pool).transaction(async (client) => {
      await update(client);
      throw thrown;
    });
    await expect(failing).rejects.toBe(thrown);
    expect(pool.seen).toEqual([...inTransaction, 'ROLLBACK', 'returned']);
  });

  it.each(['BEGIN', 'COMMIT'])('is destroyed after a failed %s, whose error passes', async (verb) => {
    const error = new Error('broken');
    const pool = poolOf({ [verb]: error });
    await expect(postgresStore(pool).transaction(update)).rejects.toBe(error);
    expect(pool.seen.at(-1)).toBe('destroyed');
    expect(pool.seen.filter((seen) => seen === 'destroyed' || seen === 'returned')).toHaveLength(1);
  });

  it('is destroyed after a failed rollback, and the error of the function passes', async () => {
    const [pool, thrown] = [poolOf({ ROLLBACK: new Error('broken') }), new Error('of the function')];
    const failing = postgresStore(pool).transaction(async () => {
      throw thrown;
    });
    await expect(failing).rejects.toBe(thrown);
    expect(pool.seen).toEqual(['BEGIN', 'ROLLBACK', 'destroyed']);
  });

  it('goes back after a COMMIT that PostgreSQL answered with ROLLBACK, which is an error', async () => {
    const pool = poolOf({ COMMIT: 'ROLLBACK' });
    const { message } = await failureOf(postgresStore(pool).transaction(update), ConfigurationError);
    expect(message).toMatch(/^transaction\.run: expected a function that rejects if .+ let the errors of/);
    expect(pool.seen).toEqual([...inTransaction, 'COMMIT', 'returned']);
  });

  it('goes back if it comes late, and nothing runs', async () => {
    vi.useFakeTimers();
    try {
      const pool = poolOf();
      let come: Taken = () => {};
      const waiting = { ...pool, connect: (taken: Taken) => (come = taken) };
      const store = postgresStore(waiting, { timeout: 50 });
      const failure = failureOf(store.transaction(update), PaymentsError);
      await vi.advanceTimersByTimeAsync(50);
      expect(await failure).toMatchObject({ code: 'STORE_TIMEOUT', retryable: true });
      come(undefined, pool.client);
      await vi.advanceTimersByTimeAsync(1);
      expect(pool.seen).toEqual(['BEGIN', 'ROLLBACK', 'returned']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('may break while the pool hands it over, and the process goes on', async () => {
    const [pool, broken] = [poolOf({ BEGIN: new Error('broken') }), new EventEmitter()];
    const client = Object.assign(broken, pool.client);
    // As pg does if both messages arrive in one packet.
    let isHeard = false;
    const connect = (taken: Taken) => {
      taken(undefined, client);
      isHeard = broken.emit('error', new Error('terminated'));
    };
    const breaking = { ...pool, connect };
    await expect(postgresStore(breaking).transaction(update)).rejects.toThrow('broken');
    expect([isHeard, pool.seen, broken.listenerCount('error')]).toEqual([true, ['BEGIN', 'destroyed'], 0]);
  });

  it('may be used for longer than the timeout', async () => {
    vi.useFakeTimers();
    try {
      const pool = poolOf();
      const slow = postgresStore(pool, { timeout: 50 }).transaction(async () => {
        await new Promise((resolve) => setTimeout(resolve, 5000));
        return 'slow';
      });
      await vi.advanceTimersByTimeAsync(5000);
      expect([await slow, pool.seen]).toEqual(['slow', ['BEGIN', 'COMMIT', 'returned']]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('passes the error of a pool that gives none', async () => {
    const error = new Error('too many clients');
    const pool = { ...poolOf(), connect: (taken: Taken) => taken(error) };
    await expect(postgresStore(pool).transaction(update)).rejects.toBe(error);
  });
});

describe('documents of a transaction', () => {
  it('fail after its end', async () => {
    const pool = poolOf();
    const store = postgresStore(pool);
    const kept: Documents = await store.transaction(async (_client, documents) => documents);
    for (const call of [() => kept.load('a'), () => kept.save('a', 0, 'x', { wakeAt: null })]) {
      const { issues } = await failureOf(call(), ConfigurationError);
      expect(issues).toMatchObject([{ path: 'transaction.documents', received: 'one that has ended' }]);
    }
    expect(pool.seen).toEqual(['BEGIN', 'COMMIT', 'returned']);
  });

  it('fail after the function has failed', async () => {
    const pool = poolOf();
    let kept: Documents | undefined;
    const failing = postgresStore(pool).transaction(async (_client, documents) => {
      kept = documents;
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await expect(kept?.load('a')).rejects.toThrow('got one that has ended');
    expect(pool.seen).toEqual(['BEGIN', 'ROLLBACK', 'returned']);
  });

  it('check their arguments', async () => {
    await postgresStore(poolOf()).transaction(async (_client, documents) => {
      await failureOf(documents.load(''), ConfigurationError);
      const { message } = await failureOf(documents.save('a', 0, 'x', anything({})), ConfigurationError);
      expect(message).toMatch(/^save\.index\.wakeAt: /);
    });
  });
});

describe('the option transaction', () => {
  const { client } = poolOf();
  type Option = NonNullable<NonNullable<Parameters<typeof postgresStore>[1]>['transaction']>;
  const storeWith = (transaction: Option) => postgresStore(client, { transaction });

  it('runs the function, and its result passes', async () => {
    const own = poolOf();
    const store = postgresStore(client, { transaction: (run) => run(own.client) });
    expect(await store.transaction(async (used) => used === own.client)).toBe(true);
  });

  it('comes before a pool', async () => {
    const pool = poolOf();
    await postgresStore(pool, { transaction: (run) => run(client) }).transaction(update);
    expect(pool.seen).toEqual([]);
  });

  it.each<[what: string, transaction: Option]>([
    ['hides it', (run) => run(client).catch(() => undefined)],
    ['throws another one', (run) => run(client).catch(() => Promise.reject(new Error('another')))],
  ])('passes the error of the function, even if it %s', async (_what, transaction) => {
    const thrown = new Error('of the function');
    const failing = storeWith(transaction).transaction(() => Promise.reject(thrown));
    await expect(failing).rejects.toBe(thrown);
  });

  it('may run the function again, and the last result counts', async () => {
    let runs = 0;
    const store = storeWith((run) => run(client).catch(() => run(client)));
    const run = async () => {
      runs += 1;
      if (runs === 1) throw new Error('40001');
      return runs;
    };
    expect(await store.transaction(run)).toBe(2);
  });

  it('passes its own error, of a COMMIT for example', async () => {
    const error = new Error('of the commit');
    const store = storeWith(async (run) => {
      await run(client);
      throw error;
    });
    await expect(store.transaction(async () => 1)).rejects.toBe(error);
    const throwing = storeWith(() => {
      throw error;
    });
    await expect(throwing.transaction(async () => 1)).rejects.toBe(error);
  });

  it('must run the function', async () => {
    const { message } = await failureOf(
      storeWith(async () => {}).transaction(async () => 1),
      ConfigurationError,
    );
    expect(message).toMatch(/^postgresStore\.transaction: expected a call of the function passed to it/);
  });

  it.each<[what: string, hide: (run: Promise<void>) => Promise<unknown>]>([
    ['passes', (run) => run],
    ['hides', (run) => run.catch(() => undefined)],
  ])('that %s an aborted transaction is an error', async (_what, hide) => {
    const aborted = poolOf({ SELECT: Object.assign(new Error('aborted'), { code: '25P02' }) });
    const store = storeWith((run) => hide(run(aborted.client)));
    const { issues } = await failureOf(
      store.transaction(async () => 1),
      ConfigurationError,
    );
    expect(issues).toMatchObject([{ path: 'transaction.run' }]);
  });
});

it.each<[what: string, client: object]>([
  ['a Client of pg, whose connection all calls share', { connect() {}, getTypeParser() {} }],
  ['another client', {}],
])('%s has no transaction without the option', async (_what, members) => {
  const { client } = poolOf();
  const store = postgresStore({ query: client.query, ...members });
  const { message } = await failureOf(store.transaction(update), ConfigurationError);
  expect(message).toMatch(/^postgresStore: expected a Pool of pg, .+ Pass \{ transaction: \(run\) => … \}/);
});

it('checks the function and the option', async () => {
  const pool = poolOf();
  await failureOf(postgresStore(pool).transaction(anything(undefined)), ConfigurationError);
  expect(pool.seen).toEqual([]);
  expect(() => postgresStore(pool, { transaction: anything(true) })).toThrow(/^postgresStore\.transaction: /);
});
