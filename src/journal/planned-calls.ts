import { configurationError } from '../base/errors.ts';
import type { Delivered } from '../http/api-promise.ts';
import type { WithOperationId } from '../http/client/options.ts';
import { type Api, plan } from '../http/execute.ts';
import type { JournaledOperation } from '../http/past/call-journal.ts';
import { Collections } from '../resources/collections.ts';
import { routes } from '../resources/routes.ts';
import type { PostgresClient } from '../stores/postgres/client.ts';
import type { OperationLog } from './operation-log.ts';

/** A method without its result; `never` if it moves no money. */
type Planned<Method> = Method extends (...args: infer Args) => unknown
  ? Args extends [...unknown[], WithOperationId]
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

/** What a planned call delivers: it was not sent, so there is no object. {@link PlannedCalls} types it as void. */
const planned = { data: undefined, describe: () => undefined } as unknown as Delivered<never>;

/**
 * Returns the methods that move money. Each records its operation in a log and sends nothing.
 *
 * @param client A connection of the user, with an open transaction.
 * @throws ConfigurationError when the journal does not keep the parameters.
 */
export function plannedCalls(api: Api, log: OperationLog, client: PostgresClient | undefined): PlannedCalls {
  if (log.settings.contents !== 'whole') {
    const expected = "'whole', so that it can be sent later";
    const issue = { path: 'createJournal.contents', expected, received: "'digest'" };
    throw configurationError([issue], "Set the journal's contents to 'whole'.");
  }
  const record = (operation: JournaledOperation) => log.plan(operation, client);
  const collections = new Collections({
    ...api,
    execute: async (connection, description) => {
      await plan(connection, description, record);
      return planned;
    },
  });
  const calls: Record<string, Record<string, (...args: unknown[]) => Promise<void>>> = {};
  for (const [name, { movesMoney }] of Object.entries(routes)) {
    const [collectionName = '', method = ''] = name.split('.');
    if (!movesMoney) continue;
    const collection = Reflect.get(collections, collectionName);
    calls[collectionName] ??= {};
    calls[collectionName][method] = async (...args) => {
      await Reflect.apply(Reflect.get(collection, method), collection, args);
    };
  }
  // The routes that move money are those whose methods require an operationId: a type test checks it.
  return calls as PlannedCalls;
}
