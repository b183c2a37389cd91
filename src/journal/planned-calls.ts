import { ConfigurationError } from '../base/errors.ts';
import type { CallJournal, JournaledOperation } from '../http/call-journal.ts';
import type { MoneyOptions } from '../http/options.ts';
import type { Collections } from '../resources/collections.ts';
import { routes } from '../resources/routes.ts';
import type { PostgresClient } from '../stores/postgres-client.ts';
import type { OperationLog } from './operation-log.ts';

/** The method without its result; `never` where it moves no money. */
type Planned<Method> = Method extends (...args: infer Args) => unknown
  ? Args extends [...unknown[], MoneyOptions]
    ? (...args: Args) => Promise<void>
    : never
  : never;

/** The names of the methods of a collection that move money. */
type PlannableOf<Collection> = {
  [Name in keyof Collection]: [Planned<Collection[Name]>] extends [never] ? never : Name;
}[keyof Collection];

/** The methods that move money, by their collections. Each writes its operation down, and sends nothing. */
export type PlannedCalls = {
  readonly [Name in keyof Collections as [PlannableOf<Collections[Name]>] extends [never] ? never : Name]: {
    readonly [Method in PlannableOf<Collections[Name]>]: Planned<Collections[Name][Method]>;
  };
};

/** What a call ends with once its operation is written down: it has no response to go on with. */
class WrittenDown extends Error {}

/** Stands in for the journal of a client, and writes operations down without sending them. */
export class PlanningJournal implements CallJournal {
  readonly #log: OperationLog;
  readonly #client: PostgresClient | undefined;

  /** @throws ConfigurationError when the journal does not keep what is to be sent. */
  constructor(log: OperationLog, client: PostgresClient | undefined) {
    if (log.settings.contents !== 'whole') {
      const issue = { path: 'journal.contents', expected: "'whole', to send it later", received: "'digest'" };
      throw new ConfigurationError([issue], 'Let the journal of this client keep the parameters.');
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

/** @param collections Those of a client with a `PlanningJournal`. */
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
  // The routes that move money are those whose methods need an operationId: a test of types holds it.
  return calls as PlannedCalls;
}
