import { type ConfigurationError, configurationError } from '../../base/errors.ts';
import { bounded, Interrupted } from '../../base/time.ts';
import { checkCall } from '../checks.ts';
import { storeTimedOut } from '../in-time.ts';
import { savedDocument } from '../records/document.ts';
import { checkRun, transactionEnded } from '../records/transaction.ts';
import type { TransactionDocuments } from '../store.ts';
import type { PostgresClient } from './client.ts';
import type { Transactions } from './connections.ts';
import type { PostgresDocuments } from './documents.ts';

/** Work in a transaction. */
export type PostgresRun<Result> = (
  client: PostgresClient,
  documents: TransactionDocuments,
) => Promise<Result>;

function neverRun(): ConfigurationError {
  const expected = 'a call of the function passed to it';
  return configurationError(
    [{ path: 'postgresStore.transaction', expected, received: 'none' }],
    'Run the function in a transaction that you return or await, and commit when it is done.',
  );
}

/** What became of the work, whatever the transaction around it says. */
type Outcome<Result> = { readonly result: Result } | { readonly error: unknown };

/** Runs functions in transactions, with the documents of a store. */
export class DocumentTransactions {
  readonly #transactions: Transactions;
  readonly #documents: PostgresDocuments;
  readonly #timeout: number;

  /** @param timeout How long to wait for the start of a transaction, in ms. */
  constructor(transactions: Transactions, documents: PostgresDocuments, timeout: number) {
    this.#transactions = transactions;
    this.#documents = documents;
    this.#timeout = timeout;
  }

  async run<Result>(run: PostgresRun<Result>): Promise<Result> {
    checkRun(run);
    let outcome: Outcome<Result> | undefined;
    await this.#started(async (client) => {
      outcome = await this.#outcomeOf(run, client);
      if ('error' in outcome) throw outcome.error;
    }).catch((error: unknown) => {
      outcome = outcome !== undefined && 'error' in outcome ? outcome : { error };
    });
    // A transaction of yours may hide the error, or throw another one.
    if (outcome === undefined) throw neverRun();
    if ('error' in outcome) throw outcome.error;
    return outcome.result;
  }

  /** Runs work in a transaction that starts in time. One that starts later is rolled back. */
  async #started(work: (client: PostgresClient) => Promise<void>): Promise<void> {
    let isTooLate = false;
    let start = () => {};
    const hasStarted = new Promise<void>((resolve) => {
      start = resolve;
    });
    const transaction = this.#transactions.run(async (client) => {
      if (isTooLate) throw storeTimedOut(this.#timeout);
      start();
      await work(client);
    });
    try {
      await bounded(Promise.race([hasStarted, transaction]), undefined, this.#timeout);
    } catch (error) {
      isTooLate = true;
      throw error instanceof Interrupted ? storeTimedOut(this.#timeout) : error;
    }
    await transaction;
  }

  async #outcomeOf<Result>(run: PostgresRun<Result>, client: PostgresClient): Promise<Outcome<Result>> {
    let isOver = false;
    try {
      const result = await run(
        client,
        documentsIn(client, this.#documents, () => isOver),
      );
      isOver = true;
      await this.#transactions.verify(client);
      return { result };
    } catch (error) {
      isOver = true;
      return { error };
    }
  }
}

function documentsIn(
  client: PostgresClient,
  documents: PostgresDocuments,
  isOver: () => boolean,
): TransactionDocuments {
  const refuseAfterEnd = () => {
    if (isOver()) throw transactionEnded();
  };
  return {
    async load(key) {
      checkCall('load', { key }, undefined);
      refuseAfterEnd();
      return documents.lock(key, client);
    },
    async save(key, version, data, index) {
      const document = savedDocument(key, version, data, index);
      refuseAfterEnd();
      return documents.save(document, client);
    },
  };
}
