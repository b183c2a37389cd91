import type { PaymentsClient } from 'payments-client';
import type { SandboxKind } from 'payments-client-sandbox';

/** The names of a collection on the wire and in the client, and a valid id. */
export interface CollectionCase {
  /** The name in the client. */
  readonly name: string;
  /** The value of `object`, which also names its field tables if it has any. */
  readonly object: SandboxKind;
  /** Its name on the wire. */
  readonly plural: string;
  readonly id: string;
  readonly of: (payments: PaymentsClient) => Pick<PaymentsClient['accounts'], 'list' | 'retrieve'>;
}

/** Every collection of the client. */
export const everyCollection: readonly CollectionCase[] = [
  {
    name: 'checkoutSessions',
    object: 'checkout_session',
    plural: 'sessions',
    id: 'cs_1',
    of: (p) => p.checkoutSessions,
  },
  {
    name: 'paymentIntents',
    object: 'payment_intent',
    plural: 'payment_intents',
    id: 'pi_1',
    of: (p) => p.paymentIntents,
  },
  { name: 'charges', object: 'charge', plural: 'charges', id: 'ch_1', of: (p) => p.charges },
  { name: 'refunds', object: 'refund', plural: 'refunds', id: 'rf_1', of: (p) => p.refunds },
  { name: 'customers', object: 'customer', plural: 'customers', id: 'cus_1', of: (p) => p.customers },
  { name: 'invoices', object: 'invoice', plural: 'invoices', id: 'inv_1', of: (p) => p.invoices },
  {
    name: 'subscriptions',
    object: 'subscription',
    plural: 'subscriptions',
    id: 'sub_1',
    of: (p) => p.subscriptions,
  },
  {
    name: 'creditNotes',
    object: 'credit_note',
    plural: 'credit_notes',
    id: 'cn_1',
    of: (p) => p.creditNotes,
  },
  {
    name: 'terminalBatches',
    object: 'terminal_batch',
    plural: 'terminal_batches',
    id: 'tmb_1',
    of: (p) => p.terminalBatches,
  },
  { name: 'products', object: 'product', plural: 'products', id: 'prod_1', of: (p) => p.products },
  { name: 'prices', object: 'price', plural: 'prices', id: 'price_1', of: (p) => p.prices },
  {
    name: 'paymentMethods',
    object: 'payment_method',
    plural: 'payment_methods',
    id: 'pm_1',
    of: (p) => p.paymentMethods,
  },
  { name: 'terminals', object: 'terminal', plural: 'terminals', id: 'tmr_1', of: (p) => p.terminals },
  {
    name: 'settlementProfiles',
    object: 'settlement_profile',
    plural: 'settlement_profiles',
    id: 'stlp_1',
    of: (p) => p.settlementProfiles,
  },
  { name: 'apiKeys', object: 'api_key', plural: 'api_keys', id: 'key_1', of: (p) => p.apiKeys },
  {
    name: 'webhookEndpoints',
    object: 'webhook_endpoint',
    plural: 'webhook_endpoints',
    id: 'we_1',
    of: (p) => p.webhookEndpoints,
  },
  { name: 'accounts', object: 'account', plural: 'accounts', id: 'acct_1', of: (p) => p.accounts },
  {
    name: 'connections',
    object: 'connection',
    plural: 'connections',
    id: 'conn_1',
    of: (p) => p.connections,
  },
  {
    name: 'accountLinks',
    object: 'account_link',
    plural: 'account_links',
    id: 'link_1',
    of: (p) => p.accountLinks,
  },
];
