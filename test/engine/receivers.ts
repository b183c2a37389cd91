/** The merchant's ways of handling events, in either driver. */

import type {
  Receiver,
  ReceiverOptions,
  TransactionReceiverOptions,
  Webhooks,
} from 'payments-client/webhooks';
import type { Mode } from './dimensions/deliveries.ts';

/** A run of a handler, and the transaction that its effect belongs to, if there is one. */
export interface Handling<Client> {
  readonly id: string;
  readonly mode: Mode;
  readonly scope: string | undefined;
  readonly operationId: string;
  readonly client: Client | undefined;
}

type Common<Client> = Omit<ReceiverOptions<Client>, 'on' | 'onEvent' | 'transaction'>;
type Recording<Client extends StoreClient, StoreClient> = Pick<
  TransactionReceiverOptions<Client, StoreClient>,
  'store'
>;

/** What the receivers of a merchant need. */
export interface Ways<Client extends StoreClient, StoreClient> {
  readonly webhooks: Webhooks;
  readonly options: Common<StoreClient>;
  readonly transact: (run: (client: Client) => Promise<void>) => Promise<unknown>;
  readonly handle: (handling: Handling<Client>) => Promise<void>;
}

function canRecord<Client extends StoreClient, StoreClient>(
  options: Common<StoreClient>,
): options is Common<StoreClient> & Recording<Client, StoreClient> {
  return 'record' in options.store;
}

/** Returns a receiver that handles events under a lease, with `completeIn`, or in a transaction. */
export function receiverOf<Client extends StoreClient, StoreClient>(
  mode: Mode,
  { webhooks, options: given, transact, handle }: Ways<Client, StoreClient>,
): Pick<Receiver, 'handle' | 'node'> {
  const options = { ...given, consumer: mode };
  if (mode === 'transaction') {
    if (!canRecord<Client, StoreClient>(options)) throw new Error('The store has no transactions.');
    return webhooks.receiver<StoreClient, Client>({
      ...options,
      on: { 'refund.failed': ({ id }, context) => handle({ id, mode, ...context }) },
      transaction: transact,
    });
  }
  return webhooks.receiver<StoreClient>({
    ...options,
    on: {
      'refund.failed': ({ id }, context) => {
        const handling = { id, mode, scope: context.scope, operationId: context.operationId };
        if (mode === 'leased') return handle({ ...handling, client: undefined });
        return transact(async (client) => {
          await handle({ ...handling, client });
          await context.completeIn(client);
        });
      },
    },
  });
}
