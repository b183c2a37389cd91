import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  CallRefusedError,
  CardholderAuthenticationError,
  ConfigurationError,
  ConflictError,
  ConnectionError,
  type ErrorFields,
  IdempotencyBodyMismatchError,
  IdempotencyError,
  IdempotencyKeyInProgressError,
  IdempotencyKeyTooLongError,
  IdempotencyRouteConflictError,
  IdempotencyStoreUnavailableError,
  InvalidRequestError,
  JournalError,
  NotFoundError,
  OperationAccountError,
  OperationInProgressError,
  OperationMismatchError,
  OperationUnresolvedError,
  PaginationError,
  PaymentDeclinedError,
  PaymentsError,
  PermissionError,
  RateLimitError,
  RequestAbortedError,
  ResponseValidationError,
  ServerError,
  TimeoutError,
  TransactionDeclinedError,
  UnprocessableError,
  WebhookVerificationError,
} from 'payments-client';
import { isRecord } from '../base/json.ts';
import { refuse, refuseValue } from '../base/refuse.ts';
import { adviceOnKey, kindOf, messageFor, receivedOf, unknownNames } from '../sdk.ts';

const classes = {
  ApiError,
  AuthenticationError,
  BadRequestError,
  CallRefusedError,
  CardholderAuthenticationError,
  ConfigurationError,
  ConflictError,
  ConnectionError,
  IdempotencyBodyMismatchError,
  IdempotencyError,
  IdempotencyKeyInProgressError,
  IdempotencyKeyTooLongError,
  IdempotencyRouteConflictError,
  IdempotencyStoreUnavailableError,
  InvalidRequestError,
  JournalError,
  NotFoundError,
  OperationAccountError,
  OperationInProgressError,
  OperationMismatchError,
  OperationUnresolvedError,
  PaginationError,
  PaymentDeclinedError,
  PaymentsError,
  PermissionError,
  RateLimitError,
  RequestAbortedError,
  ResponseValidationError,
  ServerError,
  TimeoutError,
  TransactionDeclinedError,
  UnprocessableError,
  WebhookVerificationError,
};

/** The errors that `makeError` makes, by the name of their class. */
export type ErrorsByName = { [Name in keyof typeof classes]: InstanceType<(typeof classes)[Name]> };

const typed: {
  readonly [Name in keyof ErrorsByName]: new (
    message: string,
    fields: ErrorFields<ErrorsByName[Name]>,
  ) => ErrorsByName[Name];
} = classes;

/** The call that a made error belongs to. */
const facts = {
  operation: 'refunds.create',
  operationKey: 'an id',
  method: 'POST',
  movesMoney: true,
} as const;

/** What the errors of a call have beside the defaults of their class. */
const ofCall = { idempotencyKey: 'pc1:refunds.create:return-1' };

/** Only a 402 with a readable code is a decline. */
const decline = { code: 'card_declined', declineCode: 'do_not_honor' };

/** The errors of a call have a class of their own, which is not public. */
function isOfCall(error: PaymentsError): error is ApiError | ConnectionError {
  return 'attempts' in error;
}

/** Returns the message of an error: for one of a call, as the SDK writes it. */
function messageOf(error: PaymentsError): string {
  const lead = `A test made this ${error.name}`;
  if (!isOfCall(error)) return `${lead}.`;
  const { outcome, attempts, idempotencyKey } = error;
  const made = { ...facts, attempts, idempotencyKey };
  if (!(error instanceof ApiError)) return messageFor(made, { lead, outcome });
  const { status, code } = error;
  const reason = error instanceof PaymentDeclinedError ? error.declineCode : undefined;
  const isKeyed = idempotencyKey !== undefined;
  const kind = kindOf({ status, code, hasCode: true, isJson: true, isKeyed }, reason ?? code);
  const advice = adviceOnKey(code, outcome);
  return messageFor(made, { lead: kind.lead, outcome, advice, received: receivedOf(error) });
}

/** Returns the names of the fields that the classes of an error keep behind getters, so that nothing prints them. */
function getterNames(prototype: object): readonly string[] {
  if (prototype === PaymentsError.prototype) return [];
  const properties = Object.entries(Object.getOwnPropertyDescriptors(prototype));
  const own = properties.flatMap(([name, { get }]) => (get === undefined ? [] : [name]));
  return [...own, ...getterNames(Object.getPrototypeOf(prototype))];
}

/** Returns the names of the fields that an error of the same class can have. */
function fieldNamesOf(error: PaymentsError): readonly string[] {
  const hidden = getterNames(Object.getPrototypeOf(error));
  return [...Object.keys(error), ...hidden, 'cause', 'message'].sort();
}

/**
 * Returns an error of any class, as the SDK throws it; `fields` override the defaults of the class. Use it to test how your
 * code handles an error.
 *
 * @param name The name of the class.
 * @throws ConfigurationError when no class has this name, or the class has no such field.
 *
 * @example
 * const timeout = makeError('TimeoutError', { outcome: 'not_executed' });
 * const decline = makeError('PaymentDeclinedError', { declineCode: 'insufficient_funds' });
 */
export function makeError<Name extends keyof ErrorsByName>(
  name: Name,
  fields: ErrorFields<ErrorsByName[Name]> & { readonly message?: string | undefined } = {},
): ErrorsByName[Name] {
  if (!Object.hasOwn(classes, name)) {
    refuseValue('makeError.name', 'the name of an error class', name, 'Correct the call of makeError.');
  }
  const ErrorType = typed[name];
  const advice = 'Correct the fields of the error.';
  if (!isRecord(fields)) refuseValue('makeError.fields', 'an object', fields, advice);
  const plain = new ErrorType('', {});
  const unknown = unknownNames('makeError.fields', fields, fieldNamesOf(plain));
  if (unknown.length > 0) refuse(unknown, advice);
  const given = {
    ...(isOfCall(plain) && ofCall),
    ...(name === 'PaymentDeclinedError' && decline),
    ...fields,
  };
  return new ErrorType(given.message ?? messageOf(new ErrorType('', given)), given);
}
