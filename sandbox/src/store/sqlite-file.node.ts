import { closeSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { messageOf } from '../base/thrown.ts';
import type { CollectionContents, Identified } from './collection.ts';
import type { Persistence, StoreContents, StoredEntry, StoredObject, StoredUnit } from './contents.ts';
import type { Due } from './scheduler.ts';

/** Marks the files of the sandbox: `pcsb` in ASCII. */
const applicationId = 0x70637362;
/** The schema version. A file with another one is rejected. */
const version = 1;

/** An updated row keeps its rowid, so an object keeps its position in its collection. */
const tables = `
  CREATE TABLE object (position INTEGER PRIMARY KEY, kind TEXT, id TEXT, json TEXT, UNIQUE (kind, id)) STRICT;
  CREATE TABLE due (position INTEGER PRIMARY KEY, kind TEXT, id TEXT, at INTEGER, UNIQUE (kind, id)) STRICT;
  CREATE TABLE moment (only INTEGER PRIMARY KEY CHECK (only = 1), time INTEGER, ids INTEGER) STRICT;
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${version};
`;

/** Created at each opening: a file of an earlier version has no entries. */
const entryTable = 'CREATE TABLE IF NOT EXISTS entry (number INTEGER PRIMARY KEY, json TEXT) STRICT';

/** How many entries are dropped at once. One at a time, each step would write further pages of the file. */
const batch = 500;

/** Result codes of SQLite. The first is that of a missing table. */
const sqliteError = 1;
const sqliteBusy = 5;
const sqliteCorrupt = 11;
const sqliteNotADatabase = 26;

/** Readable for the owner only: the file contains the data of the merchant's tests. */
const mode = 0o600;

function refusal(file: string, problem: string): Error {
  return new Error(
    `openSandbox: expected '${file}' to be a data file of a sandbox, but ${problem}. Use another file.`,
  );
}

/** The length of the header of an SQLite database, and where it has the marks. */
const header = { length: 100, version: 60, applicationId: 68 };

function readHeader(file: string): DataView {
  const bytes = new Uint8Array(header.length);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, bytes);
  } finally {
    closeSync(descriptor);
  }
  return new DataView(bytes.buffer);
}

/**
 * Rejects a file that no sandbox wrote. Reads its bytes, since SQLite changes a database, or leaves files beside it, when it opens it.
 *
 * @returns Whether there is a file.
 */
function checkOwner(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return false;
  if (!found.isFile()) throw refusal(file, 'it is no regular file');
  if (found.size === 0) return true;
  const bytes = readHeader(file);
  if (bytes.getUint32(header.applicationId) !== applicationId)
    throw refusal(file, 'another program wrote it');
  const known = bytes.getUint32(header.version);
  if (known !== version) throw refusal(file, `it has version ${known} instead of ${version}`);
  return true;
}

/** Returns the module of SQLite. It is looked up, not imported, since some runtimes and older versions of Node lack it. */
function findSqlite() {
  try {
    const found = process.getBuiltinModule('node:sqlite');
    return typeof found.DatabaseSync === 'function' ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Opens the database for this process alone, and creates the tables of a new one. */
function openDatabase(file: string): DatabaseSync {
  const sqlite = findSqlite();
  if (sqlite === undefined) {
    throw new Error(
      'openSandbox: expected a runtime with node:sqlite, such as Node 22.13 or later, got another.',
    );
  }
  closeSync(openSync(file, 'a', mode));
  const database = new sqlite.DatabaseSync(file);
  try {
    // The operating system releases the exclusive lock however this process ends. A commit survives a crash of the
    // process.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = NORMAL');
    database.exec('BEGIN EXCLUSIVE; COMMIT');
    // Before there is a write-ahead log, so that the file itself has the marks from the beginning.
    if (isNew(database)) database.exec(`BEGIN; ${tables} COMMIT`);
    database.exec('PRAGMA journal_mode = WAL');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Whether the database has no tables yet. */
function isNew(database: DatabaseSync): boolean {
  return database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
}

/** Whether no sandbox has written its state yet. */
function isUnused(database: DatabaseSync): boolean {
  return database.prepare('SELECT 1 FROM moment UNION ALL SELECT 1 FROM object').get() === undefined;
}

/** Checks that the database is intact. */
function check(database: DatabaseSync, file: string): void {
  const state = database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
  if (state !== 'ok') throw refusal(file, `it is damaged: ${String(state)}`);
}

/** Persists a store in an SQLite database, with a transaction for each unit of work. */
class SqliteFile implements Persistence {
  readonly #database: DatabaseSync;
  readonly #file: string;
  /** Whether nothing was written yet. */
  #isEmpty: boolean;
  /** Entries with lower numbers were dropped. */
  #firstEntry = 0;
  readonly #putObject: StatementSync;
  readonly #forgetObject: StatementSync;
  readonly #putDue: StatementSync;
  readonly #forgetDue: StatementSync;
  readonly #putMoment: StatementSync;
  readonly #putEntry: StatementSync;
  readonly #dropEntries: StatementSync;

  constructor(database: DatabaseSync, file: string, isEmpty: boolean) {
    this.#database = database;
    this.#file = file;
    this.#isEmpty = isEmpty;
    this.#putObject = database.prepare(
      'INSERT INTO object (kind, id, json) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET json = excluded.json',
    );
    this.#forgetObject = database.prepare('DELETE FROM object WHERE kind = ? AND id = ?');
    // A rescheduled entry comes after those that were due at the same time before.
    this.#putDue = database.prepare('INSERT OR REPLACE INTO due (kind, id, at) VALUES (?, ?, ?)');
    this.#forgetDue = database.prepare('DELETE FROM due WHERE kind = ? AND id = ?');
    this.#putMoment = database.prepare('INSERT OR REPLACE INTO moment (only, time, ids) VALUES (1, ?, ?)');
    this.#putEntry = database.prepare('INSERT OR REPLACE INTO entry (number, json) VALUES (?, ?)');
    this.#dropEntries = database.prepare('DELETE FROM entry WHERE number < ?');
  }

  read(): StoreContents | undefined {
    if (this.#isEmpty) return undefined;
    try {
      const { time, ids } = this.#database.prepare('SELECT time, ids FROM moment').get() ?? {};
      const [objects, due, entries] = [this.#readObjects(), this.#readDue(), this.#readEntries()];
      return { time: Number(time), ids: Number(ids), objects, due, entries };
    } catch (error) {
      throw refusal(this.#file, `it is damaged: ${messageOf(error)}`);
    }
  }

  append(unit: StoredUnit): void {
    this.#transaction(() => this.#write(unit));
  }

  record(entry: StoredEntry, first: number): void {
    try {
      this.#transaction(() => {
        this.#writeEntries([entry]);
        if (first - this.#firstEntry >= batch) {
          this.#dropEntries.run(first);
          this.#firstEntry = first;
        }
      });
    } catch {
      // The disk is full, or the file is closed: the entry is in memory only.
    }
  }

  rewrite({ time, ids, objects, due, entries }: StoreContents): void {
    this.#transaction(() => {
      this.#database.exec('DELETE FROM object; DELETE FROM due; DELETE FROM entry');
      this.#write({ objects: storedObjects(objects), due, entries, time, ids });
    });
  }

  close(): void {
    if (!this.#database.isOpen) return;
    this.#database.close();
    if (this.#isEmpty) rmSync(this.#file);
  }

  #write({ objects, due, entries, time, ids }: StoredUnit): void {
    for (const { kind, id, object, isKnown, isDue } of objects) {
      if (isKnown) this.#putObject.run(kind, id, object === undefined ? null : JSON.stringify(object));
      else this.#forgetObject.run(kind, id);
      if (!isDue) this.#forgetDue.run(kind, id);
    }
    for (const { kind, id, at } of due) this.#putDue.run(kind, id, at);
    this.#writeEntries(entries);
    this.#putMoment.run(time, ids);
    this.#isEmpty = false;
  }

  #writeEntries(entries: readonly StoredEntry[]): void {
    for (const entry of entries) this.#putEntry.run(entry.number, JSON.stringify(entry));
  }

  #transaction(work: () => void): void {
    if (!this.#database.isOpen) {
      throw new Error('The sandbox and its data file are closed. Open the file again to make changes.');
    }
    this.#database.exec('BEGIN');
    try {
      work();
      this.#database.exec('COMMIT');
    } catch (error) {
      // SQLite rolls back by itself after some errors.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  #readObjects(): StoreContents['objects'] {
    const kinds = this.#database.prepare('SELECT DISTINCT kind FROM object').all();
    const rowsOf = this.#database.prepare('SELECT id, json FROM object WHERE kind = ? ORDER BY position');
    return Object.fromEntries(kinds.map(({ kind = '' }) => [String(kind), contentsOf(rowsOf.all(kind))]));
  }

  #readDue(): readonly Due[] {
    const rows = this.#database.prepare('SELECT kind, id, at FROM due ORDER BY position').all();
    return rows.map(({ kind, id, at }) => ({ kind: String(kind), id: String(id), at: Number(at) }));
  }

  #readEntries(): readonly StoredEntry[] {
    const rows = this.#database.prepare('SELECT json FROM entry ORDER BY number').all();
    // Not validated either.
    return rows.map(({ json }) => JSON.parse(String(json)) as StoredEntry);
  }
}

/** Reads the contents without validation, since this class wrote them. */
function contentsOf(rows: readonly Record<string, SQLOutputValue>[]): CollectionContents<Identified> {
  return rows.map(({ id, json }) => [
    String(id),
    json === null ? undefined : (JSON.parse(String(json)) as Identified),
  ]);
}

function* storedObjects(all: StoreContents['objects']): Generator<StoredObject> {
  for (const [kind, contents] of Object.entries(all)) {
    for (const [id, object] of contents) yield { kind, id, object, isKnown: true, isDue: true };
  }
}

/** Translates an SQLite error about an unreadable file. */
function explain(error: unknown, file: string): unknown {
  switch (error instanceof Error && 'errcode' in error ? error.errcode : undefined) {
    case sqliteBusy:
      return new Error(
        `openSandbox: '${file}' is open already, in this process or another. Close it, or use another file.`,
      );
    case sqliteError:
    case sqliteCorrupt:
    case sqliteNotADatabase:
      return refusal(file, `SQLite says: ${messageOf(error)}`);
    default:
      return error;
  }
}

/**
 * Opens a data file, or creates one.
 *
 * @throws Error when another process has it open, or it is not a data file.
 */
export function openSqliteFile(file: string): Persistence {
  const existed = checkOwner(file);
  let database: DatabaseSync | undefined;
  try {
    database = openDatabase(file);
    check(database, file);
    database.exec(entryTable);
    return new SqliteFile(database, file, isUnused(database));
  } catch (error) {
    database?.close();
    if (!existed) rmSync(file, { force: true });
    throw explain(error, file);
  }
}
