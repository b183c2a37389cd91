/** The SDK of the payment service. */

export type { Outcome } from './base/errors.ts';
export {
  ConfigurationError,
  type ErrorFields,
  InvalidRequestError,
  type Issue,
  PaymentsError,
} from './base/errors.ts';
export type { Logger } from './base/logger.ts';
export { version } from './base/runtime/version.ts';
export { type UnlistedValue, unlisted } from './base/schema/schema.ts';
export { PaymentsClient, type PaymentsClientOptions } from './client.ts';
export type { ApiPromise, ResponseInfo, WithResponse } from './http/api-promise.ts';
export type { BeforeCall, CallToCheck } from './http/client/before-call.ts';
export type {
  CallEvent,
  EndEvent,
  ErrorEvent,
  Hooks,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
  ShedEvent,
} from './http/client/hooks.ts';
export type { Fetch, RequestOptions, WithOperationId, WriteOptions } from './http/client/options.ts';
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
} from './http/failure/api-errors.ts';
export {
  CallRefusedError,
  ConnectionError,
  PaginationError,
  RequestAbortedError,
  ResponseValidationError,
  TimeoutError,
} from './http/failure/call-errors.ts';
export type { ListParams } from './http/list/list.ts';
export type { Page, PagePromise } from './http/list/page.ts';
export { isRecorded, type Recorded } from './http/past/recorded.ts';
export { deriveIdempotencyKey } from './http/request/idempotency.ts';
export type { RawReadRequest, RawWriteRequest } from './http/request/raw.ts';
export type { StandardSchema } from './http/response.ts';
// A library whose types are inferred from a client must be able to name these.
export type { ClientJournal } from './journal/create-journal.ts';
export {
  JournalError,
  OperationAccountError,
  OperationInProgressError,
  OperationMismatchError,
  OperationUnresolvedError,
} from './journal/errors.ts';
export type { Journal, OpenOperation } from './journal/journal.ts';
export type { PlannedCalls } from './journal/planned-calls.ts';
export { formatAmount } from './money/format-amount.ts';
export { toDecimalAmount } from './money/to-decimal-amount.ts';
export { toMinorUnits } from './money/to-minor-units.ts';
export type { Deleted } from './resources/collection.ts';
export { unknownField } from './resources/fields/common.ts';
export { isTerminal } from './resources/fields/final-states.ts';
export type { Id, IdInput } from './resources/fields/ids.ts';
export { toDate } from './resources/fields/timestamps.ts';
export type { Charge, Charges } from './resources/objects/charges.ts';
export type {
  CheckoutLineItem,
  CheckoutSession,
  CheckoutSessionCreateParams,
  CheckoutSessions,
} from './resources/objects/checkout-sessions.ts';
export type {
  CreditNote,
  CreditNoteCreateParams,
  CreditNoteLine,
  CreditNotes,
} from './resources/objects/credit-notes.ts';
export type { Customer, CustomerCreateParams, Customers } from './resources/objects/customers.ts';
export type { Invoice, InvoiceLine, Invoices } from './resources/objects/invoices.ts';
export type { UntypedCollection } from './resources/objects/open-collections.ts';
export type { UntypedResource } from './resources/objects/open-resource.ts';
export type {
  PaymentIntent,
  PaymentIntentCreateParams,
  PaymentIntents,
} from './resources/objects/payment-intents.ts';
export type { Refund, RefundCreateParams, Refunds } from './resources/objects/refunds.ts';
export type {
  Subscription,
  SubscriptionCreateParams,
  SubscriptionItem,
  Subscriptions,
} from './resources/objects/subscriptions.ts';
export type { TerminalBatch, TerminalBatches } from './resources/objects/terminal-batches.ts';
export type { RouteName } from './resources/routes.ts';
export type { ServiceInterface } from './resources/service/service-interface.ts';
export {
  CardholderAuthenticationError,
  isDecline,
  TransactionDeclinedError,
} from './transact/declined-error.ts';
export type { SaleParams } from './transact/params.ts';
export type { ApprovedTransaction, DeclinedTransaction, TransactionResult } from './transact/result.ts';
export { Transact, type TransactOptions, type TransactRequestOptions } from './transact/transact.ts';
export { WebhookVerificationError } from './webhooks/verification-error.ts';
