import { brandClass, type Issue, refuseValue } from './base/errors.ts';
import { environmentVariable } from './base/runtime/runtime.ts';
import { having, nonBlank, optionsObject, optionsOf, timeFrom, unchecked } from './base/schema/options.ts';
import * as s from './base/schema/schema.ts';
import { type DrainOptions, drainTime } from './base/work.ts';
import type { ApiPromise } from './http/api-promise.ts';
import { connectionFields, resolveConnection } from './http/client/connection.ts';
import type {
  ConnectionOptions,
  RequestOptions,
  WithOperationId,
  WriteOptions,
} from './http/client/options.ts';
import { type Api, execute } from './http/execute.ts';
import {
  type ExtraParametersOf,
  type FormMethod,
  resolveExtraParameters,
} from './http/request/extra-parameters.ts';
import { type RawReadRequest, type RawRequest, type RawWriteRequest, sendRaw } from './http/request/raw.ts';
import type { RouteOverride } from './http/request/route.ts';
import { refuseInBrowser, type Secret, secretIssues } from './http/request/secret.ts';
import { runtimeTransport } from './http/transport/fetch.ts';
import type { Transport } from './http/transport/transport.ts';
import type { ClientJournal } from './journal/create-journal.ts';
import type { Journal } from './journal/journal.ts';
import { Collections } from './resources/collections.ts';
import { checkoutPageIssues } from './resources/objects/checkout-page.ts';
import type { RouteName } from './resources/routes.ts';
import { correctionIssues } from './resources/service/corrections.ts';
import {
  readServiceInterface,
  resolveServiceRoutes,
  type ServiceInterface,
} from './resources/service/service-interface.ts';
import type { FormAmounts } from './transact/params.ts';
import { type FormOptions, formFields, givenKeyIssues, Transact } from './transact/transact.ts';

/** Options of a {@link PaymentsClient}. */
export interface PaymentsClientOptions extends ConnectionOptions, FormOptions {
  /**
   * The secret key, for example `sk_v1_test_…`, or a function that returns the current key and is called before each call.
   * Default: the environment variable `PAYMENTS_SECRET_KEY`.
   */
  readonly secretKey?: Secret | undefined;
  /**
   * Corrections of inferred paths.
   *
   * @example
   * new PaymentsClient({ routes: { 'paymentIntents.retrieve': 'GET /v1/payments/{id}' } });
   */
  readonly routes?: Readonly<Partial<Record<RouteName, RouteOverride>>> | undefined;
  /**
   * Parameters that the service takes beside those that the SDK knows, by method, in addition to those of the `interface`. All others are
   * refused before anything is sent, since the service would ignore them in silence: a part would be a whole, a discount none. A dot leads
   * into an object or a list, and a star at the end stands for any ending. They pass unchecked, and one that is named whole may stand for a
   * parameter of an `either … or`. The collections whose fields are not shown, `transact.submit` and `request` take any parameter. Default: none.
   *
   * @example
   * new PaymentsClient({
   *   extraParameters: {
   *     'refunds.create': ['payment_intent'],
   *     'checkoutSessions.create': ['line_items.tax_code'],
   *     'transact.sale': ['merchant_defined_field_*'],
   *   },
   * });
   */
  readonly extraParameters?: ExtraParametersOf<RouteName | FormMethod> | undefined;
  /**
   * The address of the hosted page of a checkout session (*inferred*: the interface does not show it; ask your provider), with `{id}`
   * where the session's id goes. It must be https, or a loopback host. Default: the environment variable `PAYMENTS_CHECKOUT_PAGE`;
   * without it, `checkoutSessions.pageUrl` throws.
   *
   * @example
   * new PaymentsClient({ checkoutPage: 'https://pay.example.com/checkout/{id}' });
   */
  readonly checkoutPage?: string | undefined;
  /** The field of a page that contains its items. Default: detected in each page. */
  readonly itemsField?: string | undefined;
  /**
   * The paths and formats that your service uses, as `npx payments-client probe` writes them to `payments.interface.json`.
   * The options above take precedence. Default on Node: the file that the environment variable `PAYMENTS_INTERFACE`
   * names.
   */
  readonly interface?: ServiceInterface | Readonly<Record<string, unknown>> | undefined;
  /**
   * Separates the operations of shops that share a key and number their orders alike: each `operationId` counts within its scope. It is part
   * of every idempotency key, so never change it, not even after a backup was restored. Default: none.
   */
  readonly operationScope?: string | undefined;
  /**
   * How long the service is assumed to remember an idempotency key, in ms. Within it, a decline or a replayed refusal of a repeated call says
   * what became of the earlier ones. With a journal, an older business operation whose outcome is unknown is not sent again: look it up.
   * Default: 86,400,000, a day (*inferred*: the interface does not show it).
   */
  readonly keyLifetime?: number | undefined;
  /**
   * What a repeated call returns that acted before: `present` retrieves the object as it is now, which costs a request. If that fails, or with
   * `recorded`, it is the recorded result with a mark that `isRecorded` reads. Default: `present`.
   */
  readonly repeats?: 'present' | 'recorded' | undefined;
  /**
   * The journal records each call that moves money and has an `operationId` or an `idempotencyKey` before it is sent, and its
   * result afterwards: `createJournal` of `payments-client/journal` makes it. With a journal, transactions of the form endpoint
   * but `validate` require an `operationId`. Default: no journal.
   *
   * @example
   * new PaymentsClient({ journal: createJournal({ store: sqliteStore('journal.sqlite') }) });
   */
  readonly journal?: ClientJournal | undefined;
}

/** What the client needs from its runtime. */
export interface Runtime {
  /** Sends requests if the user gave no `fetch`. */
  readonly transport: Transport;
  /** Reads the file that `PAYMENTS_INTERFACE` names; absent where there are no files. */
  readonly readInterface?: (() => unknown) | undefined;
}

const fieldText = 'the name of a field';
const aJournal = 'a journal, such as createJournal({ store: memoryStore() })';

const optionsSchema = /* @__PURE__ */ optionsOf<PaymentsClientOptions>(() => ({
  ...connectionFields(),
  ...formFields(),
  // Checked by functions of their own.
  secretKey: unchecked(),
  routes: unchecked(),
  checkoutPage: unchecked(),
  itemsField: s.optional(s.filled(fieldText)),
  interface: unchecked(),
  operationScope: s.optional(nonBlank('a non-blank name')),
  keyLifetime: s.optional(timeFrom(1)),
  repeats: s.optional(s.literal(['present', 'recorded'], "'present' or 'recorded'")),
  journal: s.optional(having<ClientJournal>(aJournal, 'openFor')),
}));

/** Options that decide how the rest of the package calls. */
interface ClientSettings {
  /** How long the service is assumed to remember an idempotency key, in ms. */
  readonly keyLifetime: number;
  readonly formAmounts: FormAmounts;
  readonly hasJournal: boolean;
}

/** The parts of a client. */
interface Parts {
  readonly api: Api;
  readonly securityKey: Secret | undefined;
  readonly formAmounts: FormAmounts;
  readonly makeTransact: () => Transact;
}

/** @throws ConfigurationError that names every option that is missing or wrong. */
function resolveOptions(options: PaymentsClientOptions, runtime: Runtime): Parts {
  refuseInBrowser('secretKey', options.dangerouslyAllowBrowser);
  const secretKey = options.secretKey ?? environmentVariable('PAYMENTS_SECRET_KEY');
  const { known, issues: interfaceIssues } = readServiceInterface(
    options.interface ?? runtime.readInterface?.(),
  );
  const { routes, issues: routeIssues } = resolveServiceRoutes(known, options.routes);
  const { extraParameters, issues: extraIssues } = resolveExtraParameters(
    [...routes.keys()],
    known.extraParameters,
    options.extraParameters,
  );
  const checkoutPage = options.checkoutPage ?? environmentVariable('PAYMENTS_CHECKOUT_PAGE');
  const ownIssues: Issue[] = [
    ...interfaceIssues,
    ...secretIssues('secretKey', 'PAYMENTS_SECRET_KEY', secretKey),
    ...givenKeyIssues(options),
    ...routeIssues,
    ...correctionIssues(known.routes, options.routes, routes),
    ...extraIssues,
    ...checkoutPageIssues(checkoutPage, options.allowInsecure === true),
  ];
  const forms = { ...known, itemsField: options.itemsField ?? known.itemsField };
  const connection = resolveConnection(options, optionsSchema, ownIssues, runtime.transport, {
    forms,
    extraParameters,
    journal: options.journal?.log,
    keyLifetime: options.keyLifetime,
    operationScope: options.operationScope,
    repeats: options.repeats,
  });
  const corrected = Object.entries(known.routes ?? {}).map(([name, route]) => `${name}: ${route}`);
  if (corrected.length > 0)
    connection.observer.info('the interface file corrects routes', { routes: corrected });
  const securityKey = options.securityKey ?? environmentVariable('PAYMENTS_SECURITY_KEY');
  for (const secret of [secretKey, securityKey]) {
    if (typeof secret === 'string') connection.redactor.keep(secret);
  }
  const formEncoding = options.formEncoding ?? known.formEncoding;
  const formAmounts = options.formAmounts ?? known.formAmounts ?? 'currency';
  return {
    api: {
      connection,
      execute,
      secretKey: secretKey ?? '',
      checkoutPage,
      routes,
    },
    securityKey,
    formAmounts,
    makeTransact: () => new Transact({ ...options, formEncoding, formAmounts }, connection),
  };
}

/**
 * The client of the payment service: one module per collection, and `transact` for the form endpoint.
 *
 * Share one client in the whole program, and `close` it at its end. It has no timers of its own. `util.inspect` and `JSON.stringify`
 * do not show its keys.
 *
 * @example
 * const payments = new PaymentsClient({ baseUrl: 'https://payments.example.com', secretKey: 'sk_v1_test_…' });
 */
export class PaymentsClient extends Collections {
  /** @internal */
  static readonly brand: symbol = /* @__PURE__ */ brandClass(this, 'PaymentsClient');
  readonly #api: Api;
  readonly #makeTransact: () => Transact;
  #transact: Transact | undefined;
  readonly #journal: Journal | undefined;
  readonly #settings: ClientSettings;

  /** @throws ConfigurationError that names every option that is missing or wrong. */
  constructor(options?: PaymentsClientOptions);
  /** @internal Called by the entry of each runtime. */
  constructor(options: PaymentsClientOptions | undefined, runtime: Runtime);
  constructor(options?: PaymentsClientOptions, runtime: Runtime = { transport: runtimeTransport }) {
    const given = optionsObject(options, 'new PaymentsClient({ baseUrl, secretKey })');
    const { api, securityKey, formAmounts, makeTransact } = resolveOptions(given, runtime);
    super(api);
    this.#api = api;
    this.#makeTransact = makeTransact;
    this.#journal = given.journal?.openFor(api, securityKey);
    const { keyLifetime } = api.connection.history;
    this.#settings = { keyLifetime, formAmounts, hasJournal: this.#journal !== undefined };
  }

  /** @internal What the rest of the package needs to know of the options. */
  get settings(): ClientSettings {
    return this.#settings;
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
   * The recorded business operations.
   *
   * @throws ConfigurationError when the client has no `journal`.
   */
  get journal(): Journal {
    if (this.#journal !== undefined) return this.#journal;
    return refuseValue('journal', aJournal, undefined, 'Give the client a journal.');
  }

  /**
   * Stops this client, for example on SIGTERM. It accepts no new calls, waits for those in progress, aborts the rest after `timeout`
   * (10 s by default), and waits until the journal has recorded all of them. Close the journal's store afterwards.
   *
   * A new call, and one that was aborted, is refused with a `RequestAbortedError` of the code `CLIENT_CLOSED`. What was never sent has the outcome
   * `not_executed`, and any process may send it at once. Repeat a call of unknown outcome with the same `operationId`. With a journal, a sale that may have left
   * is recorded as `unknown`, and not sent again. A store that does not answer delays the end by up to 15 s.
   *
   * @throws ConfigurationError for a wrong or unknown option; the client stays open.
   *
   * @example
   * process.once('SIGTERM', async () => {
   *   await receiver.drain();
   *   await payments.close();
   *   await pool.end();
   * });
   */
  async close(options: DrainOptions = {}): Promise<void> {
    const timeout = drainTime('payments.close', options);
    const { underWay, observer, journal } = this.#api.connection;
    const aborted = await underWay.close(timeout);
    if (aborted > 0) observer.warn(`close: aborted ${aborted} calls that took longer`, { aborted, timeout });
    await journal?.idle();
  }

  /**
   * Sends a request that no method covers, with the same secret key, retries, timeouts and errors. The body is sent as it is: no field of it
   * is unknown. Returns the parsed JSON, `undefined` for an empty body, or the result of `parse`.
   *
   * A request other than GET and DELETE may move money, so it needs an `operationId` or an `idempotencyKey`, unless it has
   * `movesMoney: false`.
   *
   * @throws InvalidRequestError when the path, the query or the body cannot be sent; nothing was sent.
   * @throws ApiError when the service rejects the request.
   *
   * @example
   * await payments.request({ method: 'POST', path: '/v1/payouts', body: { amount: 500 } }, { operationId: 'payout-7' });
   */
  request<T = unknown>(request: RawReadRequest<T>, options?: RequestOptions): ApiPromise<T>;
  request<T = unknown>(
    request: RawWriteRequest<T> & { readonly movesMoney: false },
    options?: WriteOptions,
  ): ApiPromise<T>;
  request<T = unknown>(request: RawWriteRequest<T>, withOperationId: WithOperationId): ApiPromise<T>;
  request(request: RawRequest<unknown>, options?: WriteOptions): ApiPromise<unknown> {
    // Without types it may be anything: then the missing method is named.
    return sendRaw(this.#api, Object(typeof request === 'object' ? request : undefined), options);
  }
}
