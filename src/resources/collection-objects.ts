import type { ResourceName } from './resource-types.ts';
import type { RouteName } from './routes.ts';

/** The name of a collection in the client, for example `refunds`. */
export type CollectionName = RouteName extends `${infer Name}.${string}` ? Name : never;

/** What each collection holds, by the name in the field `object`. */
export const collectionObjects: Readonly<Record<CollectionName, ResourceName>> = {
  checkoutSessions: 'checkout_session',
  paymentIntents: 'payment_intent',
  charges: 'charge',
  refunds: 'refund',
  customers: 'customer',
  invoices: 'invoice',
  subscriptions: 'subscription',
  creditNotes: 'credit_note',
  terminalBatches: 'terminal_batch',
  products: 'product',
  prices: 'price',
  paymentMethods: 'payment_method',
  terminals: 'terminal',
  settlementProfiles: 'settlement_profile',
  apiKeys: 'api_key',
  webhookEndpoints: 'webhook_endpoint',
  accounts: 'account',
  connections: 'connection',
  accountLinks: 'account_link',
};

/** Whether a text is the name of a collection. */
export function isCollectionName(name: string): name is CollectionName {
  return Object.hasOwn(collectionObjects, name);
}

/** The names of all collections. */
export const collectionNames: readonly CollectionName[] =
  Object.keys(collectionObjects).filter(isCollectionName);
