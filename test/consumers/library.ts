/** A package that exports what the SDK returns: each type in its declarations must have a name there. */

import {
  PagePromise,
  type PaymentsClient,
  type PaymentsClientOptions,
  type RouteName,
  type StandardSchema,
} from 'payments-client';

const by = { operationId: 'order-1' };
const intent = { amount: 1200, currency: 'usd' };
const line = { name: 'Tea', amount: 1200, currency: 'usd', quantity: 1 };
const session = { mode: 'payment', line_items: [line] } as const;

/** The result of every method. */
export const results = {
  'checkoutSessions.create': async (p: PaymentsClient) => p.checkoutSessions.create(session, by),
  'checkoutSessions.retrieve': async (p: PaymentsClient) => p.checkoutSessions.retrieve('cs_1'),
  'checkoutSessions.list': async (p: PaymentsClient) => p.checkoutSessions.list(),
  'checkoutSessions.expire': async (p: PaymentsClient) => p.checkoutSessions.expire('cs_1', by),
  'checkoutSessions.expand': async (p: PaymentsClient) => p.checkoutSessions.expand('cs_1'),
  'checkoutSessions.refund': async (p: PaymentsClient) =>
    p.checkoutSessions.refund('cs_1', { amount: 5 }, by),
  'paymentIntents.create': async (p: PaymentsClient) => p.paymentIntents.create(intent, by),
  'paymentIntents.retrieve': async (p: PaymentsClient) => p.paymentIntents.retrieve('pi_1'),
  'paymentIntents.list': async (p: PaymentsClient) => p.paymentIntents.list(),
  'paymentIntents.confirm': async (p: PaymentsClient) =>
    p.paymentIntents.confirm('pi_1', { payment_method: 'pm_1' }, by),
  'paymentIntents.capture': async (p: PaymentsClient) => p.paymentIntents.capture('pi_1', {}, by),
  'paymentIntents.cancel': async (p: PaymentsClient) => p.paymentIntents.cancel('pi_1', by),
  'paymentIntents.retryWithNewPaymentMethod': async (p: PaymentsClient) =>
    p.paymentIntents.retryWithNewPaymentMethod('pi_1', { payment_method: 'pm_2' }, by),
  'paymentIntents.refund': async (p: PaymentsClient) => p.paymentIntents.refund('pi_1', {}, by),
  'charges.retrieve': async (p: PaymentsClient) => p.charges.retrieve('ch_1'),
  'charges.list': async (p: PaymentsClient) => p.charges.list(),
  'refunds.create': async (p: PaymentsClient) => p.refunds.create({ charge_id: 'ch_1' }, by),
  'refunds.retrieve': async (p: PaymentsClient) => p.refunds.retrieve('rf_1'),
  'refunds.list': async (p: PaymentsClient) => p.refunds.list(),
  'refunds.retry': async (p: PaymentsClient) => p.refunds.retry('rf_1', by),
  'customers.create': async (p: PaymentsClient) => p.customers.create({ first_name: 'Ada' }, by),
  'customers.retrieve': async (p: PaymentsClient) => p.customers.retrieve('cus_1'),
  'customers.update': async (p: PaymentsClient) =>
    p.customers.update('cus_1', { email: 'ada@example.com' }, by),
  'customers.delete': async (p: PaymentsClient) => p.customers.delete('cus_1'),
  'customers.restore': async (p: PaymentsClient) => p.customers.restore('cus_1', by),
  'customers.list': async (p: PaymentsClient) => p.customers.list(),
  'invoices.retrieve': async (p: PaymentsClient) => p.invoices.retrieve('inv_1'),
  'invoices.list': async (p: PaymentsClient) => p.invoices.list(),
  'invoices.updatePaymentMethod': async (p: PaymentsClient) =>
    p.invoices.updatePaymentMethod('inv_1', { payment_method: 'pm_1' }, by),
  'subscriptions.create': async (p: PaymentsClient) =>
    p.subscriptions.create({ customer: 'cus_1', items: [{ price: 'price_1' }] }, by),
  'subscriptions.retrieve': async (p: PaymentsClient) => p.subscriptions.retrieve('sub_1'),
  'subscriptions.update': async (p: PaymentsClient) =>
    p.subscriptions.update('sub_1', { cancel_at_period_end: true }, by),
  'subscriptions.cancel': async (p: PaymentsClient) => p.subscriptions.cancel('sub_1', by),
  'subscriptions.list': async (p: PaymentsClient) => p.subscriptions.list(),
  'creditNotes.create': async (p: PaymentsClient) => p.creditNotes.create({ invoice: 'inv_1' }, by),
  'creditNotes.retrieve': async (p: PaymentsClient) => p.creditNotes.retrieve('cn_1'),
  'creditNotes.void': async (p: PaymentsClient) => p.creditNotes.void('cn_1', by),
  'creditNotes.list': async (p: PaymentsClient) => p.creditNotes.list(),
  'terminalBatches.retrieve': async (p: PaymentsClient) => p.terminalBatches.retrieve('tmb_1'),
  'terminalBatches.list': async (p: PaymentsClient) => p.terminalBatches.list(),
  'products.create': async (p: PaymentsClient) => p.products.create({ name: 'Tea' }, by),
  'products.retrieve': async (p: PaymentsClient) => p.products.retrieve('prod_1'),
  'products.update': async (p: PaymentsClient) => p.products.update('prod_1', { name: 'Tea' }, by),
  'products.delete': async (p: PaymentsClient) => p.products.delete('prod_1'),
  'products.list': async (p: PaymentsClient) => p.products.list(),
  'prices.create': async (p: PaymentsClient) => p.prices.create({ amount: 5 }, by),
  'prices.retrieve': async (p: PaymentsClient) => p.prices.retrieve('price_1'),
  'prices.update': async (p: PaymentsClient) => p.prices.update('price_1', { active: false }, by),
  'prices.delete': async (p: PaymentsClient) => p.prices.delete('price_1'),
  'prices.list': async (p: PaymentsClient) => p.prices.list(),
  'paymentMethods.create': async (p: PaymentsClient) => p.paymentMethods.create({ token: 'tok' }, by),
  'paymentMethods.retrieve': async (p: PaymentsClient) => p.paymentMethods.retrieve('pm_1'),
  'paymentMethods.update': async (p: PaymentsClient) => p.paymentMethods.update('pm_1', { zip: '90210' }, by),
  'paymentMethods.delete': async (p: PaymentsClient) => p.paymentMethods.delete('pm_1'),
  'paymentMethods.list': async (p: PaymentsClient) => p.paymentMethods.list(),
  'terminals.create': async (p: PaymentsClient) => p.terminals.create({ label: 'Bar' }, by),
  'terminals.retrieve': async (p: PaymentsClient) => p.terminals.retrieve('tmr_1'),
  'terminals.update': async (p: PaymentsClient) => p.terminals.update('tmr_1', { label: 'Bar' }, by),
  'terminals.delete': async (p: PaymentsClient) => p.terminals.delete('tmr_1'),
  'terminals.list': async (p: PaymentsClient) => p.terminals.list(),
  'settlementProfiles.retrieve': async (p: PaymentsClient) => p.settlementProfiles.retrieve('stlp_1'),
  'settlementProfiles.list': async (p: PaymentsClient) => p.settlementProfiles.list(),
  'apiKeys.create': async (p: PaymentsClient) => p.apiKeys.create({ name: 'CI' }, by),
  'apiKeys.retrieve': async (p: PaymentsClient) => p.apiKeys.retrieve('key_1'),
  'apiKeys.delete': async (p: PaymentsClient) => p.apiKeys.delete('key_1'),
  'apiKeys.list': async (p: PaymentsClient) => p.apiKeys.list(),
  'webhookEndpoints.create': async (p: PaymentsClient) =>
    p.webhookEndpoints.create({ url: 'http://localhost:3000/hook' }, by),
  'webhookEndpoints.retrieve': async (p: PaymentsClient) => p.webhookEndpoints.retrieve('we_1'),
  'webhookEndpoints.update': async (p: PaymentsClient) =>
    p.webhookEndpoints.update('we_1', { enabled: false }, by),
  'webhookEndpoints.delete': async (p: PaymentsClient) => p.webhookEndpoints.delete('we_1'),
  'webhookEndpoints.list': async (p: PaymentsClient) => p.webhookEndpoints.list(),
  'accounts.retrieve': async (p: PaymentsClient) => p.accounts.retrieve('acct_1'),
  'accounts.list': async (p: PaymentsClient) => p.accounts.list(),
  'connections.retrieve': async (p: PaymentsClient) => p.connections.retrieve('conn_1'),
  'connections.list': async (p: PaymentsClient) => p.connections.list(),
  'accountLinks.create': async (p: PaymentsClient) =>
    p.accountLinks.create({ external_reference: 'm-7' }, by),
  'accountLinks.retrieve': async (p: PaymentsClient) => p.accountLinks.retrieve('link_1'),
  'accountLinks.list': async (p: PaymentsClient) => p.accountLinks.list(),
} satisfies Record<RouteName, unknown>;

/** The promises, the pages, and the details of a response. */
export const calls = {
  create: (p: PaymentsClient) => p.refunds.create({ charge_id: 'ch_1' }, by),
  withResponse: async (p: PaymentsClient) => p.refunds.retrieve('rf_1').withResponse(),
  list: (p: PaymentsClient) => p.prices.list(),
  pages: (p: PaymentsClient) => p.charges.list().pages(),
  toArray: (p: PaymentsClient) => p.invoices.list().toArray({ max: 5 }),
  nextPage: async (p: PaymentsClient) => (await p.customers.list()).nextPage(),
  waitFor: async (p: PaymentsClient) => p.paymentIntents.waitFor('pi_1'),
  request: (p: PaymentsClient) => p.request({ method: 'GET', path: '/v1/payouts', parse: Number }),
  sale: async (p: PaymentsClient) => p.transact.sale({ amount: '12.00', payment_token: 'token' }),
  open: (p: PaymentsClient) => p.journal.open(),
  resume: (p: PaymentsClient) => p.journal.resume(),
  plan: (p: PaymentsClient) => p.journal.plan(),
};

/** Options, with defaults of the library. */
export const options = {
  ofClient: (given: PaymentsClientOptions) => ({ timeout: 5_000, ...given }),
  ofSettle: (p: PaymentsClient) => p.journal.settle,
};

/** Fields of resources. */
export const fields = {
  status: async (p: PaymentsClient) => (await p.refunds.retrieve('rf_1')).status,
  id: async (p: PaymentsClient) => (await p.refunds.retrieve('rf_1')).charge_id,
  lines: async (p: PaymentsClient) => (await p.invoices.retrieve('inv_1')).lines,
  sessionLines: async (p: PaymentsClient) => (await p.checkoutSessions.retrieve('cs_1')).line_items,
  items: async (p: PaymentsClient) => (await p.subscriptions.retrieve('sub_1')).items,
  totals: async (p: PaymentsClient) => (await p.terminalBatches.retrieve('tmb_1')).totals,
};

interface Product {
  readonly id: string;
  readonly name: string;
}

/** Collections with a schema of the library. */
export const withSchema = {
  products: (p: PaymentsClient, schema: StandardSchema<Product>) => p.products.withSchema(schema),
  accounts: (p: PaymentsClient, schema: StandardSchema<Product>) => p.accounts.withSchema(schema),
};

// @ts-expect-error: a class that is exported as a type does not exist at run time
export const isList = (value: unknown) => value instanceof PagePromise;

declare const client: PaymentsClient;

/** The parts of a client. */
export const { refunds, charges, customers, paymentIntents, checkoutSessions, subscriptions } = client;
export const { invoices, creditNotes, terminalBatches, products, journal } = client;
export const planned = client.journal.plan().refunds;
