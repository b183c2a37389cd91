/** The SDK of the payment service. */

export { PaymentsClient, type PaymentsClientOptions } from './client.ts';
export {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  IdempotencyBodyMismatchError,
  IdempotencyError,
  IdempotencyKeyInProgressError,
  IdempotencyKeyTooLongError,
  IdempotencyRouteConflictError,
  IdempotencyStoreUnavailableError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  UnprocessableError,
} from './core/api-errors.ts';
export type { ApiPromise, ResponseInfo, WithResponse } from './core/api-promise.ts';
export {
  ConfigurationError,
  ConnectionError,
  InvalidRequestError,
  type Issue,
  PaginationError,
  PaymentsError,
  RequestAbortedError,
  ResponseValidationError,
  TimeoutError,
} from './core/errors.ts';
export { deriveIdempotencyKey } from './core/idempotency.ts';
export type { ErrorEvent, Hooks, Logger, RequestEvent, ResponseEvent, RetryEvent } from './core/observe.ts';
export type {
  ByIdempotencyKey,
  ByOperationId,
  ConnectionOptions,
  Fetch,
  MoneyOptions,
  RequestOptions,
  Unnamed,
  Validation,
  WriteOptions,
} from './core/options.ts';
export type { Outcome } from './core/outcome.ts';
export type { CursorParams, ListParams, OffsetParams, Page, PagePromise } from './core/page.ts';
export type { RawReadRequest, RawRequest, RawWriteRequest } from './core/raw-request.ts';
export type { HttpMethod, QueryValue, RouteOverride } from './core/route.ts';
export type { Secret } from './core/secret.ts';
export type { WebAbortSignal, WebHeaders, WebRequest, WebResponse } from './core/web-types.ts';
export type { AvsRecommendation, AvsResult } from './fraud/avs.ts';
export type { CvvResult } from './fraud/cvv.ts';
export type { RiskLevel, RiskRecommendation, RiskResult } from './fraud/risk.ts';
export type {
  CheckoutLineItem,
  CheckoutLineItemParams,
  CheckoutSession,
  CheckoutSessionCreateParams,
  CheckoutSessions,
  CollectConfig,
} from './resources/checkout-sessions.ts';
export { type Metadata, type Open, type ResourceBase, unknownField } from './resources/common.ts';
export type {
  Customer,
  CustomerCreateParams,
  Customers,
  DeletedCustomer,
  OpenObject,
} from './resources/customers.ts';
export type {
  PaymentIntent,
  PaymentIntentCreateParams,
  PaymentIntents,
} from './resources/payment-intents.ts';
export type { Product, Products } from './resources/products.ts';
export type { Refund, RefundCreateParams, Refunds } from './resources/refunds.ts';
export type { RouteName } from './resources/routes.ts';
export { TransactionDeclinedError } from './transact/declined-error.ts';
export type { FormEncoding } from './transact/encode.ts';
export type {
  PaysByCard,
  PaysByToken,
  SaleParams,
  SubmitParams,
  TransactionFields,
} from './transact/params.ts';
export type { ApprovedTransaction, DeclinedTransaction, TransactionResult } from './transact/result.ts';
export {
  type FormOptions,
  Transact,
  type TransactOptions,
  type TransactRequestOptions,
} from './transact/transact.ts';
