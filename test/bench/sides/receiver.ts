import { memoryStore, type PostgresClient, postgresStore } from 'payments-client/stores';
import { timestampedHmac, Webhooks } from 'payments-client/webhooks';
import { inTransaction } from '../../support/pg-transaction.ts';
import { insertEffect, openPool, type ReceiverJob } from '../receiving.ts';
import { webhookSecret } from '../records.ts';

const webhooks = new Webhooks({
  secret: webhookSecret,
  scheme: timestampedHmac({ header: 'stripe-signature' }),
});

const type = 'payment_intent.succeeded';

export const memory: ReceiverJob = () => {
  const seen = new Set<string>();
  return webhooks.receiver({ store: memoryStore(), on: { [type]: ({ id }) => seen.add(id) } }).node;
};

export const inline: ReceiverJob = async (database) => {
  const pool = await openPool(database);
  const store = postgresStore(pool);
  await store.migrate();
  return webhooks.receiver({ store, on: { [type]: ({ id }) => insertEffect(pool, id) } }).node;
};

export const transaction: ReceiverJob = async (database) => {
  const pool = await openPool(database);
  const store = postgresStore(pool);
  await store.migrate();
  return webhooks.receiver({
    store,
    transaction: (run: (client: PostgresClient) => Promise<void>) => inTransaction(pool, run),
    on: { [type]: ({ id }, { client }) => insertEffect(client, id) },
  }).node;
};
