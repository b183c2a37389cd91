import { type ConfigurationError, configurationError } from '../../base/errors.ts';
import { errorCode } from '../../base/functions.ts';
import { isRecord } from '../../base/json.ts';
import type { PostgresClient } from './client.ts';

/** Runs work in a transaction of your own, and commits when it is done. */
export type TransactionOption = (run: (client: PostgresClient) => Promise<void>) => Promise<unknown>;

/** Work in a transaction. */
type Work = (client: PostgresClient) => Promise<void>;

/** A connection of a pool. */
interface PooledConnection extends PostgresClient {
  /** Returns it to the pool, or closes it. */
  release(isBroken: boolean): void;
  on?(event: 'error', listener: (error: unknown) => void): unknown;
  removeListener?(event: 'error', listener: (error: unknown) => void): unknown;
}

interface Pool {
  connect(taken: (error: unknown, client?: PooledConnection) => void): unknown;
}

interface PGlite {
  transaction(work: Work): Promise<unknown>;
}

const has = (value: unknown, method: string) => isRecord(value) && typeof value[method] === 'function';

/** A `Client` of pg has a `connect` too, but one connection, which all calls of the store share. */
function isPool(value: unknown): value is Pool {
  return has(value, 'connect') && !has(value, 'getTypeParser');
}

function isPGlite(value: unknown): value is PGlite {
  return has(value, 'transaction');
}

function noTransaction(): ConfigurationError {
  const expected = 'a Pool of pg, a PGlite, or the option transaction';
  const issue = { path: 'postgresStore', expected, received: 'another client' };
  return configurationError(
    [issue],
    'Pass { transaction: (run) => … }, which runs the function in a transaction and commits.',
  );
}

function rolledBack(): ConfigurationError {
  const expected = 'a function that rejects if one of its statements fails';
  return configurationError(
    [{ path: 'transaction.run', expected, received: 'one that resolved after a failed statement' }],
    'PostgreSQL rolled the transaction back: let the errors of statements pass.',
  );
}

/** How to run work in a transaction. Work that rejects is rolled back. */
export interface Transactions {
  run(work: Work): Promise<unknown>;
  /** Throws at the end of work that hid the error of a statement: the COMMIT would roll back, and its sender may not look at the answer. */
  verify(client: PostgresClient): Promise<void>;
}

export function transactionsOf(pool: unknown, option: TransactionOption | undefined): Transactions {
  if (option !== undefined) return { run: async (work) => option(work), verify };
  if (isPool(pool)) return { run: (work) => onConnection(pool, work), verify: async () => {} };
  if (isPGlite(pool)) return { run: (work) => pool.transaction(work), verify };
  return { run: () => Promise.reject(noTransaction()), verify };
}

/** PostgreSQL's code of a statement in a transaction that one of its statements has aborted. */
const aborted = '25P02';

async function verify(client: PostgresClient): Promise<void> {
  try {
    await client.query('SELECT 1', []);
  } catch (error) {
    throw errorCode(error) === aborted ? rolledBack() : error;
  }
}

/** The statements of a transaction report a broken connection. */
const ignore = () => {};

/** Takes a connection of a pool, which listens to idle ones alone: a connection that breaks without a listener would end the process. */
function connectionOf(pool: Pool): Promise<PooledConnection> {
  return new Promise((resolve, reject) => {
    // A callback, since the same packet may say that the connection is ready and that it is broken: a promise would listen too late.
    pool.connect((error, client) => {
      if (client === undefined) return reject(error);
      client.on?.('error', ignore);
      resolve(client);
    });
  });
}

async function onConnection(pool: Pool, work: Work): Promise<void> {
  const client = await connectionOf(pool);
  let isClean = false;
  try {
    await client.query('BEGIN ISOLATION LEVEL READ COMMITTED', []);
    try {
      await work(client);
    } catch (error) {
      isClean = await rollBack(client);
      throw error;
    }
    const answer: object = await client.query('COMMIT', []);
    isClean = true;
    if ('command' in answer && answer.command === 'ROLLBACK') throw rolledBack();
  } finally {
    client.removeListener?.('error', ignore);
    // The next user of the connection must not get an open transaction.
    client.release(!isClean);
  }
}

/** Returns whether it did. */
async function rollBack(client: PostgresClient): Promise<boolean> {
  try {
    await client.query('ROLLBACK', []);
    return true;
  } catch {
    return false;
  }
}
