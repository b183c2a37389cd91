import { rootPath } from '../base/issue.ts';
import type { Call, ResultSummary, Returns } from '../http/call.ts';
import { AuthenticationError } from '../http/failure/api-errors.ts';
import { messageFor, receivedOf } from '../http/failure/call-errors.ts';
import type { Verdict } from '../http/past/call-journal.ts';
import { refuseBody, refuseLongBody, requestIdOf } from '../http/response.ts';
import type { ReceivedResponse } from '../http/transport/transport.ts';
import { TransactionDeclinedError } from './declined-error.ts';
import { decodeForm, endsEarly } from './decode.ts';
import {
  type DeclinedTransaction,
  isAuthenticationFailure,
  type TransactionResult,
  toResult,
} from './result.ts';

/** Returns the result of a transaction. A decline is a result, unless the caller wants it thrown. */
export class ReturnedTransaction
  implements Returns<TransactionResult, { readonly throwOnDecline?: boolean | undefined }>
{
  readonly #throwOnDecline: boolean;

  /** @param throwOnDecline The client's option; that of the call takes precedence. */
  constructor(throwOnDecline: boolean) {
    this.#throwOnDecline = throwOnDecline;
  }

  read(
    call: Call,
    response: ReceivedResponse,
    { throwOnDecline = this.#throwOnDecline }: { readonly throwOnDecline?: boolean | undefined },
  ): TransactionResult {
    const result = readResult(call, response);
    if (result.approved) return result;
    if (isAuthenticationFailure(result)) throw unauthenticated(result, call, response);
    if (throwOnDecline) throw declined(result, call, response);
    return result;
  }

  /** A transaction that could not be processed is no decline of the card. */
  summarize({ approved, errored, transactionid }: TransactionResult): ResultSummary {
    const unpaid = errored ? 'not_executed' : 'declined';
    return { outcome: approved ? 'ok' : unpaid, objectId: transactionid };
  }

  judge(response: ReceivedResponse): Verdict {
    if (!response.complete || endsEarly(response)) return 'unknown';
    const decoded = decodeForm(response.text);
    if (!('fields' in decoded)) return 'unknown';
    const result = toResult(decoded.fields);
    if (isAuthenticationFailure(result)) return 'refused';
    if (result.errored) return 'errored';
    return result.approved ? 'end' : 'declined';
  }
}

function declined(
  result: DeclinedTransaction,
  call: Call,
  { headers }: ReceivedResponse,
): TransactionDeclinedError {
  const requestId = requestIdOf(call, headers);
  const declineReason = call.redactor.text(result.responsetext);
  const message = messageFor(call, {
    lead: result.errored ? 'Transaction not processed' : 'Transaction declined',
    outcome: 'not_executed',
    received: [`response ${call.redactor.text(result.response)}`, requestId && `request id ${requestId}`],
    detail: declineReason,
  });
  return new TransactionDeclinedError(message, { result, declineReason, requestId });
}

/** The error for a `security_key` that the endpoint does not accept: a setting to correct, and no buyer's card. */
function unauthenticated(
  { responsetext, fields }: DeclinedTransaction,
  call: Call,
  { status, headers }: ReceivedResponse,
): AuthenticationError {
  const requestId = requestIdOf(call, headers);
  const message = messageFor(call, {
    lead: 'The service rejected the security_key',
    outcome: 'not_executed',
    received: receivedOf({ status, requestId }),
    detail: call.redactor.text(responsetext),
  });
  return new AuthenticationError(message, {
    attempts: call.attempts,
    status,
    requestId,
    headers: headers.web,
    body: fields,
  });
}

function readResult(call: Call, response: ReceivedResponse): TransactionResult {
  refuseLongBody(call, response);
  if (endsEarly(response)) {
    const issue = { path: rootPath, expected: 'a whole answer', received: 'one that ends early' };
    return refuseBody(call, response, [issue], response.text);
  }
  const decoded = decodeForm(response.text);
  return 'fields' in decoded
    ? toResult(decoded.fields)
    : refuseBody(call, response, [decoded.issue], response.text);
}
