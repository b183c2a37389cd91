import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ConfigurationError } from 'payments-client';
import { type SqliteStore, sqliteStore } from 'payments-client/stores';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { anything } from '../support/anything.ts';
import { openAt, takeBack } from '../support/stores.ts';
import { temporaryFile } from '../support/temporary-file.ts';
import { entryOf } from './attempts.ts';
import { describeStore } from './contract.ts';
import { transactAtOnce } from './documents.ts';
import { day, handle, long, start } from './time.ts';

/** Returns what a query finds in a file, as another program reads it. */
function readIn(path: string, query: string, ...values: string[]): number {
  const database = new DatabaseSync(path, { readOnly: true });
  const { found } = database.prepare(query).get(...values) ?? {};
  database.close();
  return Number(found);
}

const rowsIn = (path: string, table: 'claims' | 'velocity') =>
  readIn(path, `SELECT count(*) AS found FROM payments_${table}`);

/** Sets the clocks of this process. */
const fakeClocks = (now: number) => vi.useFakeTimers({ toFake: ['Date', 'performance'], now });

describeStore('SQLite, by three connections to one file', false, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'payments-client-'));
  const path = join(folder, 'store.db');
  fakeClocks(start);
  const stores = [sqliteStore(path), sqliteStore(path), sqliteStore(path)] as const;
  return {
    stores,
    transact: transactAtOnce(stores[2]),
    setTime: (now) => vi.advanceTimersByTime(now - Date.now()),
    kept: async (key) => {
      // Each call deletes up to ten records.
      for (let count = 0; count < 3; count += 1) await stores[1].claim(`next/${count}`, 1);
      return readIn(path, 'SELECT count(*) AS found FROM payments_claims WHERE key = ?', key) === 1;
    },
    bucketsOf: (key) =>
      readIn(
        path,
        'SELECT json_array_length(items) AS found FROM payments_velocity WHERE key = ?',
        `key ${key}`,
      ),
    close: () => {
      vi.useRealTimers();
      for (const store of stores) store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
});

/** Opens a file until the test ends. */
function open(path: string, options = {}): SqliteStore {
  const store = sqliteStore(path, options);
  onTestFinished(() => store.close());
  return store;
}

/** Opens a new file, with clocks that the test moves. */
async function startFile() {
  const path = await temporaryFile();
  fakeClocks(start);
  onTestFinished(() => void vi.useRealTimers());
  return {
    path,
    store: open(path),
    restart: () => open(path),
    pass: (ms: number) => void vi.advanceTimersByTime(ms),
    /** Sets the clock of the machine without letting time pass. */
    jump: (ms: number) => void vi.setSystemTime(Date.now() + ms),
  };
}

describe('the file of a store', () => {
  it('lists every open key of a machine whose clock starts at 1970', async () => {
    fakeClocks(0);
    onTestFinished(() => void vi.useRealTimers());
    const store = open(await temporaryFile());
    await store.claim('A/1', long, { data: 'd' });
    expect((await store.open({ space: 'A', limit: 1 })).claims).toMatchObject([{ key: 'A/1', since: 0 }]);
  });

  it('keeps everything when it is closed and reopened', async () => {
    const path = await temporaryFile();
    const first = sqliteStore(path);
    await handle(first, 'done', long, 'd');
    await first.claim('open', long, { data: 'o' });
    await first.check('1', [entryOf('a', 5n), entryOf('b')]);
    await first.advance('a', 7, 'seventh');
    first.close();
    first.close();
    const second = open(path);
    expect(await second.claim('done', long)).toEqual({ status: 'completed', data: 'd' });
    expect(await openAt(second, 'open')).toMatchObject([{ key: 'open', data: 'o' }]);
    expect(await second.advance('a', 6, 'sixth')).toMatchObject({
      advanced: false,
      current: { version: 7, data: 'seventh' },
    });
    await takeBack(second, '1', ['b']);
    const entries = [entryOf('a', 5n), entryOf('b')];
    expect(await second.check('2', entries)).toMatchObject([{ total: 10n }, { total: 1n }]);
  });

  it('is readable by its owner alone', async () => {
    const path = await temporaryFile();
    await open(path).claim('a', long);
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
    const store = open(path, { busyTimeout: 0 });
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    await expect(store.claim('a', long)).rejects.toThrow('database is locked');
    other.exec('ROLLBACK');
    other.close();
    expect(await store.claim('a', long)).toMatchObject({ status: 'claimed', attempt: 1 });
  });

  it('rolls back an operation that fails midway', async () => {
    const store = open(await temporaryFile());
    const entries = [entryOf('a'), entryOf('b', 1n, { windowMs: anything('none') })];
    await expect(store.check('1', entries)).rejects.toThrow('cannot store TEXT value');
    expect(await store.check('1', [entryOf('a')])).toMatchObject([{ total: 1n }]);
  });
});

it('lists what was claimed by a clock that stood at 1970, whatever its key', async () => {
  fakeClocks(0);
  onTestFinished(() => void vi.useRealTimers());
  const store = open(await temporaryFile());
  await store.claim('A/1', long, { data: 'd' });
  expect(await store.open({ space: 'A', limit: 1 })).toMatchObject({ claims: [{ key: 'A/1', since: 0 }] });
});

describe('later calls delete', () => {
  it('at most 10 records each', async () => {
    const { path, pass, store } = await startFile();
    for (let index = 0; index < 12; index += 1) await store.claim(`lapsed ${index}`, 1);
    pass(30 * day);
    await store.claim('next', long);
    expect(rowsIn(path, 'claims')).toBe(12 + 1 - 10);
  });

  it('attempts after their window and one bucket', async () => {
    const { path, pass, store } = await startFile();
    await store.check('1', [entryOf('a', 1n, { windowMs: day })]);
    pass(day + day / 60 - 1);
    await store.check('2', [entryOf('b', 1n, { windowMs: day })]);
    expect(rowsIn(path, 'velocity')).toBe(4);
    pass(1);
    await store.check('3', [entryOf('b', 1n, { windowMs: day })]);
    expect(rowsIn(path, 'velocity')).toBe(3);
  });
});

describe('a clock that jumps', () => {
  const years = 401 * day;

  /** Starts a file with a completed, a released, a claimed and a leased key. */
  async function filled() {
    const file = await startFile();
    const { store } = file;
    await handle(store, 'done', 400 * day, 'result');
    await store.claim('refused', long, { data: 'r', token: 'mine' });
    await store.release('refused', 'mine', { retention: 400 * day });
    await store.claim('lapsed', 1);
    await store.claim('leased', day);
    await store.check('1', [entryOf('a', 1n, { windowMs: day })]);
    return file;
  }

  it.each([
    { who: 'the process', isRestarted: false },
    { who: 'a restarted process', isRestarted: true },
  ])(
    '401 days ahead in $who ends no retention and no lease, and deletes nothing',
    async ({ isRestarted }) => {
      const { path, pass, jump, store: first, restart } = await filled();
      jump(years);
      const store = isRestarted ? restart() : first;
      for (const hours of [0, 12, 11.9]) {
        pass(hours * long);
        expect(await store.claim('done', long, { data: 'new' })).toEqual({
          status: 'completed',
          data: 'result',
        });
        expect(await store.claim('leased', long)).toMatchObject({ status: 'in_progress' });
        await store.claim('next', 1);
        expect(rowsIn(path, 'claims')).toBe(5);
      }
      await store.check('2', [entryOf('b')]);
      expect(rowsIn(path, 'velocity')).toBe(4);
      expect(await store.claim('refused', long, { data: 'new' })).toMatchObject({ attempt: 2, data: 'r' });
    },
  );

  it('counts after 24 hours of the process', async () => {
    const { path, pass, jump, store } = await filled();
    jump(years);
    await store.claim('next', 1);
    pass(day);
    await store.claim('next', 1);
    expect(rowsIn(path, 'claims')).toBe(1);
    expect(await store.claim('done', long, { data: 'new' })).toMatchObject({ attempt: 1, data: 'new' });
  });

  it('counts at once if it is a day or less', async () => {
    const { jump, store } = await filled();
    jump(day - 1);
    expect(await store.claim('leased', long)).toMatchObject({ status: 'in_progress', retryAfter: 1 });
    jump(day + 1);
    expect(await store.claim('leased', long)).toMatchObject({ status: 'in_progress', retryAfter: 1 });
    jump(-1);
    expect(await store.claim('leased', long)).toMatchObject({ status: 'claimed', attempt: 2 });
  });

  it('counts only after 24 hours with the same jump', async () => {
    const { pass, jump, store } = await filled();
    for (const by of [years, -300 * day, 300 * day, -years]) {
      jump(by);
      expect(await store.claim('done', long)).toMatchObject({ status: 'completed' });
      pass(0.9 * day);
      expect(await store.claim('done', long)).toMatchObject({ status: 'completed' });
    }
  });

  it('ahead and back changes nothing, also for the next process', async () => {
    const { path, pass, jump, store, restart } = await filled();
    jump(years);
    await store.claim('next', 1);
    jump(-years);
    pass(399 * day);
    expect(await store.claim('done', long)).toMatchObject({ status: 'completed' });
    expect(await restart().claim('done', long)).toMatchObject({ status: 'completed' });
    pass(day);
    await store.claim('next', 1);
    expect(rowsIn(path, 'claims')).toBe(1);
  });

  it('back does not prolong a lease', async () => {
    const { pass, jump, store, restart } = await filled();
    jump(-30 * long);
    expect(await restart().claim('leased', long)).toMatchObject({ status: 'in_progress', retryAfter: day });
    pass(day);
    expect(await store.claim('leased', long)).toMatchObject({ status: 'claimed', attempt: 2 });
    expect(await restart().claim('done', long)).toMatchObject({ status: 'completed' });
  });

  it('back prolongs no lease for a process that starts later', async () => {
    const { pass, jump, store, restart } = await filled();
    pass(10 * long);
    await store.claim('next', 1);
    jump(-9 * long);
    const rest = { status: 'in_progress', retryAfter: day - 10 * long };
    expect(await restart().claim('leased', long)).toMatchObject(rest);
  });

  it('is none if the process just had nothing to do', async () => {
    const { path, pass, store } = await filled();
    pass(years);
    await store.claim('next', 1);
    expect(rowsIn(path, 'claims')).toBe(1);
  });
});

describe('sqliteStore refuses', () => {
  const refusal = { name: 'ConfigurationError' };
  const refuse = (path: string, received: RegExp) => {
    expect(() => sqliteStore(path)).toThrow(expect.objectContaining(refusal));
    expect(() => sqliteStore(path)).toThrow(received);
  };

  it('a file in a folder that does not exist', async () => {
    refuse(
      `${await temporaryFile()}/missing/store.db`,
      /^sqliteStore\.path: .+ \(ENOENT\)\. Create the folder/,
    );
  });

  const withVersion = (version: number) => (path: string) => {
    sqliteStore(path).close();
    new DatabaseSync(path).exec(`UPDATE payments_store SET version = ${version}`);
  };

  const [foreign, newer, earlier] = [
    'If the store has used it before, restore it from a backup: .+ Otherwise give the store a file of its own, or pass your DatabaseSync\\.$',
    'Keep its records: .+ A newer version .+ wrote them: install that one in each process\\.$',
    'Keep its records: .+ An earlier version .+ wrote them: go back to it, .+\\.$',
  ];

  it.each<[what: string, write: (path: string) => void, received: string, advice: string]>([
    [
      'of another program',
      (path) => new DatabaseSync(path).exec('CREATE TABLE orders (id TEXT)'),
      'another program',
      foreign,
    ],
    [
      'that is not a database',
      (path) => writeFileSync(path, 'to be read by nobody '.repeat(99)),
      'file is not a database',
      foreign,
    ],
    [
      'with the names of an earlier version',
      (path) =>
        new DatabaseSync(path).exec('CREATE TABLE claim (key TEXT); PRAGMA application_id = 0x70617973'),
      'earlier version',
      earlier,
    ],
    ['whose tables have version 0', withVersion(0), 'version 0', earlier],
    ['whose tables have version 1', withVersion(1), 'version 1', earlier],
    ['whose tables have version 4', withVersion(4), 'version 4', newer],
  ])('a file %s, says what to do, and changes nothing', async (_what, write, received, advice) => {
    const path = await temporaryFile();
    write(path);
    const before = readFileSync(path);
    const expected = 'sqliteStore\\.path: expected a new file, or one of this store \\(version 3\\)';
    refuse(path, new RegExp(`^${expected}, got .*${received}\\b.*\\. ${advice}`));
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it.each(['', ':memory:', 'file:store.db', 'a\0', 5, undefined])('the path %j', (path) => {
    refuse(anything(path), /^sqliteStore\.path: expected the path of a file, got/);
  });

  it('invalid options', () => {
    const withOptions = (options: object) => () => sqliteStore('store.db', anything(options));
    expect(withOptions({ busyTimeout: -1 })).toThrow(/^sqliteStore\.busyTimeout: expected an integer from 0/);
    expect(withOptions({ timeout: 1 })).toThrow(ConfigurationError);
  });

  it('a runtime without node:sqlite, and names other stores', async () => {
    const path = await temporaryFile();
    vi.spyOn(process, 'getBuiltinModule').mockImplementation(() => undefined);
    refuse(path, /node:sqlite.+redisStore or postgresStore/);
  });
});
