import type { Api } from '../http/execute.ts';
import type { Id, IdKind } from './fields/ids.ts';
import { Charges } from './objects/charges.ts';
import { CheckoutSessions } from './objects/checkout-sessions.ts';
import { CreditNotes } from './objects/credit-notes.ts';
import { Customers } from './objects/customers.ts';
import { Invoices } from './objects/invoices.ts';
import { type UntypedCollection, WritableCollection } from './objects/open-collections.ts';
import { openCollection, prefixedCollection, type UntypedResource } from './objects/open-resource.ts';
import { PaymentIntents } from './objects/payment-intents.ts';
import { Refunds } from './objects/refunds.ts';
import { Subscriptions } from './objects/subscriptions.ts';
import { TerminalBatches } from './objects/terminal-batches.ts';

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
  /** Products that are sold. The path of their list is *shown*. */
  readonly products: UntypedCollection<UntypedResource>;
  /** Prices of products. */
  readonly prices: UntypedCollection<UntypedResource<Id<'price'>>, 'price'>;
  /** Cards and other payment methods. */
  readonly paymentMethods: UntypedCollection<UntypedResource<Id<'payment_method'>>, 'payment_method'>;
  /** Card readers. */
  readonly terminals: UntypedCollection<UntypedResource<Id<'terminal'>>, 'terminal'>;
  /** How money is paid out. */
  readonly settlementProfiles: UntypedCollection<
    UntypedResource<Id<'settlement_profile'>>,
    'settlement_profile',
    never
  >;
  /** Keys of the API. Without a `limit`, the list is one complete page (*shown*). */
  readonly apiKeys: UntypedCollection<UntypedResource, never, 'create' | 'delete'>;
  /** Addresses that events are sent to. Without a `limit`, the list is one complete page (*shown*). */
  readonly webhookEndpoints: UntypedCollection<UntypedResource>;
  /** Merchants of a platform. */
  readonly accounts: UntypedCollection<UntypedResource, never, never>;
  /** Accounts connected to a platform. */
  readonly connections: UntypedCollection<UntypedResource, never, never>;
  /**
   * Links with which merchants connect an account. Save the id of each link with your customer, and find the customer by
   * this id: `external_reference` may repeat (*shown*).
   */
  readonly accountLinks: UntypedCollection<UntypedResource, never, 'create'>;

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
    const open = (name: string, object: string) => new WritableCollection(api, openCollection(name, object));
    const prefixed = <Kind extends IdKind>(name: string, kind: Kind) =>
      new WritableCollection(api, prefixedCollection(name, kind));
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
