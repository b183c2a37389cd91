import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ConfigurationError } from 'payments-client';
import { type SqliteStore, sqliteStore } from 'payments-client/stores';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { anything } from '../support/anything.ts';
import { openAt, takeBack } from '../support/stores.ts';
import { temporaryFile } from '../support/temporary-file.ts';
import { describeStore } from './contract.ts';
import { entryOf } from './counted-attempts.ts';
import { claimOf, long } from './time.ts';
import { describeVelocityTime } from './velocity-time.ts';

describeStore('SQLite, by three connections to one file', false, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'payments-client-'));
  const open = () => sqliteStore(join(folder, 'store.db'));
  const stores = [open(), open(), open()] as const;
  const close = async () => {
    for (const store of stores) store.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { stores, close };
});

describeVelocityTime('SQLite', false, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'payments-client-'));
  const path = join(folder, 'store.db');
  const store = sqliteStore(path);
  ends.push(() => {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    store,
    setTime: (now) => {
      vi.useFakeTimers({ toFake: ['Date'], now });
      onTestFinished(() => void vi.useRealTimers());
    },
    bucketsOf: (key) => {
      const database = new DatabaseSync(path, { readOnly: true });
      const row = database.prepare('SELECT json_array_length(items) AS count FROM velocity WHERE key = ?');
      const { count } = row.get(`key ${key}`) ?? {};
      database.close();
      return Number(count);
    },
  };
});

const ends: (() => void)[] = [];
afterAll(() => {
  for (const end of ends) end();
});

const openUntilTestEnds = (path: string): SqliteStore => {
  const store = sqliteStore(path);
  onTestFinished(() => store.close());
  return store;
};

/** Returns the row count of a table, as another program reads it. */
function rowsIn(path: string, table: 'claim' | 'velocity'): number {
  const database = new DatabaseSync(path, { readOnly: true });
  const { count } = database.prepare(`SELECT count(*) AS count FROM ${table}`).get() ?? {};
  database.close();
  return Number(count);
}

/** Sets the clock of this process. Returns a function that lets time pass. */
function clockAt(time: number): (passes: number) => void {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: time });
  onTestFinished(() => void vi.useRealTimers());
  return (passes) => void vi.advanceTimersByTime(passes);
}

/** Sets the clock of the machine without letting time pass. */
const jump = (by: number) => void vi.setSystemTime(Date.now() + by);

const day = 86_400_000;

describe('the file of a store', () => {
  it('keeps everything when it is closed and reopened', async () => {
    const path = await temporaryFile();
    const first = sqliteStore(path);
    const { token } = claimOf(await first.claim('done', long, { data: 'd' }));
    await first.complete('done', token, long);
    await first.claim('open', long, { data: 'o' });
    await first.check('1', [entryOf('a', 5n), entryOf('b')]);
    await first.advance('a', 7, 'seventh');
    first.close();
    first.close();
    const second = openUntilTestEnds(path);
    expect(await second.claim('done', long)).toEqual({ status: 'completed', data: 'd' });
    expect(await openAt(second, 'open')).toMatchObject([{ key: 'open', data: 'o' }]);
    expect(await second.advance('a', 6, 'sixth')).toEqual({ version: 7, data: 'seventh' });
    await takeBack(second, '1', ['b']);
    expect(await second.check('2', [entryOf('a', 5n), entryOf('b')])).toMatchObject([
      { total: 10n },
      { total: 1n },
    ]);
  });

  it('is readable by its owner alone', async () => {
    const path = await temporaryFile();
    await openUntilTestEnds(path).claim('a', long);
    for (const file of [path, `${path}-wal`]) expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('fails once it is closed', async () => {
    const store = sqliteStore(await temporaryFile());
    store.close();
    await expect(store.claim('a', long)).rejects.toThrow(/not open/);
    await expect(openAt(store, 'a')).rejects.toThrow(Error);
  });

  it('fails if another process writes for longer than the timeout, and works afterwards', async () => {
    const path = await temporaryFile();
    const store = sqliteStore(path, { busyTimeout: 0 });
    onTestFinished(() => store.close());
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    await expect(store.claim('a', long)).rejects.toThrow('database is locked');
    other.exec('ROLLBACK');
    other.close();
    expect(await store.claim('a', long)).toMatchObject({ status: 'claimed', attempt: 1 });
  });

  it('rolls back an operation that fails midway', async () => {
    const store = openUntilTestEnds(await temporaryFile());
    const entries = [entryOf('a'), entryOf('b', 1n, { windowMs: anything('none') })];
    await expect(store.check('1', entries)).rejects.toThrow('cannot store TEXT value');
    expect(await store.check('1', [entryOf('a')])).toMatchObject([{ total: 1n }]);
  });
});

describe('expired records', () => {
  it('are deleted by later claims: completed ones after their retention, others after a week', async () => {
    const path = await temporaryFile();
    const pass = clockAt(Date.UTC(2026, 0, 1));
    const store = openUntilTestEnds(path);
    for (let index = 0; index < 8; index += 1) {
      const { token } = claimOf(await store.claim(`done ${index}`, long));
      await store.complete(`done ${index}`, token, day);
      await store.claim(`lapsed ${index}`, 1);
      await store.claim(`open/${index}`, 1, { data: '' });
    }
    pass(day);
    await store.claim('next', long);
    expect(rowsIn(path, 'claim')).toBe(8 + 8 + 1);
    pass(7 * day + 1);
    await store.claim('later', long);
    expect(rowsIn(path, 'claim')).toBe(8 + 2);
    expect((await store.open({ space: 'open', limit: 1 })).count).toBe(8);
  });

  it('are deleted after the retention of their release, unless they were claimed again', async () => {
    const path = await temporaryFile();
    const pass = clockAt(Date.UTC(2026, 0, 1));
    const store = openUntilTestEnds(path);
    for (const key of ['forgotten', 'claimed again']) {
      const { token } = claimOf(await store.claim(key, long, { data: key }));
      await store.release(key, token, { retention: day });
    }
    pass(day - 1);
    expect(await store.claim('claimed again', 1)).toMatchObject({ attempt: 2, data: 'claimed again' });
    expect(rowsIn(path, 'claim')).toBe(2);
    pass(1);
    await store.claim('next', long, { data: 'next' });
    expect(rowsIn(path, 'claim')).toBe(2);
    pass(700 * day);
    await store.claim('later', long);
    for (const key of ['claimed again', 'next']) expect(await openAt(store, key)).toHaveLength(1);
    expect(await openAt(store, 'forgotten')).toEqual([]);
  });

  it('are deleted in small batches', async () => {
    const path = await temporaryFile();
    const pass = clockAt(Date.UTC(2026, 0, 1));
    const store = openUntilTestEnds(path);
    for (let index = 0; index < 25; index += 1) await store.claim(`lapsed ${index}`, 1);
    pass(30 * day);
    await store.claim('next', long);
    expect(rowsIn(path, 'claim')).toBe(16);
  });

  it('of attempts are deleted when other attempts are counted', async () => {
    const path = await temporaryFile();
    const pass = clockAt(Date.UTC(2026, 0, 1));
    const store = openUntilTestEnds(path);
    await store.check('1', [entryOf('a', 1n, { windowMs: day })]);
    pass(day + day / 60);
    await store.check('2', [entryOf('b', 1n, { windowMs: day })]);
    expect(rowsIn(path, 'velocity')).toBe(2);
  });
});

describe('a clock that jumps', () => {
  const years = 401 * day;

  /** Returns a file with a completed, a released, a claimed and a leased key, and a way to open it again. */
  async function startFile() {
    const path = await temporaryFile();
    const pass = clockAt(Date.UTC(2026, 0, 1));
    const store = openUntilTestEnds(path);
    const { token } = claimOf(await store.claim('done', long, { data: 'result' }));
    await store.complete('done', token, 400 * day);
    const { token: released } = claimOf(await store.claim('refused', long, { data: 'r' }));
    await store.release('refused', released, { retention: 400 * day });
    await store.claim('lapsed', 1);
    await store.claim('leased', day);
    await store.check('1', [entryOf('a', 1n, { windowMs: day })]);
    return { path, pass, store, restart: () => openUntilTestEnds(path) };
  }

  it.each([
    { who: 'the process', isRestarted: false },
    { who: 'a restarted process', isRestarted: true },
  ])(
    '401 days ahead in $who ends no retention and no lease, and deletes nothing',
    async ({ isRestarted }) => {
      const { path, pass, store: first, restart } = await startFile();
      jump(years);
      const store = isRestarted ? restart() : first;
      for (const hours of [0, 12, 11.9]) {
        pass(hours * 3_600_000);
        expect(await store.claim('done', long, { data: 'new' })).toEqual({
          status: 'completed',
          data: 'result',
        });
        expect(await store.claim('leased', long)).toMatchObject({ status: 'in_progress' });
        await store.claim('next', 1);
        expect(rowsIn(path, 'claim')).toBe(5);
      }
      await store.check('2', [entryOf('b')]);
      expect(rowsIn(path, 'velocity')).toBe(4);
      expect(await store.claim('refused', long, { data: 'new' })).toMatchObject({ attempt: 2, data: 'r' });
    },
  );

  it('counts after 24 hours of the process', async () => {
    const { path, pass, store } = await startFile();
    jump(years);
    await store.claim('next', 1);
    pass(day);
    await store.claim('next', 1);
    expect(rowsIn(path, 'claim')).toBe(1);
    expect(await store.claim('done', long, { data: 'new' })).toMatchObject({ attempt: 1, data: 'new' });
  });

  it('counts only after 24 hours with the same jump', async () => {
    const { pass, store } = await startFile();
    for (const by of [years, -300 * day, 300 * day, -years]) {
      jump(by);
      expect(await store.claim('done', long)).toMatchObject({ status: 'completed' });
      pass(0.9 * day);
      expect(await store.claim('done', long)).toMatchObject({ status: 'completed' });
    }
  });

  it('ahead and back changes nothing, also for the next process', async () => {
    const { path, pass, store, restart } = await startFile();
    jump(years);
    await store.claim('next', 1);
    jump(-years);
    pass(399 * day);
    expect(await store.claim('done', long)).toMatchObject({ status: 'completed' });
    expect(await restart().claim('done', long)).toMatchObject({ status: 'completed' });
    pass(day);
    await store.claim('next', 1);
    expect(rowsIn(path, 'claim')).toBe(1);
  });

  it('back does not prolong a lease', async () => {
    const { pass, store, restart } = await startFile();
    jump(-30 * 3_600_000);
    expect(await restart().claim('leased', long)).toMatchObject({ status: 'in_progress', retryAfter: day });
    pass(day);
    expect(await store.claim('leased', long)).toMatchObject({ status: 'claimed', attempt: 2 });
    expect(await restart().claim('done', long)).toMatchObject({ status: 'completed' });
  });

  it('is none if the process just had nothing to do', async () => {
    const { path, pass, store } = await startFile();
    pass(years);
    await store.claim('next', 1);
    expect(rowsIn(path, 'claim')).toBe(1);
  });
});

describe('sqliteStore refuses', () => {
  it('a file in a folder that does not exist', async () => {
    const path = `${await temporaryFile()}/missing/store.db`;
    expect(() => sqliteStore(path)).toThrow(
      'sqliteStore.path: expected a file in a folder that exists and may be written, got one that cannot be opened (ENOENT). Create the folder, or pass another path.',
    );
  });

  it('a file of another program, and changes nothing', async () => {
    const path = await temporaryFile();
    const database = new DatabaseSync(path);
    database.exec('CREATE TABLE orders (id TEXT)');
    database.close();
    const before = readFileSync(path);
    expect(() => sqliteStore(path)).toThrow(
      'sqliteStore.path: expected a new file, or one of this store (version 2), got a database of another program. Give the store a file of its own.',
    );
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('a file that is not a database', async () => {
    const path = await temporaryFile();
    writeFileSync(path, 'to be read by nobody '.repeat(100));
    expect(() => sqliteStore(path)).toThrow(
      /^sqliteStore\.path: expected .+, got a file that SQLite refuses: file is not a database/,
    );
  });

  it.each([0, 1, 3])('a file whose tables have version %i, and changes nothing', async (version) => {
    const path = await temporaryFile();
    sqliteStore(path).close();
    const database = new DatabaseSync(path);
    database.exec(`PRAGMA user_version = ${version}`);
    database.close();
    const before = readFileSync(path);
    expect(() => sqliteStore(path)).toThrow(
      `sqliteStore.path: expected a new file, or one of this store (version 2), got one whose tables have version ${version}. Give the store a file of its own.`,
    );
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it.each(['', ':memory:', 'file:store.db', 'a\0', 5, undefined])('the path %j', (path) => {
    expect(() => sqliteStore(anything(path))).toThrow(/^sqliteStore\.path: expected the path of a file, got/);
  });

  it('invalid options', () => {
    expect(() => sqliteStore('store.db', anything({ busyTimeout: -1 }))).toThrow(
      'sqliteStore.busyTimeout: expected an integer from 0 to 2147483647, in ms, got the number -1',
    );
    expect(() => sqliteStore('store.db', anything({ timeout: 1 }))).toThrow(ConfigurationError);
  });

  it('a runtime without node:sqlite', async () => {
    const path = await temporaryFile();
    vi.spyOn(process, 'getBuiltinModule').mockImplementation(() => undefined);
    expect(() => sqliteStore(path)).toThrow(
      'sqliteStore: expected a runtime with node:sqlite, such as Node 22.13 or later, got another. Use redisStore or postgresStore here, with a client that this runtime has.',
    );
  });
});
