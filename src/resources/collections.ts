import type { Api } from '../http/api.ts';
import { Charges } from './charges.ts';
import { CheckoutSessions } from './checkout-sessions.ts';
import { CreditNotes } from './credit-notes.ts';
import { Customers } from './customers.ts';
import type { IdKind } from './ids.ts';
import { Invoices } from './invoices.ts';
import {
  type AccountLinks,
  type Accounts,
  type ApiKeys,
  type Connections,
  OpenCollection,
  type PaymentMethods,
  type Prices,
  type Products,
  type SettlementProfiles,
  type Terminals,
  type WebhookEndpoints,
} from './open-collections.ts';
import { openCollection, prefixedCollection } from './open-resource.ts';
import { PaymentIntents } from './payment-intents.ts';
import { Refunds } from './refunds.ts';
import { Subscriptions } from './subscriptions.ts';
import { TerminalBatches } from './terminal-batches.ts';

/** One module per collection of the service. */
export class Collections {
  /** Hosted checkouts. */
  readonly checkoutSessions: CheckoutSessions;
  /** Payments, from creation to capture. */
  readonly paymentIntents: PaymentIntents;
  /** Money taken from buyers. */
  readonly charges: Charges;
  /** Refunds of payments. */
  readonly refunds: Refunds;
  /** Buyers and their contact details. */
  readonly customers: Customers;
  /** Invoices and their collection. */
  readonly invoices: Invoices;
  /** Recurring billing. */
  readonly subscriptions: Subscriptions;
  /** Credits against invoices. */
  readonly creditNotes: CreditNotes;
  /** Transactions of card readers that are settled together. */
  readonly terminalBatches: TerminalBatches;
  /** Products that are sold. */
  readonly products: Products;
  /** Prices of products. */
  readonly prices: Prices;
  /** Cards and other payment methods. */
  readonly paymentMethods: PaymentMethods;
  /** Card readers. */
  readonly terminals: Terminals;
  /** How money is paid out. */
  readonly settlementProfiles: SettlementProfiles;
  /** Keys of the API. */
  readonly apiKeys: ApiKeys;
  /** Addresses that events are sent to. */
  readonly webhookEndpoints: WebhookEndpoints;
  /** Merchants of a platform. */
  readonly accounts: Accounts;
  /** Accounts connected to a platform. */
  readonly connections: Connections;
  /** Links with which merchants connect an account. */
  readonly accountLinks: AccountLinks;

  /** @internal */
  constructor(api: Api) {
    this.checkoutSessions = new CheckoutSessions(api);
    this.paymentIntents = new PaymentIntents(api);
    this.charges = new Charges(api);
    this.refunds = new Refunds(api);
    this.customers = new Customers(api);
    this.invoices = new Invoices(api);
    this.subscriptions = new Subscriptions(api);
    this.creditNotes = new CreditNotes(api);
    this.terminalBatches = new TerminalBatches(api);
    const open = (name: string, object: string) => new OpenCollection(api, openCollection(name, object));
    const prefixed = <Kind extends IdKind>(name: string, kind: Kind) =>
      new OpenCollection(api, prefixedCollection(name, kind));
    this.products = open('products', 'product');
    this.prices = prefixed('prices', 'price');
    this.paymentMethods = prefixed('paymentMethods', 'payment_method');
    this.terminals = prefixed('terminals', 'terminal');
    this.settlementProfiles = prefixed('settlementProfiles', 'settlement_profile');
    this.apiKeys = open('apiKeys', 'api_key');
    this.webhookEndpoints = open('webhookEndpoints', 'webhook_endpoint');
    this.accounts = open('accounts', 'account');
    this.connections = open('connections', 'connection');
    this.accountLinks = open('accountLinks', 'account_link');
  }
}
