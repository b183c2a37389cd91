import { refuse, refuseValue } from '../../base/errors.ts';
import { having } from '../../base/schema/options.ts';
import * as s from '../../base/schema/schema.ts';
import { conforms } from '../../base/schema/validation.ts';

/** A value in a SQLite database. */
type SqliteValue = null | number | bigint | string | Uint8Array;

/** A row of a SQLite database, by its columns. */
export type SqliteRow = Readonly<Record<string, SqliteValue>>;

/** A prepared statement. */
export interface SqliteStatement {
  /** Runs the statement with the values of its parameters. */
  run(...values: SqliteValue[]): unknown;
  /** Returns the first row; `undefined` if there is none. */
  get(...values: SqliteValue[]): SqliteRow | undefined;
  /** Returns all rows. */
  all(...values: SqliteValue[]): SqliteRow[];
  /** Whether integers come as `bigint`. */
  setReadBigInts(enabled: boolean): void;
  /** Whether rows come as arrays. Node 22.13 does not have it. */
  setReturnArrays?(enabled: boolean): void;
}

/** The part of a `DatabaseSync` of `node:sqlite` that `sqliteStore` uses. */
export interface SqliteDatabase {
  /** Whether a transaction is open. Node has it from version 22.16 on. */
  readonly isTransaction: boolean;
  /** Runs statements without parameters. */
  exec(sql: string): void;
  /** Prepares a statement. */
  prepare(sql: string): SqliteStatement;
}

const expected = 'a DatabaseSync of node:sqlite with isTransaction, as Node has it from version 22.16 on';
const database = /* @__PURE__ */ s.lazily(() => having<SqliteDatabase>(expected, 'exec', 'prepare'));

/** @throws ConfigurationError for a value that is not a `DatabaseSync`, of whatever realm. */
export function checkDatabase(value: unknown): void {
  // A class of another realm has another identity, so the members decide.
  const isDatabase = conforms(database, value) && typeof value.isTransaction === 'boolean';
  if (!isDatabase) refuseValue('sqliteStore.database', expected, value, 'Pass a DatabaseSync, or a path.');
}

/** Prepares a statement that returns objects with numbers. A merchant's database may have other defaults. */
export function prepare(database: SqliteDatabase, sql: string): SqliteStatement {
  const statement = database.prepare(sql);
  statement.setReadBigInts(false);
  statement.setReturnArrays?.(false);
  return statement;
}

/** Returns the value of a setting. */
export function settingOf(database: SqliteDatabase, pragma: string): SqliteValue | undefined {
  const [value] = Object.values(prepare(database, `PRAGMA ${pragma}`).get() ?? {});
  return value;
}

/** Begins a transaction that excludes other writers. */
export function beginAlone(database: SqliteDatabase): void {
  database.exec('BEGIN IMMEDIATE');
}

export function commit(database: SqliteDatabase): void {
  database.exec('COMMIT');
}

/** Ends a transaction that failed. */
export function rollBack(database: SqliteDatabase): void {
  try {
    database.exec('ROLLBACK');
  } catch {
    // SQLite rolled some failures back itself.
  }
}

/**
 * Refuses a call while a transaction is open on the connection: it would become part of it, or end it.
 *
 * @throws ConfigurationError if one is.
 */
export function refuseOpenTransaction({ isTransaction }: SqliteDatabase): void {
  if (!isTransaction) return;
  const issue = {
    path: 'sqliteStore.database',
    expected: 'no open transaction on the connection of the store',
    received: 'an open one',
  };
  refuse([issue], 'Commit it first, or use store.transaction and the documents that it passes on.');
}
