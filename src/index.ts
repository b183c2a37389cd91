/** The SDK of the payment service. */

export {
  ConfigurationError,
  type ErrorCode,
  type ErrorFields,
  InvalidRequestError,
  type Issue,
  PaymentsError,
} from './base/errors.ts';
export type { Logger } from './base/logger.ts';
export type { Outcome } from './base/outcome.ts';
export type {
  StandardFailure,
  StandardIssue,
  StandardPathSegment,
  StandardResult,
  StandardSchema,
  StandardSuccess,
  StandardTypes,
} from './base/standard-schema.ts';
export type { WebAbortSignal, WebHeaders, WebRequest, WebResponse } from './base/web-types.ts';
export { PaymentsClient, type PaymentsClientOptions } from './client.ts';
export type { AvsRecommendation, AvsResult } from './fraud/avs.ts';
export type { CvvResult } from './fraud/cvv.ts';
export type { RiskLevel, RiskRecommendation, RiskResult } from './fraud/risk.ts';
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
  PaymentDeclinedError,
  PermissionError,
  RateLimitError,
  ServerError,
  UnprocessableError,
} from './http/api-errors.ts';
export type { ApiPromise, ResponseInfo, WithResponse } from './http/api-promise.ts';
export {
  ConnectionError,
  PaginationError,
  RequestAbortedError,
  ResponseValidationError,
  type TimeoutCode,
  TimeoutError,
} from './http/call-errors.ts';
export type {
  CallEvent,
  EndEvent,
  ErrorEvent,
  Hooks,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
} from './http/hooks.ts';
export { deriveIdempotencyKey } from './http/idempotency.ts';
export type { CursorParams, ListParams, OffsetParams } from './http/list-params.ts';
export type {
  ByIdempotencyKey,
  ByOperationId,
  ConnectionOptions,
  Fetch,
  ListOptions,
  MoneyOptions,
  RequestOptions,
  Unnamed,
  Validation,
  WriteOptions,
} from './http/options.ts';
export type { ForEachOptions, Page, PagePromise } from './http/page.ts';
export type { WaitOptions } from './http/poll.ts';
export type { RawReadRequest, RawRequest, RawWriteRequest } from './http/raw-request.ts';
export type { HttpMethod, QueryValue, RouteOverride } from './http/route.ts';
export type { Secret } from './http/secret.ts';
export type { ErrorShape, ObjectPlace, ServiceForms } from './http/service-forms.ts';
export {
  JournalError,
  OperationAccountError,
  OperationInProgressError,
  OperationMismatchError,
  OperationSettledError,
  OperationUnresolvedError,
} from './journal/errors.ts';
export type {
  Journal,
  OpenOperation,
  OpenOperationsOptions,
  PlanOptions,
  SettleOptions,
} from './journal/journal.ts';
export type { JournalOptions } from './journal/options.ts';
export type { PlannedCalls } from './journal/planned-calls.ts';
export { allocateAmount } from './money/allocate-amount.ts';
export { formatAmount } from './money/format-amount.ts';
export { toDecimalAmount } from './money/to-decimal-amount.ts';
export { toMinorUnits } from './money/to-minor-units.ts';
export type { Charge, ChargeStatus, Charges } from './resources/charges.ts';
export type {
  CheckoutLineItem,
  CheckoutLineItemParams,
  CheckoutMode,
  CheckoutPaymentStatus,
  CheckoutSession,
  CheckoutSessionCreateParams,
  CheckoutSessionFields,
  CheckoutSessionStatus,
  CheckoutSessions,
  CollectConfig,
  CollectConfigParams,
  CollectedField,
} from './resources/checkout-sessions.ts';
export type {
  Collection,
  Deleted,
  StatefulCollection,
  WaitForStateOptions,
  WaitUntilOptions,
} from './resources/collection.ts';
export type { Collections } from './resources/collections.ts';
export {
  type CollectionMethod,
  type Metadata,
  type ResourceBase,
  unknownField,
} from './resources/common.ts';
export type {
  CreditNote,
  CreditNoteCreateParams,
  CreditNoteFields,
  CreditNoteLine,
  CreditNoteLineParams,
  CreditNoteReason,
  CreditNoteStatus,
  CreditNotes,
} from './resources/credit-notes.ts';
export type {
  Customer,
  CustomerCreateParams,
  Customers,
  CustomerUpdateParams,
  OpenObject,
  PaymentSettingsParams,
} from './resources/customers.ts';
export type { ExtraParameters } from './resources/extra-parameters.ts';
export type { Id, IdInput, IdKind } from './resources/ids.ts';
export type { Invoice, InvoiceFields, InvoiceLine, InvoiceStatus, Invoices } from './resources/invoices.ts';
export type {
  AccountLinks,
  Accounts,
  ApiKeys,
  Connections,
  OpenCollection,
  OpenCollectionWith,
  PaymentMethods,
  Prices,
  Products,
  SettlementProfiles,
  Terminals,
  WebhookEndpoints,
} from './resources/open-collections.ts';
export type { OpenParams, OpenResource } from './resources/open-resource.ts';
export { type Open, type UnlistedValue, unlisted } from './resources/open-values.ts';
export type {
  CaptureMethod,
  CaptureParams,
  NewPaymentMethodParams,
  PaymentIntent,
  PaymentIntentCreateParams,
  PaymentIntentFields,
  PaymentIntentStatus,
  PaymentIntents,
  PayWithParams,
} from './resources/payment-intents.ts';
export type { PresentWhen } from './resources/present-when.ts';
export type {
  PartialRefundParams,
  Refund,
  RefundCreateParams,
  RefundFields,
  RefundStatus,
  Refunds,
} from './resources/refunds.ts';
export type { RouteName } from './resources/routes.ts';
export type { ServiceInterface } from './resources/service-interface.ts';
export type {
  Subscription,
  SubscriptionCreateParams,
  SubscriptionFields,
  SubscriptionItem,
  SubscriptionItemParams,
  SubscriptionStatus,
  Subscriptions,
  SubscriptionUpdateParams,
} from './resources/subscriptions.ts';
export type {
  ReconciliationStatus,
  TerminalBatch,
  TerminalBatches,
  TerminalBatchStatus,
  TerminalBatchTotals,
} from './resources/terminal-batches.ts';
export { type TimestampUnit, type ToDateOptions, toDate } from './resources/timestamps.ts';
export {
  isTerminal,
  type StatefulObject,
  type StateMachine,
  type StateOf,
  type Transition,
  transitions,
} from './resources/transitions.ts';
export type { SecretEncoding, WebhookForm } from './resources/webhook-form.ts';
export { cardNotPresentAdvice, type RecommendedField } from './transact/advice.ts';
export { toCardExpiry } from './transact/card.ts';
export {
  CardholderAuthenticationError,
  type CardholderAuthenticationReason,
  isDecline,
  TransactionDeclinedError,
} from './transact/declined-error.ts';
export type { FormEncoding } from './transact/encode.ts';
export type {
  FormAmounts,
  PaysByCard,
  PaysByToken,
  SaleParams,
  SubmitParams,
  TransactCaptureParams,
  TransactionFields,
  TransactionReference,
  TransactRefundParams,
  ValidateParams,
} from './transact/params.ts';
export type { ApprovedTransaction, DeclinedTransaction, TransactionResult } from './transact/result.ts';
export type { AuthenticationOptions, ThreeDSecureResult } from './transact/three-d-secure.ts';
export {
  type FormOptions,
  Transact,
  type TransactOptions,
  type TransactRequestOptions,
} from './transact/transact.ts';
export { WebhookVerificationError, type WebhookVerificationReason } from './webhooks/verification-error.ts';
