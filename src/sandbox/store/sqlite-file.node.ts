import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { builtinModule } from '../../base/runtime.ts';
import { messageOf } from '../../base/thrown.ts';
import type { CollectionContents, Identified } from './collection.ts';
import type { StoreContents } from './contents.ts';
import type { Persistence, StoredObject, StoredUnit } from './persistence.ts';
import type { Due } from './scheduler.ts';

/** The schema version. A file with another one is rejected. */
const version = 1;

/** An updated row keeps its rowid, so an object keeps its position in its collection. */
const tables = `
  CREATE TABLE object (position INTEGER PRIMARY KEY, kind TEXT, id TEXT, json TEXT, UNIQUE (kind, id)) STRICT;
  CREATE TABLE due (position INTEGER PRIMARY KEY, kind TEXT, id TEXT, at INTEGER, UNIQUE (kind, id)) STRICT;
  CREATE TABLE moment (only INTEGER PRIMARY KEY CHECK (only = 1), time INTEGER, ids INTEGER) STRICT;
  PRAGMA user_version = ${version};
`;

/** Result codes of SQLite. */
const sqliteBusy = 5;
const sqliteCorrupt = 11;
const sqliteNotADatabase = 26;

/** Readable for the owner only: the file contains the data of the merchant's tests. */
const mode = 0o600;

function refusal(file: string, problem: string): Error {
  return new Error(`openSandbox: expected '${file}' to be a data file of a sandbox, but ${problem}.`);
}

/** Opens the database for this process alone. */
function openDatabase(file: string): DatabaseSync {
  const sqlite = builtinModule('node:sqlite', ({ DatabaseSync: found }) => typeof found === 'function');
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
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    database.exec('BEGIN EXCLUSIVE; COMMIT');
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

/** Checks that the file is an intact database of a sandbox. */
function check(database: DatabaseSync, file: string): void {
  const found = database.prepare('PRAGMA user_version').get()?.['user_version'];
  if (found !== version) throw refusal(file, 'it is of another version, or of another program');
  const state = database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
  if (state !== 'ok') throw refusal(file, `it is damaged: ${String(state)}`);
}

/** Persists a store in an SQLite database, with a transaction for each unit of work. */
class SqliteFile implements Persistence {
  readonly #database: DatabaseSync;
  readonly #file: string;
  /** Whether nothing was written yet. */
  #isEmpty: boolean;
  readonly #putObject: StatementSync;
  readonly #forgetObject: StatementSync;
  readonly #putDue: StatementSync;
  readonly #forgetDue: StatementSync;
  readonly #putMoment: StatementSync;

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
  }

  read(): StoreContents | undefined {
    if (this.#isEmpty) return undefined;
    try {
      const { time, ids } = this.#database.prepare('SELECT time, ids FROM moment').get() ?? {};
      return { time: Number(time), ids: Number(ids), objects: this.#readObjects(), due: this.#readDue() };
    } catch (error) {
      throw refusal(this.#file, `it is damaged: ${messageOf(error)}`);
    }
  }

  append(unit: StoredUnit): void {
    this.#transaction(() => this.#write(unit));
  }

  rewrite({ time, ids, objects, due }: StoreContents): void {
    this.#transaction(() => {
      this.#database.exec('DELETE FROM object; DELETE FROM due');
      this.#write({ objects: storedObjects(objects), due, time, ids });
    });
  }

  close(): void {
    if (!this.#database.isOpen) return;
    this.#database.close();
    if (this.#isEmpty) rmSync(this.#file);
  }

  #write({ objects, due, time, ids }: StoredUnit): void {
    for (const { kind, id, object, isKnown, isDue } of objects) {
      if (isKnown) this.#putObject.run(kind, id, object === undefined ? null : JSON.stringify(object));
      else this.#forgetObject.run(kind, id);
      if (!isDue) this.#forgetDue.run(kind, id);
    }
    for (const { kind, id, at } of due) this.#putDue.run(kind, id, at);
    this.#putMoment.run(time, ids);
    this.#isEmpty = false;
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
      return new Error(`openSandbox: another process has '${file}' open. Stop it, or use another file.`);
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
  const existed = existsSync(file);
  let database: DatabaseSync | undefined;
  try {
    database = openDatabase(file);
    const isEmpty = isNew(database);
    if (isEmpty) database.exec(`BEGIN; ${tables} COMMIT`);
    else check(database, file);
    return new SqliteFile(database, file, isEmpty);
  } catch (error) {
    database?.close();
    if (!existed) rmSync(file, { force: true });
    throw explain(error, file);
  }
}
