import { ApiPromise, type WithResponse } from '../core/api-promise.ts';
import type { WireResponse } from '../core/attempt.ts';
import { Caller } from '../core/caller.ts';
import { resolveConnection } from '../core/config.ts';
import { describeValue } from '../core/describe.ts';
import { readEnvironment } from '../core/environment.ts';
import { InvalidRequestError, type Issue } from '../core/errors.ts';
import type { ConnectionOptions, RequestOptions } from '../core/options.ts';
import type { Reading } from '../core/reading.ts';
import { findIssues, type Schema } from '../core/schema.ts';
import { resolveSecret, type Secret, secretIssues } from '../core/secret.ts';
import { TransactionDeclinedError } from './declined-error.ts';
import { decodeForm } from './decode.ts';
import { encodeForm, type FormEncoding, type FormFields } from './encode.ts';
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
import { type TransactionResult, toResult } from './result.ts';
import { threeDSecureFields } from './three-d-secure.ts';

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
  readonly #caller: Caller;
  readonly #securityKey: Secret;
  readonly #encoding: FormEncoding;
  readonly #throwOnDecline: boolean;

  /** @throws ConfigurationError that names every option that is missing or wrong. */
  constructor(options: TransactOptions = {}) {
    const securityKey = options.securityKey ?? readEnvironment('PAYMENTS_SECURITY_KEY');
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
   * Takes a payment (*shown*).
   *
   * @throws InvalidRequestError when a parameter is wrong; nothing was sent.
   * @throws TransactionDeclinedError when it is declined and `throwOnDecline` is set.
   * @throws ResponseValidationError with outcome `unknown` when the answer cannot be read.
   */
  sale(params: SaleParams, options?: TransactRequestOptions): ApiPromise<TransactionResult> {
    return this.#start('transact.sale', { type: 'sale', ...params }, saleSchema, options);
  }

  /** Holds an amount on a card, to be captured later (*inferred*). Throws as `sale` does. */
  auth(params: SaleParams, options?: TransactRequestOptions): ApiPromise<TransactionResult> {
    return this.#start('transact.auth', { type: 'auth', ...params }, saleSchema, options);
  }

  /** Takes an amount that is held, or a part of it (*inferred*). Throws as `sale` does. */
  capture(params: TransactCaptureParams, options?: TransactRequestOptions): ApiPromise<TransactionResult> {
    return this.#start('transact.capture', { type: 'capture', ...params }, captureSchema, options);
  }

  /** Takes a transaction back before it is settled (*inferred*). Throws as `sale` does. */
  void(params: TransactionReference, options?: TransactRequestOptions): ApiPromise<TransactionResult> {
    return this.#start('transact.void', { type: 'void', ...params }, voidSchema, options);
  }

  /** Gives back what a transaction took, or a part of it (*inferred*). Throws as `sale` does. */
  refund(params: TransactRefundParams, options?: TransactRequestOptions): ApiPromise<TransactionResult> {
    return this.#start('transact.refund', { type: 'refund', ...params }, refundSchema, options);
  }

  /** Pays out to a card without an earlier transaction (*inferred*). Throws as `sale` does. */
  credit(params: SaleParams, options?: TransactRequestOptions): ApiPromise<TransactionResult> {
    return this.#start('transact.credit', { type: 'credit', ...params }, saleSchema, options);
  }

  /** Asks whether a card is good, without taking anything (*inferred*). Throws as `sale` does. */
  validate(params: ValidateParams, options?: TransactRequestOptions): ApiPromise<TransactionResult> {
    return this.#start('transact.validate', { type: 'validate', ...params }, validateSchema, options);
  }

  /**
   * Sends a transaction of any type, with the fields that this type takes. Only `sale` is *shown*.
   *
   * @throws InvalidRequestError when a parameter is wrong; nothing was sent.
   */
  submit(params: SubmitParams, options?: TransactRequestOptions): ApiPromise<TransactionResult> {
    return this.#start('transact.submit', params, submitSchema, options);
  }

  #start(
    operation: string,
    params: Record<string, unknown>,
    schema: Schema<unknown>,
    options: TransactRequestOptions = {},
  ): ApiPromise<TransactionResult> {
    const { throwOnDecline = this.#throwOnDecline } = options;
    const result = this.#send(operation, params, schema, options).then((sent) => {
      if (throwOnDecline && !sent.data.approved) {
        const reason = this.#caller.connection.redactor.text(sent.data.responsetext);
        throw new TransactionDeclinedError(operation, sent.data, reason);
      }
      return sent;
    });
    return new ApiPromise(() => result);
  }

  #send(
    operation: string,
    params: Record<string, unknown>,
    schema: Schema<unknown>,
    { throwOnDecline: _, allowFailedAuthentication = false, ...options }: TransactRequestOptions,
  ): Promise<WithResponse<TransactionResult>> {
    return this.#caller.run({
      operation,
      options,
      movesMoney: false,
      accept: '*/*',
      build: () => {
        refuseKeys(operation, options);
        const plain = threeDSecureFields(operation, { ...params }, allowFailedAuthentication);
        const fields = checkFields(operation, plain, schema);
        return {
          method: 'POST',
          path,
          query: '',
          notFoundHint: undefined,
          sign: (securityKey) => ({
            body: encodeForm([['security_key', securityKey], ...fields], this.#encoding),
          }),
        };
      },
      credential: async () => resolveSecret('securityKey', this.#securityKey),
      // The endpoint answers 200 whatever came of it, so only the body tells.
      accepted: 'unknown',
      read: readResult,
    });
  }
}

/** A key would make the call look repeatable, and the endpoint would charge again. */
function refuseKeys(operation: string, options: object): void {
  const name = ['operationId', 'idempotencyKey'].find((key) => Reflect.get(options, key) !== undefined);
  if (name === undefined) return;
  const expected = 'nothing, since the form endpoint has no idempotency keys';
  throw new InvalidRequestError(operation, [{ path: `options.${name}`, expected, received: 'a value' }]);
}

function checkFields(
  operation: string,
  params: Record<string, unknown>,
  schema: Schema<unknown>,
): FormFields {
  const issues = findIssues(schema, params);
  if (issues.length > 0) throw new InvalidRequestError(operation, issues);
  return Object.entries(params).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
}

function readResult({ text }: WireResponse): Reading<TransactionResult> {
  const decoded = decodeForm(text);
  return 'fields' in decoded ? { value: toResult(decoded.fields) } : { issues: [decoded.issue], body: text };
}
