import { describeValue, rootPath } from '../base/describe.ts';
import { InvalidRequestError, type Issue } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import type { Redactor } from '../base/redact.ts';
import { environmentVariable } from '../base/runtime.ts';
import { AuthenticationError } from '../http/api-errors.ts';
import type { ApiPromise } from '../http/api-promise.ts';
import type { WireResponse } from '../http/attempt.ts';
import { Caller } from '../http/caller.ts';
import { type Connection, resolveConnection } from '../http/config.ts';
import type { ConnectionOptions, RequestOptions } from '../http/options.ts';
import type { Reading } from '../http/reading.ts';
import { resolveSecret, type Secret, secretIssues } from '../http/secret.ts';
import { requestIdOf, type Sent } from '../http/send.ts';
import { TransactionDeclinedError } from './declined-error.ts';
import { decodeForm } from './decode.ts';
import { encodeForm, type FormEncoding } from './encode.ts';
import { cardDataOf, type TransactionSpec, transactionFields } from './fields.ts';
import {
  captureSchema,
  refundSchema,
  type SaleParams,
  type SubmitParams,
  saleSchema,
  submitSchema,
  type TransactCaptureParams,
  type TransactionReference,
  type TransactRefundParams,
  type ValidateParams,
  validateSchema,
  voidSchema,
} from './params.ts';
import {
  type DeclinedTransaction,
  isAuthenticationFailure,
  type TransactionResult,
  toResult,
} from './result.ts';

/** Options that only the form endpoint has. */
export interface FormOptions {
  /**
   * The endpoint's key (`security_key`), or a function that gives the current one before each call. Default: the
   * environment variable `PAYMENTS_SECURITY_KEY`.
   */
  readonly securityKey?: Secret | undefined;
  /** How requests are encoded. Default: `urlencoded`. */
  readonly formEncoding?: FormEncoding | undefined;
  /** Whether a decline throws a `TransactionDeclinedError` instead of being a result. Default: false. */
  readonly throwOnDecline?: boolean | undefined;
}

/** Options of a {@link Transact}. */
export interface TransactOptions extends ConnectionOptions, FormOptions {}

/** Options of one transaction. */
export interface TransactRequestOptions extends RequestOptions {
  /** Whether a decline throws; outranks the client's option. */
  readonly throwOnDecline?: boolean | undefined;
  /**
   * Whether a 3-D Secure result that failed is sent all the same. Default: false, since the service treats it as a
   * high risk of fraud.
   */
  readonly allowFailedAuthentication?: boolean | undefined;
}

const path = '/api/transact.php';

/** What is wrong with the options that only the form endpoint has, where they are given. */
export function formOptionIssues({ securityKey, formEncoding, throwOnDecline }: FormOptions): Issue[] {
  const issues: Issue[] = [];
  if (securityKey !== undefined)
    issues.push(...secretIssues('securityKey', 'PAYMENTS_SECURITY_KEY', securityKey));
  if (formEncoding !== undefined && formEncoding !== 'urlencoded' && formEncoding !== 'multipart') {
    const received = describeValue(formEncoding, 'formEncoding');
    issues.push({ path: 'formEncoding', expected: "'urlencoded' or 'multipart'", received });
  }
  if (throwOnDecline !== undefined && typeof throwOnDecline !== 'boolean') {
    const received = describeValue(throwOnDecline, 'throwOnDecline');
    issues.push({ path: 'throwOnDecline', expected: 'true or false', received });
  }
  return issues;
}

/**
 * The form endpoint, `/api/transact.php`, where cards are charged directly.
 *
 * It has no idempotency key, so a transaction is sent again only where the request provably never left. An error
 * whose `outcome` is `unknown` means: look the transaction up before you charge again.
 *
 * @example
 * const transact = new Transact({ baseUrl: 'https://payments.example.com', securityKey: '…' });
 * const result = await transact.sale({ amount: '12.00', payment_token });
 * if (result.approved) ship(result.transactionid);
 * else tell(result.responsetext);
 */
export class Transact {
  #caller: Caller;
  readonly #securityKey: Secret;
  readonly #encoding: FormEncoding;
  readonly #throwOnDecline: boolean;

  /** @throws ConfigurationError that names every option that is missing or wrong. */
  constructor(options: TransactOptions = {}) {
    // Without types it may be null: then what is missing is named.
    options = Object(options);
    const securityKey = options.securityKey ?? environmentVariable('PAYMENTS_SECURITY_KEY');
    const issues = [
      ...secretIssues('securityKey', 'PAYMENTS_SECURITY_KEY', securityKey),
      ...formOptionIssues({ ...options, securityKey: undefined }),
    ];
    const names = ['securityKey', 'formEncoding', 'throwOnDecline'] satisfies (keyof FormOptions)[];
    this.#caller = new Caller(resolveConnection(options, { names, issues }));
    this.#securityKey = securityKey ?? '';
    this.#encoding = options.formEncoding ?? 'urlencoded';
    this.#throwOnDecline = options.throwOnDecline ?? false;
  }

  /**
   * @internal
   * Shares what the client that it belongs to was made of its options, and what that has learnt to keep secret.
   */
  over(connection: Connection): this {
    this.#caller = new Caller(connection);
    return this;
  }

  /**
   * Takes a payment (*shown*).
   *
   * @throws InvalidRequestError when a parameter is wrong; nothing was sent.
   * @throws TransactionDeclinedError when it is declined and `throwOnDecline` is set.
   * @throws AuthenticationError when the endpoint does not accept the `securityKey` (*inferred*: told by its words).
   * @throws ResponseValidationError with outcome `unknown` when the answer cannot be read.
   */
  sale(params: SaleParams, options?: TransactRequestOptions): ApiPromise<TransactionResult> {
    return this.#start({ operation: 'transact.sale', type: 'sale', params, schema: saleSchema }, options);
  }

  /** Holds an amount on a card, to be captured later (*inferred*). Throws as `sale` does. */
  auth(params: SaleParams, options?: TransactRequestOptions): ApiPromise<TransactionResult> {
    return this.#start({ operation: 'transact.auth', type: 'auth', params, schema: saleSchema }, options);
  }

  /** Takes an amount that is held, or a part of it (*inferred*). Throws as `sale` does. */
  capture(params: TransactCaptureParams, options?: TransactRequestOptions): ApiPromise<TransactionResult> {
    return this.#start(
      { operation: 'transact.capture', type: 'capture', params, schema: captureSchema },
      options,
    );
  }

  /** Takes a transaction back before it is settled (*inferred*). Throws as `sale` does. */
  void(params: TransactionReference, options?: TransactRequestOptions): ApiPromise<TransactionResult> {
    return this.#start({ operation: 'transact.void', type: 'void', params, schema: voidSchema }, options);
  }

  /** Gives back what a transaction took, or a part of it (*inferred*). Throws as `sale` does. */
  refund(params: TransactRefundParams, options?: TransactRequestOptions): ApiPromise<TransactionResult> {
    return this.#start(
      { operation: 'transact.refund', type: 'refund', params, schema: refundSchema },
      options,
    );
  }

  /** Pays out to a card without an earlier transaction (*inferred*). Throws as `sale` does. */
  credit(params: SaleParams, options?: TransactRequestOptions): ApiPromise<TransactionResult> {
    return this.#start({ operation: 'transact.credit', type: 'credit', params, schema: saleSchema }, options);
  }

  /** Asks whether a card is good, without taking anything (*inferred*). Throws as `sale` does. */
  validate(params: ValidateParams, options?: TransactRequestOptions): ApiPromise<TransactionResult> {
    return this.#start(
      { operation: 'transact.validate', type: 'validate', params, schema: validateSchema },
      options,
    );
  }

  /**
   * Sends a transaction of any type, with the fields that this type takes. Only `sale` is *shown*.
   *
   * @throws InvalidRequestError when a parameter is wrong; nothing was sent.
   */
  submit(params: SubmitParams, options?: TransactRequestOptions): ApiPromise<TransactionResult> {
    return this.#start({ operation: 'transact.submit', params, schema: submitSchema }, options);
  }

  #start(spec: TransactionSpec, options: TransactRequestOptions | undefined): ApiPromise<TransactionResult> {
    const { operation } = spec;
    let own: TransactRequestOptions = {};
    let cardData: readonly string[] = [];
    return this.#caller.call({
      operation,
      options,
      ownOptions: ['throwOnDecline', 'allowFailedAuthentication'],
      movesMoney: false,
      accept: '*/*',
      build: () => {
        own = ownOptions(operation, options);
        const fields = transactionFields(spec, own.allowFailedAuthentication ?? false);
        cardData = cardDataOf(fields);
        return {
          ...{ method: 'POST', path, route: path, query: '', notFoundHint: undefined, cardData },
          sign: (securityKey) => ({
            body: encodeForm([['security_key', securityKey], ...fields], this.#encoding),
          }),
        };
      },
      credential: () => resolveSecret('securityKey', this.#securityKey),
      // The endpoint answers 200 whatever came of it, so only the body tells.
      accepted: 'unknown',
      read: (sent, securityKey) => {
        const reading = readResult(sent.response);
        if (!('value' in reading) || reading.value.approved) return reading;
        const redactor = this.#caller.connection.redactor.with(() => [securityKey, ...cardData]);
        if (isAuthenticationFailure(reading.value)) {
          throw unauthenticated(operation, reading.value, sent, redactor);
        }
        if (!(own.throwOnDecline ?? this.#throwOnDecline)) return reading;
        throw declined(operation, reading.value, redactor);
      },
    });
  }
}

function declined(
  operation: string,
  result: DeclinedTransaction,
  redactor: Redactor,
): TransactionDeclinedError {
  const reason = `response ${redactor.quote(result.response)}: ${redactor.quote(result.responsetext)}`;
  return new TransactionDeclinedError(operation, result, reason);
}

/** The error for a `security_key` that the endpoint does not accept: a setting to correct, and no buyer's card. */
function unauthenticated(
  operation: string,
  { responsetext, fields }: DeclinedTransaction,
  { response, attempts }: Sent,
  redactor: Redactor,
): AuthenticationError {
  return new AuthenticationError({
    ...{ operation, attempts, method: 'POST', idempotencyKey: undefined },
    ...{ status: response.status, code: undefined, declineCode: undefined },
    expected: 'an accepted security_key',
    detail: redactor.quote(responsetext),
    ...{ outcome: 'not_executed', isReplayed: false, isTransient: false },
    requestId: requestIdOf(response.headers, redactor),
    headers: response.headers.web,
    body: fields,
    ...{ retryAfter: undefined, hint: undefined },
  });
}

/** The options that only a transaction has, once all are what they should be. */
function ownOptions(operation: string, options: unknown): TransactRequestOptions {
  if (options === undefined) return {};
  if (!isRecord(options)) {
    const issue = { path: 'options', expected: 'an object', received: describeValue(options, '', true) };
    throw new InvalidRequestError(operation, [issue]);
  }
  const issues = (['throwOnDecline', 'allowFailedAuthentication'] as const)
    .filter((name) => options[name] !== undefined && typeof options[name] !== 'boolean')
    .map((name) => ({ path: `options.${name}`, expected: 'true or false', received: 'something else' }));
  // A key would make the call look repeatable, and the endpoint would charge again.
  const keys = ['operationId', 'idempotencyKey'].filter((name) => options[name] !== undefined);
  const expected = 'nothing, since the form endpoint has no idempotency keys';
  issues.push(...keys.map((name) => ({ path: `options.${name}`, expected, received: 'a value' })));
  if (issues.length > 0) throw new InvalidRequestError(operation, issues);
  return options;
}

/** Whether the response is shorter than it announced. The missing part may contradict the part that came. */
function endsEarly({ status, headers, bytes }: WireResponse): boolean {
  if (status === 206) return true;
  const announced = headers.get('content-encoding') === null ? headers.get('content-length') : null;
  return announced !== null && bytes < Number(announced);
}

function readResult(response: WireResponse): Reading<TransactionResult> {
  const { text } = response;
  if (endsEarly(response)) {
    const issue = { path: rootPath, expected: 'a whole answer', received: 'one that ends early' };
    return { issues: [issue], body: text };
  }
  const decoded = decodeForm(text);
  return 'fields' in decoded ? { value: toResult(decoded.fields) } : { issues: [decoded.issue], body: text };
}
