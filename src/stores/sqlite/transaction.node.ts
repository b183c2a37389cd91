import { refuse } from '../../base/errors.ts';
import { isolate, isThenable } from '../../base/functions.ts';
import { checkCall } from '../checks.ts';
import { type DocumentTables, saveDocument, savedDocument } from '../records/document.ts';
import { transactionEnded } from '../records/transaction.ts';
import type { SyncTransactionDocuments } from '../store.ts';
import { beginAlone, commit, rollBack, type SqliteDatabase } from './database.node.ts';

/** Work in a transaction. A function that returns a promise does not compile: the transaction would end before it. */
export type SqliteRun<Database, Result> = (
  client: Database,
  documents: SyncTransactionDocuments,
) => Result extends PromiseLike<unknown> ? never : Result;

/** Runs work in a transaction, and commits. If the work throws, nothing remains of it. */
export function inTransaction<Database extends SqliteDatabase, Result>(
  database: Database,
  tables: DocumentTables,
  run: SqliteRun<Database, Result>,
): Result {
  let isOver = false;
  const documents = documentsIn(database, tables, () => isOver);
  beginAlone(database);
  try {
    const result = run(database, documents);
    isOver = true;
    refusePromise(result);
    commit(database);
    return result;
  } catch (error) {
    isOver = true;
    rollBack(database);
    throw error;
  }
}

function refusePromise(result: unknown): void {
  if (!isThenable(result)) return;
  // A promise most likely fails later, at the documents of an ended transaction. The `then` of a query builder is not called: it would run the
  // statement outside of the transaction.
  isolate(() => Promise.prototype.then.call(result));
  const expected = 'a function that is not async, and returns no promise: the transaction would end first';
  refuse(
    [{ path: 'transaction.run', expected, received: 'a promise' }],
    'The transaction was rolled back: do what waits before or after it.',
  );
}

function documentsIn(
  database: SqliteDatabase,
  tables: DocumentTables,
  isOver: () => boolean,
): SyncTransactionDocuments {
  const refuseAfterEnd = () => {
    // SQLite ends a transaction itself after some failures.
    if (isOver() || database.isTransaction === false) throw transactionEnded();
  };
  return {
    load(key) {
      checkCall('load', { key }, undefined);
      refuseAfterEnd();
      return tables.load(key);
    },
    save(key, version, data, index) {
      const document = savedDocument(key, version, data, index);
      refuseAfterEnd();
      return wholly(database, () => saveDocument(tables, document));
    },
  };
}

/** Undoes the statements of work that fails midway, since the transaction may go on. */
function wholly<Result>(database: SqliteDatabase, work: () => Result): Result {
  database.exec('SAVEPOINT payments_save');
  try {
    const result = work();
    database.exec('RELEASE payments_save');
    return result;
  } catch (error) {
    // SQLite may have ended the whole transaction.
    if (database.isTransaction !== false) database.exec('ROLLBACK TO payments_save; RELEASE payments_save');
    throw error;
  }
}
