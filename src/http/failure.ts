/** Turns a failed attempt into an error, and updates the outcome of the call. */

import type { PaymentsError } from '../base/errors.ts';
import { combineOutcomes, type Outcome } from '../base/outcome.ts';
import { readRetryAfter } from '../base/retry-after.ts';
import { unlistenedAddress } from '../base/web-address.ts';
import type { ApiError } from './api-errors.ts';
import type { EncodedCall, PreparedCall, Progress } from './call.ts';
import {
  abortedBySignal,
  type CallFacts,
  ConnectionError,
  fieldsOf,
  messageFor,
  type RequestAbortedError,
  receivedOf,
  type TimeoutError,
  timeoutOf,
  unanswered,
} from './call-errors.ts';
import { type ErrorBody, readErrorBody } from './error-body.ts';
import type { NetworkFailure } from './network-failure.ts';
import { saysObjectIsMissing } from './not-found.ts';
import { adviceOnKey, idempotencyErrors, kindOf, mayPass, outcomeOf } from './refusal.ts';
import { isReplayed, requestIdOf } from './response-headers.ts';
import type { ReceivedResponse } from './transport/received.ts';
import type { Exchange, WireRequest } from './transport/transport.ts';

export function factsOf(
  { identity, idempotencyKey }: EncodedCall,
  { attempts }: Pick<Progress, 'attempts'>,
): CallFacts {
  const { operation, route, movesMoney } = identity;
  return { operation, method: route.method, movesMoney, idempotencyKey, attempts };
}

/** Records the outcome of an attempt, and returns the outcome of the whole call. */
function judge(call: PreparedCall, progress: Progress, attempt: Outcome): Outcome {
  if (call.request.method !== 'GET') progress.outcome = combineOutcomes(progress.outcome, attempt);
  return progress.outcome;
}

export function aborted(call: PreparedCall, progress: Progress, requestId?: string): RequestAbortedError {
  const { outcome } = progress;
  return abortedBySignal(factsOf(call, progress), { outcome, requestId, cause: call.options.signal?.reason });
}

export function timedOut(
  call: PreparedCall,
  progress: Progress,
  code: 'ATTEMPT_TIMEOUT' | 'TOTAL_TIMEOUT',
  requestId?: string,
): TimeoutError {
  const bound = code === 'ATTEMPT_TIMEOUT' ? call.bounds.timeout : call.bounds.totalTimeout;
  return timeoutOf(factsOf(call, progress), code, bound, { outcome: progress.outcome, requestId });
}

/** Whether an incomplete body may be the service's JSON, by its content type. A proxy's page has another. */
function mayBeJson({ headers }: Pick<ReceivedResponse, 'headers'>): boolean {
  return /json|^$/i.test(headers.get('content-type') ?? '');
}

/** Returns the error for an attempt that was aborted, timed out, or lost its connection. */
export function interrupted(
  call: PreparedCall,
  progress: Progress,
  { head, neverLeft }: Exchange,
  reason: 'aborted' | 'ATTEMPT_TIMEOUT' | 'TOTAL_TIMEOUT' | NetworkFailure,
): PaymentsError {
  const isAccepted = head?.ok === true && mayBeJson(head);
  const cannotHaveLeft =
    head === undefined && (neverLeft || (typeof reason === 'object' && reason.neverLeft));
  const outcome = judge(
    call,
    progress,
    isAccepted ? call.accepted : cannotHaveLeft ? 'not_executed' : 'unknown',
  );
  const requestId = head && requestIdOf(call, head.headers);
  if (reason === 'aborted') return aborted(call, progress, requestId);
  if (typeof reason === 'string') return timedOut(call, progress, reason, requestId);
  const { code, cause } = reason;
  const isUnlistened = code === 'ECONNREFUSED' && call.request.origin === unlistenedAddress;
  const isThrown = code === 'FETCH_THREW';
  // It took the request for the text of a URL.
  const isForeign = isThrown && /\bURL\b/.test(cause?.message ?? '');
  const hint = isUnlistened ? unlistenedHint : isForeign ? foreignHint : undefined;
  const what = isThrown ? 'The fetch function' : `The connection to ${call.request.origin}`;
  const lead = `${what} failed (${code})`;
  const failure = { code, outcome, cause, requestId, hint };
  return unanswered(ConnectionError, factsOf(call, progress), lead, failure);
}

const unlistenedHint =
  'If that is a sandbox, it does not listen: ' +
  'call sandbox.listen() first, or give the client fetch: sandbox.fetch.';

const foreignHint =
  'The fetch of a library, such as undici, may read no Request of the runtime: ' +
  'give the client fetch: (request) => undici.fetch(request.url, request).';

function hintFor(call: PreparedCall, status: number, body: ErrorBody): string | undefined {
  const { request } = call;
  const { operation, route } = call.identity;
  if (status === 404 && route.source === 'inferred' && !saysObjectIsMissing(body, call)) {
    const correction = `routes: { '${operation}': 'VERB /path' }`;
    return `The path '${request.method} ${route.path}' is inferred, not documented; if it is wrong, correct it with the option ${correction}.`;
  }
  if (status >= 300 && status < 400)
    return 'Redirects are not followed: set baseUrl to where the service is.';
  if (status === 401) return 'Check that the key belongs to the service at baseUrl.';
  if (status === 409 && request.method !== 'GET' && !idempotencyErrors.has(body.code ?? '')) {
    return 'Retrieve the object to see its state: an earlier call may have changed it.';
  }
  return undefined;
}

/** Whether a request contains a word. A response that repeats it may be an echo, not the service's own code. */
function isSent(word: string, { method, body = '', path, headers }: WireRequest): boolean {
  const content = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const text = [method, path, headers['idempotency-key'], content].join('\n').toLowerCase();
  return text.split(/[^\w.-]+/).includes(word.toLowerCase());
}

/** Whether a response says why it refuses the call, by a code of its own. */
function hasOwnCode({ code, isCodeField, declineCode }: ErrorBody, request: WireRequest): boolean {
  return [isCodeField ? code : undefined, declineCode].some(
    (word) => word !== undefined && !isSent(word, request),
  );
}

/** Returns the error for a response that is not 2xx. */
export function refused(call: PreparedCall, progress: Progress, response: ReceivedResponse): ApiError {
  const { status, headers } = response;
  const { redactor } = call;
  const read = readErrorBody(response.text, status, call.connection.forms.errorShape);
  const { isJson, body } = read;
  // A code that the error must not show is not readable, and decides nothing.
  const code = read.code && redactor.code(read.code);
  const declineCode = read.declineCode && redactor.code(read.declineCode);
  const errorBody = { ...read, code, declineCode };
  const refusal = {
    status,
    code,
    isJson,
    hasCode: hasOwnCode(errorBody, call.request),
    isKeyed: call.idempotencyKey !== undefined,
  };
  const own = outcomeOf(refusal);
  const isReplayedWrite = isReplayed(headers) && call.request.method !== 'GET';
  // A replayed refusal is the original request's own result, so it replaces an unknown outcome.
  const outcome = isReplayedWrite ? own : judge(call, progress, own);
  const facts = factsOf(call, progress);
  const requestId = requestIdOf(call, headers);
  const { type: ErrorType, lead } = kindOf(refusal, declineCode ?? code);
  const message = messageFor(facts, {
    lead,
    outcome,
    advice: adviceOnKey(code, outcome),
    hint: hintFor(call, status, errorBody),
    received: receivedOf({ status, code, requestId }),
    detail: errorBody.detail && redactor.text(errorBody.detail),
  });
  return new ErrorType(message, {
    ...fieldsOf(facts, outcome, mayPass(refusal)),
    status,
    code,
    declineCode,
    requestId,
    headers: headers.web,
    body,
    retryAfter: readRetryAfter(headers),
  });
}
