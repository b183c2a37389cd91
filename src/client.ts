import { ConfigurationError, type Issue } from './base/errors.ts';
import { optionsOf, unchecked } from './base/options.ts';
import { environmentVariable } from './base/runtime.ts';
import * as s from './base/schema.ts';
import type { Api } from './http/api.ts';
import type { ApiPromise } from './http/api-promise.ts';
import { connectionFields, resolveConnection } from './http/config.ts';
import type { ConnectionOptions, MoneyOptions, RequestOptions, WriteOptions } from './http/options.ts';
import {
  type RawReadRequest,
  type RawRequest,
  type RawWriteRequest,
  repeatRaw,
  sendRaw,
} from './http/raw-request.ts';
import type { RouteOverride } from './http/route.ts';
import { type Secret, secretIssues } from './http/secret.ts';
import { runtimeTransport } from './http/transport/fetch.ts';
import type { Transport } from './http/transport/transport.ts';
import { Journal } from './journal/journal.ts';
import { type JournalOptions, openLog } from './journal/options.ts';
import { Charges } from './resources/charges.ts';
import { CheckoutSessions } from './resources/checkout-sessions.ts';
import { CreditNotes } from './resources/credit-notes.ts';
import { Customers } from './resources/customers.ts';
import type { IdKind } from './resources/ids.ts';
import { Invoices } from './resources/invoices.ts';
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
} from './resources/open-collections.ts';
import { openCollection, prefixedCollection } from './resources/open-resource.ts';
import { PaymentIntents } from './resources/payment-intents.ts';
import { Refunds } from './resources/refunds.ts';
import type { RouteName } from './resources/routes.ts';
import {
  readServiceInterface,
  resolveServiceRoutes,
  type ServiceInterface,
} from './resources/service-interface.ts';
import { Subscriptions } from './resources/subscriptions.ts';
import { TerminalBatches } from './resources/terminal-batches.ts';
import { type FormOptions, formFields, givenKeyIssues, Transact } from './transact/transact.ts';

/** Options of a {@link PaymentsClient}. */
export interface PaymentsClientOptions extends ConnectionOptions, FormOptions {
  /**
   * The secret key, for example `sk_v1_test_…`, or a function that gives the current one before each call.
   * Default: the environment variable `PAYMENTS_SECRET_KEY`.
   */
  readonly secretKey?: Secret | undefined;
  /**
   * Corrections of inferred paths.
   *
   * @example { 'paymentIntents.retrieve': 'GET /v1/payments/{id}' }
   */
  readonly routes?: Readonly<Partial<Record<RouteName, RouteOverride>>> | undefined;
  /** The field of a page that holds its items. Default: found in each page. */
  readonly itemsField?: string | undefined;
  /**
   * What is known of the forms that the service uses, as `npx payments-client probe` writes it: the content of
   * `payments.interface.json`. The options above outrank it. Default on Node, Bun and Deno: the file that the environment variable
   * `PAYMENTS_INTERFACE` names.
   */
  readonly interface?: ServiceInterface | Readonly<Record<string, unknown>> | undefined;
  /**
   * Writes each call that moves money down before it is sent, and its end. A repeated call then gives the recorded result, also after the
   * service forgot the key, and sales of the form endpoint take an `operationId`. Default: no journal.
   */
  readonly journal?: JournalOptions | undefined;
}

/** What the client asks of its runtime. */
export interface Runtime {
  /** Sends requests where the user gave no `fetch`. */
  readonly transport: () => Transport;
  /** Reads the file that `PAYMENTS_INTERFACE` names; absent where there are no files. */
  readonly readInterface?: (() => unknown) | undefined;
}

const fieldText = 'the name of a field';

const optionsSchema = optionsOf<PaymentsClientOptions>({
  ...connectionFields,
  ...formFields,
  // Checked by functions of their own.
  secretKey: unchecked(),
  routes: unchecked(),
  itemsField: s.optional(s.string(fieldText).check(s.filled(fieldText))),
  interface: unchecked(),
  journal: unchecked(),
});

/**
 * The client of the payment service: one module per collection, and `transact` for the form endpoint.
 *
 * One client may be shared by the whole program. It holds no connection and no timer of its own. Neither
 * `util.inspect` nor `JSON.stringify` shows its keys.
 *
 * @example
 * const payments = new PaymentsClient({ baseUrl: 'https://payments.example.com', secretKey: 'sk_v1_test_…' });
 */
export class PaymentsClient {
  /** Hosted checkouts. */
  readonly checkoutSessions: CheckoutSessions;
  /** Payments from their intent to their capture. */
  readonly paymentIntents: PaymentIntents;
  /** Money taken from buyers. */
  readonly charges: Charges;
  /** Money given back. */
  readonly refunds: Refunds;
  /** Those who pay. */
  readonly customers: Customers;
  /** Bills. */
  readonly invoices: Invoices;
  /** What is paid for again and again. */
  readonly subscriptions: Subscriptions;
  /** What is taken off invoices. */
  readonly creditNotes: CreditNotes;
  /** Transactions of card readers that are settled together. */
  readonly terminalBatches: TerminalBatches;
  /** What is sold. */
  readonly products: Products;
  /** What products cost. */
  readonly prices: Prices;
  /** What is paid with. */
  readonly paymentMethods: PaymentMethods;
  /** Card readers. */
  readonly terminals: Terminals;
  /** How money is paid out. */
  readonly settlementProfiles: SettlementProfiles;
  /** Keys of the API. */
  readonly apiKeys: ApiKeys;
  /** Where events are sent. */
  readonly webhookEndpoints: WebhookEndpoints;
  /** Merchants of a platform. */
  readonly accounts: Accounts;
  /** Accounts connected to a platform. */
  readonly connections: Connections;
  /** Links by which merchants connect an account. */
  readonly accountLinks: AccountLinks;
  readonly #api: Api;
  readonly #makeTransact: () => Transact;
  #transact: Transact | undefined;
  readonly #journal: Journal | undefined;

  /** @throws ConfigurationError that names every option that is missing or wrong. */
  constructor(options?: PaymentsClientOptions);
  /** @internal The entry of a runtime says what there is. */
  constructor(options: PaymentsClientOptions | undefined, runtime: Runtime);
  constructor(options: PaymentsClientOptions = {}, runtime: Runtime = { transport: runtimeTransport }) {
    // Without types it may be null: then what is missing is named.
    options = Object(options);
    const secretKey = options.secretKey ?? environmentVariable('PAYMENTS_SECRET_KEY');
    const { known, issues: interfaceIssues } = readServiceInterface(
      options.interface ?? runtime.readInterface?.(),
    );
    const { routes, issues: routeIssues } = resolveServiceRoutes(known, options.routes);
    const ownIssues: Issue[] = [
      ...interfaceIssues,
      ...secretIssues('secretKey', 'PAYMENTS_SECRET_KEY', secretKey),
      ...givenKeyIssues(options),
      ...routeIssues,
    ];
    const forms = { ...known, itemsField: options.itemsField ?? known.itemsField };
    const { log, issues: journalIssues } = openLog(options.journal);
    ownIssues.push(...journalIssues);
    const connection = resolveConnection(options, optionsSchema, ownIssues, runtime.transport, {
      forms,
      journal: log,
    });
    this.#journal = log && new Journal(log, (request) => repeatRaw(this.#api, request));
    for (const secret of [secretKey, options.securityKey ?? environmentVariable('PAYMENTS_SECURITY_KEY')]) {
      if (typeof secret === 'string') connection.redactor.learn(secret);
    }
    const {
      secretKey: _,
      routes: __,
      itemsField: ___,
      interface: ____,
      journal: _____,
      ...transactOptions
    } = options;
    const formEncoding = options.formEncoding ?? known.formEncoding;
    const formAmounts = options.formAmounts ?? known.formAmounts;
    this.#makeTransact = () => new Transact({ ...transactOptions, formEncoding, formAmounts }, connection);
    this.#api = { connection, secretKey: secretKey ?? '', routes };
    this.checkoutSessions = new CheckoutSessions(this.#api);
    this.paymentIntents = new PaymentIntents(this.#api);
    this.charges = new Charges(this.#api);
    this.refunds = new Refunds(this.#api);
    this.customers = new Customers(this.#api);
    this.invoices = new Invoices(this.#api);
    this.subscriptions = new Subscriptions(this.#api);
    this.creditNotes = new CreditNotes(this.#api);
    this.terminalBatches = new TerminalBatches(this.#api);
    const open = (name: string, object: string) =>
      new OpenCollection(this.#api, openCollection(name, object));
    const prefixed = <Kind extends IdKind>(name: string, kind: Kind) =>
      new OpenCollection(this.#api, prefixedCollection(name, kind));
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

  /**
   * The form endpoint.
   *
   * @throws ConfigurationError when there is no `securityKey`.
   */
  get transact(): Transact {
    this.#transact ??= this.#makeTransact();
    return this.#transact;
  }

  /**
   * The operations that were written down.
   *
   * @throws ConfigurationError when the client has no `journal`.
   */
  get journal(): Journal {
    if (this.#journal !== undefined) return this.#journal;
    const issue = {
      path: 'journal',
      expected: 'a journal, such as { store: memoryStore() }',
      received: 'nothing',
    };
    throw new ConfigurationError([issue], 'Give the client a journal.');
  }

  /**
   * Sends a request that no module covers, with the same key, retries, time-outs and errors. The result is the
   * parsed JSON, `undefined` where the body is empty, or what `parse` makes of it.
   *
   * A request other than GET and DELETE may move money, so it needs an `operationId` or an `idempotencyKey`,
   * unless it says `movesMoney: false`.
   *
   * @throws InvalidRequestError when the path, the query or the body cannot be sent; nothing was sent.
   * @throws ApiError when the service refuses.
   *
   * @example
   * await payments.request({ method: 'POST', path: '/v1/payouts', body: { amount: 500 } }, { operationId: 'payout-7' });
   */
  request<T = unknown>(request: RawReadRequest<T>, options?: RequestOptions): ApiPromise<T>;
  request<T = unknown>(
    request: RawWriteRequest<T> & { readonly movesMoney: false },
    options?: WriteOptions,
  ): ApiPromise<T>;
  request<T = unknown>(request: RawWriteRequest<T>, options: MoneyOptions): ApiPromise<T>;
  request(request: RawRequest<unknown>, options?: WriteOptions): ApiPromise<unknown> {
    // What is no object has no method, and is refused for that.
    return sendRaw(this.#api, Object(request), options);
  }
}
