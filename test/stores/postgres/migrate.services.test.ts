/** The tables of the store: created, repaired, refused, and named by the merchant. */

import { ConfigurationError } from 'payments-client';
import { createJournal } from 'payments-client/journal';
import { type PostgresClient, type PostgresStore, postgresStore } from 'payments-client/stores';
import { createTestClient } from 'payments-client-sandbox/testing';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { openAt, takeBack } from '../../support/stores.ts';
import { entryOf } from '../attempts.ts';
import { claimOf, freshKey, long } from '../time.ts';
import { outcomeOf, usePostgres } from './database.ts';

const postgres = usePostgres('postgres/migrate');

describe.skipIf(postgres.isSkipped)(`migrate${postgres.why}`, () => {
  const storeOf = (table: string) => postgresStore(postgres.pool(), { table });
  const rowsOf = async (query: string) => (await postgres.pool().query(query)).rows;

  /** Every operation of a store, so that each object is used. */
  const useAll = async (store: PostgresStore, client: PostgresClient = postgres.pool()) => {
    const key = freshKey();
    claimOf(await store.claim(key, long, { data: 'data' }));
    expect(await openAt(store, key)).toMatchObject([{ key }]);
    claimOf(await store.record(freshKey(), long, { client }));
    await store.check(key, [entryOf(key)]);
    await takeBack(store, key, [key]);
    await store.advance(key, 1, 'data');
    await store.save(key, 0, 'data', { references: [key], wakeAt: 1 });
    expect([await store.load(key), await store.lookUp(key)]).toEqual([{ version: 1, data: 'data' }, key]);
    expect(await store.due({ space: key, until: 1, limit: 1 })).toEqual([{ key, wakeAt: 1 }]);
    await store.purge();
  };

  it('creates the tables, in many concurrent processes', async () => {
    const stores = Array.from({ length: 8 }, () => storeOf('made_by_many'));
    await Promise.all(stores.map((store) => store.migrate()));
    for (const store of stores) await store.migrate();
    await useAll(storeOf('made_by_many'));
  });

  it('is named by a call without its tables, also through a journal', async () => {
    const store = storeOf('never_migrated');
    const { payments } = createTestClient({ client: { journal: createJournal({ store }) } });
    const params = { amount: 1200, currency: 'usd' };
    for (const call of [
      () => store.claim('evt_1', long),
      () => store.record('evt_1', long, { client: postgres.pool() }),
      () => store.check('1', []),
      () => store.advance('evt_1', 1, ''),
      () => store.load('evt_1'),
      () => store.save('evt_1', 0, '', { wakeAt: null }),
      () => store.lookUp('evt_1'),
      () => store.due({ space: 'evt_1', until: 1, limit: 1 }),
      () => payments.paymentIntents.create(params, { operationId: 'order-1' }),
    ]) {
      const { message } = await failureOf(call(), ConfigurationError);
      expect(message).toMatch(/expected the table "never_migrated".+ Call await store\.migrate\(\)/);
    }
  });

  it('passes the error of a function that the server lacks to the caller of migrate', async () => {
    const error = Object.assign(new Error('function num_nulls does not exist'), { code: '42883' });
    await expect(postgresStore({ query: () => Promise.reject(error) }).migrate()).rejects.toBe(error);
  });

  it('takes no lock if the tables are current', async () => {
    const store = storeOf('in_use');
    await store.migrate();
    const { client } = await postgres.connect();
    await client.query('BEGIN');
    await client.query('LOCK TABLE in_use, in_use_velocity IN ACCESS EXCLUSIVE MODE');
    await store.migrate();
    await client.query('ROLLBACK');
  });

  it.each([
    'DROP INDEX restored_listed',
    'DROP INDEX restored_due',
    'ALTER TABLE restored DROP CONSTRAINT restored_pkey',
    'ALTER TABLE restored_velocity DROP CONSTRAINT restored_velocity_pkey',
    'ALTER TABLE restored_snapshots DROP CONSTRAINT restored_snapshots_pkey',
    'ALTER TABLE restored_documents DROP CONSTRAINT restored_documents_pkey',
    'ALTER TABLE restored_references DROP CONSTRAINT restored_references_pkey',
    'DROP TABLE restored',
    'DROP TABLE restored_velocity',
    'DROP TABLE restored_snapshots',
    'DROP TABLE restored_documents',
    'DROP TABLE restored_references',
    'DROP FUNCTION restored_record',
    'DROP FUNCTION restored_check',
    'DROP FUNCTION restored_save',
    'DROP FUNCTION restored_open_page',
    'DROP FUNCTION restored_due_page',
    'DROP FUNCTION restored_server',
  ])('repairs what a restore lacks: %s', async (lacks) => {
    const store = storeOf('restored');
    await store.migrate();
    const objects = () =>
      rowsOf(`SELECT indexrelid::regclass::text AS name FROM pg_index WHERE indexrelid::regclass::text LIKE 'restored%'
        UNION SELECT oid::regprocedure::text FROM pg_proc WHERE proname LIKE 'restored%' ORDER BY name`);
    const before = await objects();
    expect(before).toHaveLength(13);
    await postgres.pool().query(lacks);
    await store.migrate();
    expect(await objects()).toEqual(before);
    await useAll(store);
  });

  it.each([
    'ALTER TABLE added DROP COLUMN listed',
    'ALTER TABLE added DROP COLUMN listed, DROP COLUMN data',
    'ALTER TABLE added_documents DROP COLUMN token',
    'ALTER TABLE added_documents DROP COLUMN wake_at',
  ])('adds what tables of an earlier form lack, and keeps their rows: %s', async (lacks) => {
    const [store, key] = [storeOf('added'), freshKey()];
    await store.migrate();
    await store.claim(key, long, { token: 'mine' });
    await store.save(key, 0, 'data', { wakeAt: null });
    await postgres.pool().query(lacks);
    await store.migrate();
    expect(await store.claim(key, long)).toMatchObject({ status: 'in_progress' });
    expect(await store.load(key)).toEqual({ version: 1, data: 'data' });
    await useAll(store);
  });

  it('needs no right to create if all is there, even without its comment', async () => {
    const table = 'granted.claims';
    const suffixes = ['', '_velocity', '_snapshots', '_documents', '_references'];
    const names = suffixes.map((suffix) => table + suffix).join(', ');
    await postgres.pool().query('CREATE SCHEMA granted; CREATE ROLE merchant LOGIN');
    const merchant = new pg.Pool({ ...postgres.server().connection, user: 'merchant', max: 1 });
    onTestFinished(() => merchant.end());
    const store = postgresStore(merchant, { table });
    await postgres.pool().query(store.schema);
    await postgres.pool().query(`COMMENT ON TABLE ${table} IS NULL; GRANT USAGE ON SCHEMA granted TO merchant;
      GRANT SELECT, INSERT, UPDATE, DELETE ON ${names} TO merchant`);
    await store.migrate();
    await useAll(store, merchant);
    await postgres.pool().query('DROP INDEX granted.claims_listed');
    expect(await outcomeOf(store.migrate())).toBe('42501');
  });

  it.each([
    [
      'something else',
      'COMMENT ON TABLE refused IS NULL',
      'without "refused".token, "refused".listed',
      /If the store has used it before, restore it from a backup: .+ Otherwise give the store tables of its own, with the option 'table'\.$/,
    ],
    [
      'an older version',
      `COMMENT ON TABLE refused IS 'payments-client store, version 0'`,
      'one of version 0',
      /Keep its records: .+ An earlier version of payments-client wrote them: go back to it, [^']+\.$/,
    ],
    [
      'a newer version',
      `COMMENT ON TABLE refused IS 'payments-client store, version 10'`,
      'one of version 10',
      /Keep its records: .+ A newer version of payments-client wrote them: install that one in each process\.$/,
    ],
  ])('refuses tables of %s, and changes nothing', async (_what, change, received, advice) => {
    await storeOf('refused').migrate();
    await postgres.pool().query(change);
    const isOther = change.includes('NULL');
    if (isOther) await postgres.pool().query('ALTER TABLE refused DROP COLUMN token, DROP COLUMN listed');
    const state = () =>
      rowsOf(
        `SELECT attname, obj_description('refused'::regclass) FROM pg_attribute WHERE attrelid = 'refused'::regclass`,
      );
    const before = await state();
    const { issues, message } = await failureOf(storeOf('refused').migrate(), ConfigurationError);
    expect(issues).toMatchObject([
      { path: 'postgresStore.table', received: expect.stringContaining(received) },
    ]);
    expect(message).toMatch(advice);
    expect(await state()).toEqual(before);
    await postgres
      .pool()
      .query(
        'DROP TABLE refused, refused_velocity, refused_snapshots, refused_documents, refused_references',
      );
  });

  it.each(['Events', 'select', 'shop.Webhook_Events', `t${'x'.repeat(51)}`, `shop.${'t'.repeat(52)}`, '_1'])(
    'also works as a script, repeatedly, for the table %s',
    async (table) => {
      await postgres.pool().query('CREATE SCHEMA IF NOT EXISTS shop');
      const store = storeOf(table);
      for (const _time of [1, 2]) await postgres.pool().query(store.schema);
      await useAll(store);
    },
  );

  it('keeps tables of one name in two schemas apart', async () => {
    await postgres.pool().query('CREATE SCHEMA one; CREATE SCHEMA two');
    for (const table of ['one.events', 'two.events']) {
      await storeOf(table).migrate();
      expect(await storeOf(table).claim('evt_1', long)).toMatchObject({ attempt: 1 });
    }
    const indexes = await rowsOf(`SELECT schemaname FROM pg_indexes WHERE indexname = 'events_listed'`);
    expect(indexes.map(({ schemaname }) => schemaname).sort()).toEqual(['one', 'two']);
  });
});
