import { configurationError } from '../base/errors.ts';
import type { CallJournal, JournaledOperation } from '../http/call-journal.ts';
import type { MoneyOptions } from '../http/options.ts';
import type { Collections } from '../resources/collections.ts';
import { routes } from '../resources/routes.ts';
import type { PostgresClient } from '../stores/postgres-client.ts';
import type { OperationLog } from './operation-log.ts';

/** A method without its result; `never` if it moves no money. */
type Planned<Method> = Method extends (...args: infer Args) => unknown
  ? Args extends [...unknown[], MoneyOptions]
    ? (...args: Args) => Promise<void>
    : never
  : never;

/** The names of a collection's methods that move money. */
type PlannableOf<Collection> = {
  [Name in keyof Collection]: [Planned<Collection[Name]>] extends [never] ? never : Name;
}[keyof Collection];

/** The methods that move money, by collection. Each records its operation and sends nothing. */
export type PlannedCalls = {
  readonly [Name in keyof Collections as [PlannableOf<Collections[Name]>] extends [never] ? never : Name]: {
    readonly [Method in PlannableOf<Collections[Name]>]: Planned<Collections[Name][Method]>;
  };
};

/** Ends a call after its operation is recorded: there is no response to continue with. */
class WrittenDown extends Error {}

/** Replaces the journal of a client, and records operations without sending them. */
export class PlanningJournal implements CallJournal {
  readonly #log: OperationLog;
  readonly #client: PostgresClient | undefined;

  /** @throws ConfigurationError when the journal does not keep the parameters. */
  constructor(log: OperationLog, client: PostgresClient | undefined) {
    if (log.settings.contents !== 'whole') {
      const issue = {
        path: 'journal.contents',
        expected: "'whole', so that it can be sent later",
        received: "'digest'",
      };
      throw configurationError([issue], "Set the journal's contents to 'whole'.");
    }
    this.#log = log;
    this.#client = client;
  }

  async run(operation: JournaledOperation): Promise<never> {
    await this.#log.plan(operation, this.#client);
    throw new WrittenDown();
  }
}

async function plan(call: () => unknown): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (!(error instanceof WrittenDown)) throw error;
  }
}

/** @param collections The collections of a client with a `PlanningJournal`. */
export function plannedCalls(collections: Collections): PlannedCalls {
  const calls: Record<string, Record<string, (...args: unknown[]) => Promise<void>>> = {};
  for (const [name, { movesMoney }] of Object.entries(routes)) {
    const [collectionName = '', method = ''] = name.split('.');
    if (!movesMoney) continue;
    const collection = Reflect.get(collections, collectionName);
    calls[collectionName] ??= {};
    calls[collectionName][method] = (...args) =>
      plan(() => Reflect.apply(Reflect.get(collection, method), collection, args));
  }
  // The routes that move money are those whose methods require an operationId: a type test checks it.
  return calls as PlannedCalls;
}
