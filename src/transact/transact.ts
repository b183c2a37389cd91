import { brandClass, type Issue, refuse } from '../base/errors.ts';
import { snapshot } from '../base/json.ts';
import { environmentVariable } from '../base/runtime/runtime.ts';
import type { Definite } from '../base/schema/definite.ts';
import { type FieldsOf, nonBlank, optionsObject, optionsOf, unchecked } from '../base/schema/options.ts';
import * as s from '../base/schema/schema.ts';
import { ApiPromise } from '../http/api-promise.ts';
import { type Connection, connectionFields, resolveConnection } from '../http/client/connection.ts';
import { type ConnectionOptions, type RequestOptions, requestOptionFields } from '../http/client/options.ts';
import { execute } from '../http/execute.ts';
import { copyOptions } from '../http/request/arguments.ts';
import {
  type ExtraParametersOf,
  type FormMethod,
  resolveExtraParameters,
} from '../http/request/extra-parameters.ts';
import type { KeyOptions } from '../http/request/idempotency.ts';
import { refuseInBrowser, type Secret, secretIssues } from '../http/request/secret.ts';
import { runtimeTransport } from '../http/transport/fetch.ts';
import type { Transport } from '../http/transport/transport.ts';
import { refuseOwnCard } from './card.ts';
import type { FormEncoding } from './encode.ts';
import { TransactionEncoding, type TransactionKind } from './fields.ts';
import {
  type FormAmounts,
  type SaleParams,
  type SubmitParams,
  type TransactCaptureParams,
  type TransactionReference,
  type TransactRefundParams,
  type ValidateParams,
} from './params.ts';
import type { TransactionResult } from './result.ts';
import { ReturnedTransaction } from './returned-transaction.ts';
import type { AuthenticationOptions } from './three-d-secure.ts';

/** Options that only the form endpoint has. */
export interface FormOptions {
  /**
   * The endpoint's key (`security_key`), or a function that returns the current key and is called before each call. Default:
   * the environment variable `PAYMENTS_SECURITY_KEY`.
   */
  readonly securityKey?: Secret | undefined;
  /** How requests are encoded. Default: that of the client's `interface`, else `urlencoded`. */
  readonly formEncoding?: FormEncoding | undefined;
  /**
   * The format of amounts. `currency`: with exactly the decimals of the transaction's `currency`, such as `'12.00'` USD and `'1200'` JPY, and two
   * without one. `two-decimals`: always two. `integer`: whole minor units such as `'1200'`. An amount of another form is refused before sending,
   * whatever `validation` says, since it may be a hundred times too large. Default: that of the client's `interface`, else `currency`
   * (*inferred*).
   */
  readonly formAmounts?: FormAmounts | undefined;
  /**
   * Whether a transaction that is not approved throws a `TransactionDeclinedError`. If not, it is a result with
   * `approved: false`. Default: false.
   */
  readonly throwOnDecline?: boolean | undefined;
  /**
   * Fields that the endpoint takes beside those that the SDK knows, by method. All others are refused before anything is sent. A star at the
   * end of a name stands for any ending. `transact.submit` takes any field. Default: none.
   *
   * @example
   * new Transact({ extraParameters: { 'transact.sale': ['merchant_defined_field_*'] } });
   */
  readonly extraParameters?: ExtraParametersOf<FormMethod> | undefined;
}

/** Options of a {@link Transact}. */
export interface TransactOptions extends ConnectionOptions, FormOptions {}

/** Options of one transaction. */
export interface TransactRequestOptions extends RequestOptions, AuthenticationOptions {
  /** Whether a decline throws; takes precedence over the client's option. */
  readonly throwOnDecline?: boolean | undefined;
  /**
   * Your own id of this business operation, such as the order id; pass the same id in every retry. The client's `journal`
   * then sends the transaction at most once, and refuses one without an id, except `validate`. Without a journal the id is rejected,
   * since the endpoint has no idempotency keys.
   */
  readonly operationId?: string | undefined;
}

const route = { method: 'POST', path: '/api/transact.php', source: 'shown' } as const;

/** The schemas of the options that only the form endpoint has. */
export const formFields = (): FieldsOf<FormOptions> => ({
  // Checked by a function of its own.
  securityKey: unchecked(),
  formEncoding: s.optional(s.literal(['urlencoded', 'multipart'], "'urlencoded' or 'multipart'")),
  formAmounts: s.optional(
    s.literal(['currency', 'two-decimals', 'integer'], "'currency', 'two-decimals' or 'integer'"),
  ),
  throwOnDecline: s.optional(s.boolean()),
  // Checked by a function of its own.
  extraParameters: unchecked(),
});

const optionsSchema = /* @__PURE__ */ optionsOf<TransactOptions>(() => ({
  ...connectionFields(),
  ...formFields(),
}));

// A key would make the call look repeatable, and the endpoint would charge again.
const noKey = /* @__PURE__ */ s.lazily(() =>
  s.absent('nothing, since the form endpoint has no idempotency keys'),
);
const noId = /* @__PURE__ */ s.lazily(() =>
  s.absent('nothing without a journal, since the form endpoint has no idempotency keys'),
);
const anId = /* @__PURE__ */ s.lazily(() => s.optional(nonBlank()));
// Without one the journal could not record it, and a repetition would charge again.
const ownId = /* @__PURE__ */ s.lazily(() =>
  nonBlank('your own id of this sale, refund or other operation, since the client has a journal'),
);

const optionFields = () => ({
  ...requestOptionFields(),
  idempotencyKey: noKey,
  throwOnDecline: s.optional(s.boolean()),
  allowFailedAuthentication: s.optional(s.boolean()),
  allowUnavailableAuthentication: s.optional(s.boolean()),
});

const requestOptionsSchema = /* @__PURE__ */ optionsOf<TransactRequestOptions & KeyOptions>(() => ({
  ...optionFields(),
  operationId: noId,
}));
const journaledOptionsSchema = /* @__PURE__ */ optionsOf<TransactRequestOptions & KeyOptions>(() => ({
  ...optionFields(),
  operationId: ownId,
}));
/** Those of a transaction that moves no money. */
const optionalIdSchema = /* @__PURE__ */ optionsOf<TransactRequestOptions & KeyOptions>(() => ({
  ...optionFields(),
  operationId: anId,
}));

/** Returns the issues of the form endpoint's key, if it is given as an option. */
export function givenKeyIssues({ securityKey }: FormOptions): Issue[] {
  return securityKey === undefined ? [] : secretIssues('securityKey', 'PAYMENTS_SECURITY_KEY', securityKey);
}

/** @throws ConfigurationError that names every option that is missing or wrong. */
function ownConnection(options: TransactOptions, over: Transport, keyIssues: readonly Issue[]): Connection {
  const { extraParameters, issues } = resolveExtraParameters([], options.extraParameters);
  return resolveConnection(options, optionsSchema, [...keyIssues, ...issues], over, { extraParameters });
}

/**
 * The form endpoint, `/api/transact.php`, where cards are charged directly.
 *
 * The endpoint has no idempotency keys, so the SDK retries a transaction only if it is certain that the request was never
 * sent. After an error whose `outcome` is `unknown`, look up the transaction before you charge again.
 *
 * @example
 * const transact = new Transact({ baseUrl: 'https://payments.example.com', securityKey: '…' });
 * const result = await transact.sale({ amount: '12.00', payment_token });
 * if (result.approved) ship(result.transactionid);
 * else tell(result.responsetext);
 */
export class Transact {
  /** @internal */
  static readonly brand: symbol = /* @__PURE__ */ brandClass(this, 'Transact');
  readonly #connection: Connection;
  readonly #securityKey: Secret;
  readonly #forms: ConstructorParameters<typeof TransactionEncoding>[2];
  readonly #throwOnDecline: boolean;

  /** @throws ConfigurationError that names every option that is missing or wrong. */
  constructor(options?: TransactOptions);
  /** @internal Shares the connection of the client that it belongs to, or sends over a transport. */
  constructor(options: TransactOptions | undefined, over: Connection | Transport);
  constructor(given?: TransactOptions, over: Connection | Transport = runtimeTransport) {
    const options = optionsObject(given, 'new Transact({ baseUrl, securityKey })');
    refuseInBrowser('securityKey', options.dangerouslyAllowBrowser);
    const securityKey = options.securityKey ?? environmentVariable('PAYMENTS_SECURITY_KEY');
    const issues = secretIssues('securityKey', 'PAYMENTS_SECURITY_KEY', securityKey);
    this.#connection = 'send' in over ? ownConnection(options, over, issues) : over;
    if (issues.length > 0) refuse(issues, 'Correct the options of the client.');
    if (typeof securityKey === 'string') this.#connection.redactor.keep(securityKey);
    this.#securityKey = securityKey ?? '';
    this.#forms = {
      encoding: options.formEncoding ?? 'urlencoded',
      amounts: options.formAmounts ?? 'currency',
    };
    this.#throwOnDecline = options.throwOnDecline ?? false;
  }

  /**
   * Charges a card (*shown*). **Check `approved`**: a decline is a result, not an error, unless `throwOnDecline` is set. After an error
   * whose `outcome` is `unknown`, **do not send the sale again**: the card may be charged, so look the sale up first.
   *
   * @throws InvalidRequestError when a parameter is wrong; nothing was sent.
   * @throws CardholderAuthenticationError when `threeDSecure` is no success and no option allows it; nothing was sent.
   * @throws TransactionDeclinedError when it is declined and `throwOnDecline` is set.
   * @throws AuthenticationError when the endpoint does not accept the `securityKey` (*inferred* from its text).
   * @throws ResponseValidationError with outcome `unknown` when the response cannot be read.
   */
  sale(params: SaleParams, options?: TransactRequestOptions): ApiPromise<TransactionResult> {
    return this.#send('transact.sale', { type: 'sale', takes: 'sale' }, params, options);
  }

  /** Authorizes an amount on a card, to be captured later (*inferred*). Check `approved`, and throws, as with `sale`. */
  auth(params: SaleParams, options?: TransactRequestOptions): ApiPromise<TransactionResult> {
    return this.#send('transact.auth', { type: 'auth', takes: 'sale' }, params, options);
  }

  /** Captures an authorized amount, or a part of it (*inferred*). Throws as `sale` does. */
  capture<Given>(
    params: TransactCaptureParams & Definite<Given, 'amount', string>,
    options?: TransactRequestOptions,
  ): ApiPromise<TransactionResult> {
    return this.#send('transact.capture', { type: 'capture', takes: 'capture' }, params, options);
  }

  /** Cancels a transaction before it is settled (*inferred*). Throws as `sale` does. */
  void(params: TransactionReference, options?: TransactRequestOptions): ApiPromise<TransactionResult> {
    return this.#send('transact.void', { type: 'void', takes: 'void' }, params, options);
  }

  /** Refunds a transaction, or a part of it (*inferred*). Throws as `sale` does. */
  refund(params: TransactRefundParams, options?: TransactRequestOptions): ApiPromise<TransactionResult> {
    return this.#send('transact.refund', { type: 'refund', takes: 'refund' }, params, options);
  }

  /** Pays money to a card without an earlier transaction (*inferred*). Throws as `sale` does. */
  credit(params: SaleParams, options?: TransactRequestOptions): ApiPromise<TransactionResult> {
    return this.#send('transact.credit', { type: 'credit', takes: 'sale' }, params, options);
  }

  /** Checks a card without charging it (*inferred*). Throws as `sale` does. */
  validate(params: ValidateParams, options?: TransactRequestOptions): ApiPromise<TransactionResult> {
    return this.#send('transact.validate', { type: 'validate', takes: 'validate' }, params, options);
  }

  /**
   * Sends a transaction of any type, with the fields that this type takes. Only `sale` is *shown*.
   *
   * @throws InvalidRequestError when a parameter is wrong; nothing was sent.
   */
  submit<Given>(
    params: SubmitParams & Definite<Given, 'amount', string>,
    options?: TransactRequestOptions,
  ): ApiPromise<TransactionResult> {
    return this.#send('transact.submit', { takes: 'submit' }, params, options);
  }

  #send(
    operation: string,
    kind: TransactionKind,
    params: unknown,
    options: TransactRequestOptions | undefined,
  ): ApiPromise<TransactionResult> {
    const { journal } = this.#connection;
    const journaled = kind.type === 'validate' ? optionalIdSchema : journaledOptionsSchema;
    return new ApiPromise(
      execute<TransactionResult, TransactRequestOptions & KeyOptions>(this.#connection, {
        operation,
        movesMoney: true,
        route,
        // The endpoint takes any name, so any of its fields may be hidden.
        ...refuseOwnCard({ params: snapshot(params), options: copyOptions(options) }),
        encoding: new TransactionEncoding(kind, route.path, this.#forms),
        optionsSchema: journal === undefined ? requestOptionsSchema : journaled,
        secret: { keyOption: 'securityKey', value: this.#securityKey },
        returns: new ReturnedTransaction(this.#throwOnDecline),
      }),
    );
  }
}
