import { ConfigurationError } from 'payments-client';
import { type PostgresClient, postgresStore } from 'payments-client/stores';
import { beforeAll, describe, expect, it } from 'vitest';
import { anything } from '../../support/anything.ts';
import { failureOf } from '../../support/failure.ts';
import { emptyPglite } from '../../support/pglite.ts';
import { openAt } from '../../support/stores.ts';
import { linesOf, take } from '../histories.ts';
import { claimOf, freshKey, long, start } from '../time.ts';
import { addEffect, clockOfTest, pathOfTest, setClock, usePostgres } from './database.ts';

const postgres = usePostgres('postgres/record');
const { isSkipped, why } = postgres;

const openers = [
  {
    name: `a pool of pg${why}`,
    skip: isSkipped,
    open: async (): Promise<PostgresClient> => (await postgres.createTimed()).admin,
  },
  {
    name: 'PGlite',
    skip: false,
    open: async (): Promise<PostgresClient> => {
      const database = await emptyPglite();
      await database.exec(`${clockOfTest} SET search_path = ${pathOfTest}`);
      return database;
    },
  },
];

describe.each(openers)('record with $name', ({ skip, open }) => {
  let client: PostgresClient;
  const store = () => postgresStore(client);
  let now = start;
  beforeAll(async () => {
    if (skip) return;
    client = await open();
    await store().migrate();
  });

  it.skipIf(skip).each([
    ['a new key', '', 'claimed 1'],
    ['a released key', 'a claims 9 "x": claimed 1 "x"; a releases: yes', 'claimed 2'],
    ['a key released with a retention', 'a claims 9 "x": claimed 1 "x"; a releases 9: yes', 'claimed 2'],
    ['a key whose lease has expired', 'a claims 2 "x": claimed 1 "x"; pass 2', 'claimed 2'],
    [
      'a key whose retention is over',
      'a claims 9 "x": claimed 1 "x"; a completes 2: yes; pass 2',
      'claimed 1',
    ],
    ['a key with a running lease', 'a claims 2 "x": claimed 1 "x"; pass 1', 'in_progress 1 x'],
    ['a completed key', 'a claims 9 "x": claimed 1 "x"; a completes 2: yes; pass 1', 'completed x'],
  ])('completes %s if it is free, and drops its data', async (_what, history, answer) => {
    const key = freshKey();
    for (const line of history === '' ? [] : linesOf(history)) {
      if (line === 'purge' || 'lists' in line || 'finds' in line) throw new Error('expected a call');
      if ('passes' in line) await setClock(client, (now += line.passes));
      else expect(await take(store(), key, line.step, 1)).toBe(line.answer);
    }
    const recorded = await store().record(key, 5, { client });
    const { status, data } = recorded;
    const number =
      status === 'claimed' ? recorded.attempt : status === 'in_progress' ? recorded.retryAfter : undefined;
    expect([status, number, data].filter((part) => part !== undefined).join(' ')).toBe(answer);
    if (status !== 'claimed') return;
    expect(await openAt(store(), key)).toEqual([]);
    expect(await store().complete(key, recorded.token, 4)).toBe(true);
    await setClock(client, (now += 4));
    expect(await store().record(key, 5, { client })).toEqual({ status: 'completed' });
    await setClock(client, (now += 1));
    expect(await store().record(key, 5, { client })).toMatchObject({ status: 'claimed', attempt: 1 });
  });

  it.skipIf(skip)('leaves a running claim to its holder', async () => {
    const key = freshKey();
    const { token } = claimOf(await store().claim(key, long));
    await store().record(key, long, { client });
    expect(await store().complete(key, token, long)).toBe(true);
  });

  it.skipIf(skip)('refuses wrong arguments', async () => {
    const record = (key: string, retention: number, options: unknown) =>
      store().record(key, retention, anything(options));
    for (const [path, refused] of [
      ['record.key', record('', long, { client })],
      ['record.retention', record('evt', 0, { client })],
      ['record.client', record('evt', long, {})],
      ['record', record('evt', long, undefined)],
      ['record.lease', record('evt', long, { client, lease: 0 })],
      ['record.lease', record('evt', long, { client, lease: 2 ** 31 })],
      ['record.data', record('evt', long, { client, data: 'a' })],
    ] as const)
      expect((await failureOf(refused, ConfigurationError)).issues).toMatchObject([{ path }]);
  });
});

describe.skipIf(isSkipped)(`record in a transaction of PostgreSQL${why}`, () => {
  const store = () => postgresStore(postgres.pool());
  beforeAll(async () => {
    if (!isSkipped) await store().migrate();
  });

  /** Records the key and its effect in a separate transaction, as a merchant does. */
  async function handle(key: string): Promise<string> {
    const client = await postgres.pool().connect();
    try {
      await client.query('BEGIN');
      const { status } = await store().record(key, long, { client });
      if (status === 'claimed') await addEffect(client, key);
      await client.query('COMMIT');
      return status;
    } finally {
      client.release();
    }
  }

  it('has one effect when many transactions record the same key', async () => {
    const key = freshKey();
    const statuses = await Promise.all(Array.from({ length: 30 }, () => handle(key)));
    expect(statuses.sort()).toEqual(['claimed', ...Array<string>(29).fill('completed')]);
    expect(await postgres.effectsOf(key)).toBe(1);
  });

  it('waits at most 2 s for another transaction, and leaves its own open and its lock_timeout as it was', async () => {
    const [key, other] = [freshKey(), freshKey()];
    const [{ client: holder }, { client }] = [await postgres.connect(), await postgres.connect()];
    await client.query(`SET lock_timeout = '7s'`);
    await holder.query('BEGIN');
    await store().record(key, long, { client: holder });
    await client.query('BEGIN');
    await addEffect(client, other);
    const patient = postgresStore(postgres.pool(), { timeout: 5000 });
    expect(await patient.record(key, long, { client })).toEqual({ status: 'in_progress', retryAfter: 1000 });
    expect((await client.query('SHOW lock_timeout')).rows).toEqual([{ lock_timeout: '7s' }]);
    await holder.query('COMMIT');
    expect(await store().record(key, long, { client })).toEqual({ status: 'completed' });
    await client.query('COMMIT');
    expect(await postgres.effectsOf(other)).toBe(1);
  });

  it('ends a transaction that is idle for its lease, and sets nothing without one', async () => {
    const key = freshKey();
    const { client } = await postgres.connect();
    const setting = 'idle_in_transaction_session_timeout';
    await client.query('BEGIN');
    await store().record(freshKey(), long, { client });
    expect((await client.query(`SHOW ${setting}`)).rows).toEqual([{ [setting]: '0' }]);
    const errors: unknown[] = [];
    client.on('error', (error) => errors.push(error));
    const ended = new Promise((resolve) => client.once('end', resolve));
    await store().record(key, long, { client, lease: 1 });
    await ended;
    expect(errors[0]).toMatchObject({ code: '25P03' });
    expect(await handle(key)).toBe('claimed');
  });
});
