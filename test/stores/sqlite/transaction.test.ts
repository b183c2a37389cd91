import { DatabaseSync } from 'node:sqlite';
import { runInNewContext } from 'node:vm';
import { ConfigurationError } from 'payments-client';
import { memoryStore, redisStore, type SqliteStore, sqliteStore } from 'payments-client/stores';
import { describe, expect, it, onTestFinished } from 'vitest';
import { anything } from '../../support/anything.ts';
import { failureOf } from '../../support/failure.ts';
import { temporaryFile } from '../../support/temporary-file.ts';

type Documents = Parameters<Parameters<SqliteStore['transaction']>[0]>[1];

const never = { wakeAt: null };

/** Returns a store in a merchant's database, which has orders. */
async function open() {
  const database = new DatabaseSync(await temporaryFile());
  onTestFinished(() => database.close());
  database.exec('CREATE TABLE orders (id TEXT NOT NULL, shipped INTEGER NOT NULL)');
  const shipped = () => database.prepare('SELECT id FROM orders WHERE shipped').all().length;
  const ship = (id: string | null) => database.prepare('INSERT INTO orders VALUES (?, 1)').run(id);
  return { database, store: sqliteStore(database), shipped, ship };
}

describe('a transaction of SQLite', () => {
  it('commits rows and documents together, and returns the result', async () => {
    const { store, shipped, database } = await open();
    await store.save('a', 0, 'one', { references: ['r'], wakeAt: 1 });
    const result = await store.transaction((client, documents) => {
      expect(client).toBe(database);
      expect(documents.load('a')).toEqual({ version: 1, data: 'one' });
      expect(documents.load('b')).toBeUndefined();
      client.prepare('INSERT INTO orders VALUES (?, 1)').run('o');
      expect(documents.save('a', 1, 'two', { references: ['s'], wakeAt: 2 })).toBe(true);
      expect(documents.save('a', 1, 'three', never)).toBe(false);
      return documents.load('a');
    });
    expect(result).toEqual({ version: 2, data: 'two' });
    expect([await store.load('a'), await store.lookUp('s'), shipped()]).toEqual([result, 'a', 1]);
    expect(await store.due({ space: 'a', until: 9, limit: 9 })).toEqual([{ key: 'a', wakeAt: 2 }]);
  });

  it('rolls both back if the function throws, and rejects with the same value', async () => {
    const { store, shipped, ship } = await open();
    const thrown = { anything: 'but an error' };
    const failing = store.transaction((_client, documents) => {
      ship('o');
      documents.save('a', 0, 'one', { references: ['r'], wakeAt: 1 });
      throw thrown;
    });
    await expect(failing).rejects.toBe(thrown);
    expect([await store.load('a'), await store.lookUp('r'), shipped()]).toEqual([undefined, undefined, 0]);
    expect(await store.save('a', 0, 'next', never)).toBe(true);
  });

  it('passes the client of the store, also that of a file', async () => {
    const store = sqliteStore(await temporaryFile());
    await store.transaction((client) => {
      expect(client).toBe(store.client);
      client.exec("CREATE TABLE orders (id TEXT); INSERT INTO orders VALUES ('o')");
    });
    expect(store.client.prepare('SELECT id FROM orders').all()).toMatchObject([{ id: 'o' }]);
    store.close();
    expect(() => store.client.exec('SELECT 1')).toThrow('not open');
  });

  it('goes on after STORE_REFERENCE_TAKEN', async () => {
    const { store, shipped, ship } = await open();
    await store.save('other', 0, 'x', { references: ['r'], ...never });
    await store.transaction((_client, documents) => {
      ship('o');
      const save = () => documents.save('a', 0, 'one', { references: ['new', 'r'], ...never });
      expect(save).toThrow(expect.objectContaining({ code: 'STORE_REFERENCE_TAKEN' }));
      documents.save('b', 0, 'one', never);
    });
    expect([await store.load('a'), await store.lookUp('new'), shipped()]).toEqual([undefined, undefined, 1]);
    expect(await store.load('b')).toEqual({ version: 1, data: 'one' });
  });

  it('saves nothing of a document whose references fail midway, even if it goes on', async () => {
    const { store, database } = await open();
    database.exec(`CREATE TRIGGER full BEFORE INSERT ON payments_references WHEN NEW.reference = 'second'
      BEGIN SELECT RAISE(ABORT, 'full'); END`);
    await store.transaction((_client, documents) => {
      const save = () => documents.save('a', 0, 'one', { references: ['first', 'second'], ...never });
      expect(save).toThrow('full');
    });
    expect([await store.load('a'), await store.lookUp('first')]).toEqual([undefined, undefined]);
  });

  it('is rolled back if the function is async, which is refused', async () => {
    const { store, shipped, ship } = await open();
    let late: unknown;
    const run = async (_client: unknown, documents: Documents) => {
      ship('o');
      documents.save('a', 0, 'one', never);
      await Promise.resolve();
      try {
        documents.save('b', 0, 'one', never);
      } catch (error) {
        late = error;
        throw error;
      }
    };
    // It rejects later on: an unhandled rejection would end this process.
    const { message } = await failureOf(store.transaction(anything(run)), ConfigurationError);
    expect(message).toMatch(/^transaction\.run: expected a function that is not async, .+, got a promise\. /);
    await new Promise(setImmediate);
    expect(late).toMatchObject({ issues: [{ path: 'transaction.documents' }] });
    expect([await store.load('a'), await store.load('b'), shipped()]).toEqual([undefined, undefined, 0]);
  });

  it('is rolled back if the function returns a query builder, whose statement never runs', async () => {
    const { store, shipped, ship } = await open();
    let sent = 0;
    class Builder {
      // oxlint-disable-next-line unicorn/no-thenable -- a query builder is one
      then() {
        sent += 1;
        ship('lazy');
      }
    }
    await failureOf(store.transaction(anything(() => new Builder())), ConfigurationError);
    await new Promise(setImmediate);
    expect([sent, shipped()]).toEqual([0, 0]);
  });

  it('handles the rejection of a promise of another realm', async () => {
    const { store } = await open();
    const foreign = runInNewContext("Promise.reject(new Error('later'))");
    await failureOf(store.transaction(anything(() => foreign)), ConfigurationError);
    await new Promise(setImmediate);
  });

  it('refuses its documents after its end, also during the next one', async () => {
    const { store } = await open();
    const kept = await store.transaction((_client, documents) => documents);
    const ended = expect.objectContaining({ message: expect.stringContaining('got one that has ended') });
    expect(() => kept.load('a')).toThrow(ended);
    await store.transaction(() => {
      expect(() => kept.save('a', 0, 'x', never)).toThrow(ended);
    });
    let thrown = kept;
    const failing = store.transaction((_client, documents) => {
      thrown = documents;
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await store.transaction(() => {
      expect(() => thrown.save('a', 0, 'x', never)).toThrow(ended);
    });
    expect(await store.load('a')).toBeUndefined();
  });

  it('rejects if SQLite has ended it, and saves nothing afterwards', async () => {
    const { store, database } = await open();
    database.exec('CREATE UNIQUE INDEX one ON orders (id)');
    const failing = store.transaction((client, documents) => {
      client.exec("INSERT INTO orders VALUES ('o', 1)");
      expect(() => client.exec("INSERT OR ROLLBACK INTO orders VALUES ('o', 1)")).toThrow('UNIQUE');
      expect(() => documents.save('a', 0, 'x', never)).toThrow('got one that has ended');
    });
    await expect(failing).rejects.toThrow('no transaction is active');
    expect([await store.load('a'), database.isTransaction]).toEqual([undefined, false]);
  });

  it('passes the error of a save with which SQLite ends it', async () => {
    const { store, database } = await open();
    database.exec(`CREATE TRIGGER full BEFORE INSERT ON payments_documents
      BEGIN SELECT RAISE(ROLLBACK, 'full'); END`);
    const failing = store.transaction((_client, documents) => documents.save('a', 0, 'x', never));
    await expect(failing).rejects.toThrow('full');
    expect(database.isTransaction).toBe(false);
  });

  it('rejects if the commit fails, and leaves no transaction open', async () => {
    const { store, database } = await open();
    database.exec(`CREATE TABLE lines (of TEXT REFERENCES orders (id) DEFERRABLE INITIALLY DEFERRED);
      CREATE UNIQUE INDEX one ON orders (id)`);
    const failing = store.transaction((client, documents) => {
      documents.save('a', 0, 'x', never);
      client.exec("INSERT INTO lines VALUES ('none')");
    });
    await expect(failing).rejects.toThrow('FOREIGN KEY');
    expect([await store.load('a'), database.isTransaction]).toEqual([undefined, false]);
  });

  it('refuses calls of the store within it, which would read or write what is not committed', async () => {
    const { store } = await open();
    const calls: Promise<unknown>[] = [];
    await store.transaction((_client, documents) => {
      documents.save('a', 0, 'x', never);
      calls.push(store.load('a'), store.save('b', 0, 'x', never), store.claim('c', 1), store.find('c'));
      calls.push(store.transaction(() => 1));
    });
    for (const call of calls) {
      const { message } = await failureOf(call, ConfigurationError);
      expect(message).toMatch(/expected no open transaction .+ use store\.transaction and the documents/);
    }
    expect(await store.load('b')).toBeUndefined();
  });

  it('checks the arguments of its documents, and goes on', async () => {
    const { store } = await open();
    await store.transaction((_client, documents) => {
      expect(() => documents.load('')).toThrow(ConfigurationError);
      expect(() => documents.save('a', 0, 'x', { wakeAt: 1.5 })).toThrow(/^save\.index\.wakeAt: /);
      documents.save('a', 0, 'y', never);
    });
    expect(await store.load('a')).toEqual({ version: 1, data: 'y' });
    await failureOf(store.transaction(anything(undefined)), ConfigurationError);
  });

  it('fails if another process writes for longer than the timeout, and runs nothing', async () => {
    const path = await temporaryFile();
    const store = sqliteStore(path, { busyTimeout: 0 });
    onTestFinished(() => store.close());
    const other = new DatabaseSync(path);
    onTestFinished(() => other.close());
    other.exec('BEGIN IMMEDIATE');
    let isRun = false;
    await expect(store.transaction(() => (isRun = true))).rejects.toThrow('database is locked');
    other.exec('ROLLBACK');
    expect([isRun, await store.transaction(() => 2)]).toEqual([false, 2]);
  });
});

it('memory and Redis have no transaction', () => {
  const redis = redisStore({ isOpen: true, eval: async () => 1 });
  for (const store of [memoryStore(), redis]) expect('transaction' in store).toBe(false);
});
