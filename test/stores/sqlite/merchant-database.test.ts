import { DatabaseSync } from 'node:sqlite';
import { runInNewContext } from 'node:vm';
import { ConfigurationError } from 'payments-client';
import { sqliteStore } from 'payments-client/stores';
import { describe, expect, it, onTestFinished } from 'vitest';
import { anything } from '../../support/anything.ts';
import { failureOf } from '../../support/failure.ts';
import { temporaryFile } from '../../support/temporary-file.ts';
import { long } from '../time.ts';

/** Opens a database of a merchant until the test ends. */
function open(path = ':memory:', options = {}): DatabaseSync {
  const database = new DatabaseSync(path, options);
  onTestFinished(() => {
    if (database.isOpen) database.close();
  });
  return database;
}

const settingOf = (database: DatabaseSync, name: string) =>
  Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];

const settingsOf = (database: DatabaseSync) =>
  ['application_id', 'user_version', 'journal_mode', 'synchronous', 'busy_timeout'].map((name) =>
    settingOf(database, name),
  );

/** Uses each table of a store. */
async function use(store: ReturnType<typeof sqliteStore>): Promise<void> {
  expect(await store.claim('a', long, { data: 'd' })).toMatchObject({ status: 'claimed' });
  expect(await store.claim('a', long)).toMatchObject({ status: 'in_progress', data: 'd' });
  expect((await store.open({ space: 'a', limit: 9 })).claims).toMatchObject([{ key: 'a', attempt: 1 }]);
  expect((await store.scan({ space: 'a', limit: 9 })).found).toEqual([{ key: 'a', data: 'd' }]);
  expect(await store.advance('a', 2, 'snapshot')).toMatchObject({ advanced: true });
  expect(await store.advance('a', 1, 'older')).toMatchObject({ current: { version: 2 } });
  const entry = { key: 'k', amount: 1n, limit: 9n, windowMs: long, blocks: true, token: 't' };
  expect(await store.check('1', [entry])).toMatchObject([{ total: 1n }]);
  expect(await store.check('2', [entry])).toMatchObject([{ total: 2n }]);
  expect(await store.save('a', 0, 'document', { references: ['r'], wakeAt: 7 })).toBe(true);
  expect(await store.load('a')).toEqual({ version: 1, data: 'document' });
  expect(await store.lookUp('r')).toBe('a');
  expect(await store.due({ space: 'a', until: 7, limit: 1 })).toEqual([{ key: 'a', wakeAt: 7 }]);
}

describe('the database of a merchant', () => {
  it('keeps its marks, its tables and its journal mode, and stays open', async () => {
    const database = open(await temporaryFile());
    database.exec(`CREATE TABLE claim (id); INSERT INTO claim VALUES (1);
      PRAGMA application_id = 7; PRAGMA user_version = 42; PRAGMA synchronous = EXTRA; PRAGMA busy_timeout = 3`);
    const before = settingsOf(database);
    const store = sqliteStore(database, { busyTimeout: 99 });
    expect(store.client).toBe(database);
    await use(store);
    store.close();
    expect(settingsOf(database)).toEqual(before);
    expect(database.prepare('SELECT * FROM claim').all()).toEqual([{ id: 1 }]);
  });

  it('gets only tables and indexes whose names start with payments_', () => {
    const database = open();
    sqliteStore(database);
    const all = database.prepare("SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'").all();
    expect(all.map(({ name }) => name).toSorted()).toEqual([
      'payments_claims',
      'payments_claims_forget',
      'payments_claims_open',
      'payments_documents',
      'payments_documents_due',
      'payments_references',
      'payments_snapshots',
      'payments_store',
      'payments_velocity',
      'payments_velocity_forget',
    ]);
  });

  it('syncs each commit to disk, and waits for other processes, if it did not', () => {
    for (const mode of ['OFF', 'NORMAL']) {
      const database = open();
      database.exec(`PRAGMA synchronous = ${mode}`);
      sqliteStore(database, { busyTimeout: 1234 });
      expect([settingOf(database, 'synchronous'), settingOf(database, 'busy_timeout')]).toEqual([2, 1234]);
    }
  });

  it('may return bigints and arrays by default', async () => {
    await use(sqliteStore(open(':memory:', { readBigInts: true, returnArrays: true })));
  });

  it('may come from another realm, as in Jest', async () => {
    const database = open();
    const foreign = runInNewContext(
      `({ get isTransaction() { return database.isTransaction; },
        exec: (sql) => database.exec(sql), prepare: (sql) => database.prepare(sql) })`,
      { database },
    );
    await use(sqliteStore(foreign));
  });

  it('has the records again for the next store, by a connection or by another', async () => {
    const path = await temporaryFile();
    const database = open(path);
    await use(sqliteStore(database));
    for (const again of [database, open(path)]) {
      expect(await sqliteStore(again).load('a')).toEqual({ version: 1, data: 'document' });
    }
  });

  it('gets back a table that a restore left out', async () => {
    const database = open();
    await use(sqliteStore(database));
    database.exec('DROP TABLE payments_velocity');
    const store = sqliteStore(database);
    expect(await store.load('a')).toEqual({ version: 1, data: 'document' });
    await store.check('1', [{ key: 'k', amount: 1n, limit: 9n, windowMs: long, blocks: true, token: 't' }]);
  });

  it('keeps an open transaction, which no call joins, ends or reads', async () => {
    const database = open();
    const store = sqliteStore(database);
    database.exec('CREATE TABLE orders (id); BEGIN; INSERT INTO orders VALUES (1)');
    for (const call of [
      () => store.claim('a', long),
      () => store.renew('a', 't', long),
      () => store.complete('a', 't', long),
      () => store.release('a', 't'),
      () => store.find('a'),
      () => store.open({ space: 'a', limit: 1 }),
      () => store.scan({ space: 'a', limit: 1 }),
      () => store.replace('a', 'x', 'y'),
      () => store.advance('a', 1, 'x'),
      () => store.load('a'),
      () => store.save('a', 0, 'x', { wakeAt: null }),
      () => store.lookUp('a'),
      () => store.due({ space: 'a', until: 1, limit: 1 }),
      () => store.check('1', []),
      () => store.transaction(() => 1),
      async () => sqliteStore(database),
    ]) {
      const { message } = await failureOf(call(), ConfigurationError);
      expect(message).toMatch(/^sqliteStore\.database: expected no open transaction .+ Commit it first, or/);
      expect(database.isTransaction).toBe(true);
    }
    database.exec('ROLLBACK');
    expect(database.prepare('SELECT * FROM orders').all()).toEqual([]);
    expect(await store.claim('a', long)).toMatchObject({ status: 'claimed' });
  });
});

describe('sqliteStore refuses', () => {
  const refusal = /^sqliteStore\.database: expected .+, got .+\. .+\.$/;

  it.each([
    'CREATE TABLE payments_documents (id TEXT)',
    'CREATE TABLE Payments_Claims (key TEXT)',
    'CREATE VIEW payments_references AS SELECT 1',
    'CREATE TABLE payments_store (version INTEGER); INSERT INTO payments_store VALUES (3)',
    'CREATE TABLE a (b); CREATE INDEX payments_claims_open ON a (b)',
  ])('a table of the same name, and changes nothing: %s', (sql) => {
    const database = open();
    database.exec(sql);
    const schema = () => database.prepare('SELECT name, sql FROM sqlite_schema').all();
    const before = schema();
    expect(() => sqliteStore(database)).toThrow(refusal);
    expect(() => sqliteStore(database)).toThrow(/got one with another payments_.+ restore it from a backup/);
    expect([schema(), database.isTransaction]).toEqual([before, false]);
  });

  it('tables of another version', () => {
    const database = open();
    sqliteStore(database);
    database.exec('UPDATE payments_store SET version = 4');
    expect(() => sqliteStore(database)).toThrow(
      /\(version 3\), got one whose tables have version 4\. Keep its records: .+ install that one in each process\.$/,
    );
  });

  it('a database in UTF-16, which sorts keys otherwise', () => {
    const database = open();
    database.exec("PRAGMA encoding = 'UTF-16le'; CREATE TABLE a (b)");
    expect(() => sqliteStore(database)).toThrow(/expected a database in UTF-8, got one in UTF-16le/);
  });

  it.each<[what: string, value: unknown]>([
    ['an object', {}],
    ['a database without isTransaction', { exec() {}, prepare() {} }],
    ['a database of another package', { exec() {}, prepare() {}, inTransaction: false }],
  ])('%s', (_what, value) => {
    expect(() => sqliteStore(anything(value))).toThrow(/expected a DatabaseSync .+22\.16 on, got an object/);
  });

  it('by its path a database that has other tables, and says how to pass it', async () => {
    const path = await temporaryFile();
    sqliteStore(open(path));
    expect(() => sqliteStore(path)).toThrow(/another program\. .+ or pass your DatabaseSync\.$/);
  });
});
