/** Turns a failed attempt into an error, and updates the outcome of the call. */

import type { PaymentsError } from '../../base/errors.ts';
import { readDecimal } from '../../base/numbers.ts';
import { unlistenedAddress } from '../../base/runtime/runtime.ts';
import type { Call } from '../call.ts';
import { isReplayed, requestIdOf } from '../response.ts';
import type { Exchange, ReceivedResponse, WireRequest } from '../transport/transport.ts';
import {
  type ApiError,
  adviceOnKey,
  idempotencyErrors,
  kindOf,
  mayPass,
  outcomeOf,
  PaymentDeclinedError,
} from './api-errors.ts';
import {
  abortedBySignal,
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

export function aborted(call: Call, requestId?: string): RequestAbortedError {
  return abortedBySignal(call, { outcome: call.outcome, requestId, cause: call.signal?.reason });
}

export function timedOut(
  call: Call,
  code: 'ATTEMPT_TIMEOUT' | 'TOTAL_TIMEOUT',
  requestId?: string,
): TimeoutError {
  const limit = code === 'ATTEMPT_TIMEOUT' ? call.limits.timeout : call.limits.totalTimeout;
  return timeoutOf(call, code, limit, { outcome: call.outcome, requestId });
}

/** Whether an incomplete body may be the service's JSON, by its content type. A proxy's page has another. */
function mayBeJson({ headers }: Pick<ReceivedResponse, 'headers'>): boolean {
  return /json|^$/i.test(headers.get('content-type') ?? '');
}

/** Returns the error for an attempt that was aborted, timed out, or lost its connection. */
export function interrupted(
  call: Call,
  { request, head, neverLeft }: Exchange,
  reason: 'aborted' | 'ATTEMPT_TIMEOUT' | 'TOTAL_TIMEOUT' | NetworkFailure,
): PaymentsError {
  const isAccepted = head?.ok === true && mayBeJson(head);
  const cannotHaveLeft =
    head === undefined && (neverLeft || (typeof reason === 'object' && reason.neverLeft));
  const outcome = call.raise(isAccepted ? call.accepted : cannotHaveLeft ? 'not_executed' : 'unknown');
  const requestId = head && requestIdOf(call, head.headers);
  if (reason === 'aborted') return aborted(call, requestId);
  if (typeof reason === 'string') return timedOut(call, reason, requestId);
  const { code, cause } = reason;
  const isUnlistened = code === 'ECONNREFUSED' && request.origin === unlistenedAddress;
  const isThrown = code === 'FETCH_THREW';
  // It took the request for the text of a URL.
  const isForeign = isThrown && /\bURL\b/.test(cause?.message ?? '');
  const hint = isUnlistened ? unlistenedHint : isForeign ? foreignHint : undefined;
  const what = isThrown ? 'The fetch function' : `The connection to ${request.origin}`;
  const lead = `${what} failed (${code})`;
  const failure = { code, outcome, cause, requestId, hint };
  return unanswered(ConnectionError, call, lead, failure);
}

const unlistenedHint =
  'If that is a sandbox, it does not listen: ' +
  'call sandbox.listen() first, or give the client fetch: sandbox.fetch.';

const foreignHint =
  'The fetch of a library, such as undici, may read no Request of the runtime: ' +
  'give the client fetch: (request) => undici.fetch(request.url, request).';

function hintFor(call: Call, status: number, body: ErrorBody): string | undefined {
  const { operation, method, route } = call;
  if (status === 404 && route.source === 'inferred' && !saysObjectIsMissing(body, call)) {
    const correction = `routes: { '${operation}': 'VERB /path' }`;
    return `The path '${method} ${route.path}' is inferred, not documented; if it is wrong, correct it with the option ${correction}.`;
  }
  if (status >= 300 && status < 400)
    return 'Redirects are not followed: set baseUrl to where the service is.';
  if (status === 401) return 'Check that the key belongs to the service at baseUrl.';
  if (status === 409 && method !== 'GET' && !idempotencyErrors.has(body.code ?? '')) {
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

/** Whether a replayed refusal is the end of its operation. The others may pass. */
function isFinal(status: number): boolean {
  return status < 500 && status !== 408 && status !== 409 && status !== 429;
}

/** Whether the service knows all earlier requests of a call's operation by its key. The interface shows keys of POSTs alone. */
function isKeyKnown({ method, idempotencyKey, inProcess }: Call): boolean {
  return method === 'POST' && idempotencyKey !== undefined && inProcess?.isKeyKnown !== false;
}

/** Returns the error for a response that is not 2xx. */
export function refused(call: Call, request: WireRequest, response: ReceivedResponse): ApiError {
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
    hasCode: hasOwnCode(errorBody, request),
    isKeyed: call.idempotencyKey !== undefined,
  };
  call.mayPass = mayPass(refusal);
  const { type: ErrorType, lead } = kindOf(refusal, declineCode ?? code);
  const own = outcomeOf(refusal);
  const answersKey = ErrorType === PaymentDeclinedError || (isReplayed(headers) && isFinal(status));
  const outcome =
    answersKey && own === 'not_executed' && isKeyKnown(call) ? call.settle(own) : call.raise(own);
  const requestId = requestIdOf(call, headers);
  const message = messageFor(call, {
    lead,
    outcome,
    advice: adviceOnKey(code, outcome),
    hint: hintFor(call, status, errorBody),
    received: receivedOf({ status, code, requestId }),
    detail: errorBody.detail && redactor.text(errorBody.detail),
  });
  return new ErrorType(message, {
    ...fieldsOf(call, outcome, call.mayPass),
    idempotentReplayed: isReplayed(headers),
    status,
    code,
    declineCode,
    requestId,
    headers: headers.web,
    body,
    retryAfter: readRetryAfter(headers),
  });
}

const ofRoute = / (?:route|path|endpoint|url|uri|page|method|cannot (?:get|post|put|patch|delete)) /;
const ofObject = / (?:no such|object|resource missing) /;

/** Returns the words of a text in small letters, with a blank before and after each. */
function wordsOf(text: string): string {
  return ` ${text
    .toLowerCase()
    .replace(/[^a-z\d]+/g, ' ')
    .trim()} `;
}

/** Returns what a route's objects are called: `payment_intent` for `/v1/payment_intents/{id}/capture`. */
function objectName(route: string): string {
  const [collection = ''] = route.split('/{', 1);
  return collection.slice(collection.lastIndexOf('/') + 1).replace(/s$/, '');
}

/**
 * Whether a 404 says that an object is missing, which proves that the path exists. The form of errors is not shown, so the code and the
 * message are searched for the words of either.
 */
function saysObjectIsMissing(
  { code = '', detail = '', isJson }: Pick<ErrorBody, 'code' | 'detail' | 'isJson'>,
  { route: { path: route }, path }: Call,
): boolean {
  const text = `${code} ${detail}`;
  const words = wordsOf(text);
  if (!isJson || route === undefined || text.includes(path) || ofRoute.test(words)) return false;
  return ofObject.test(words) || words.includes(wordsOf(objectName(route)));
}

/**
 * Seconds that a response asks to wait: its `Retry-After`, as a number or as a date. `undefined` where it says
 * nothing that can be read.
 */
function readRetryAfter(headers: Pick<Headers, 'get'>): number | undefined {
  const text = String(headers.get('retry-after'));
  // Enough digits are infinity, which is no number of seconds.
  if (readDecimal(text) !== undefined) return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  // Every form of an HTTP date has a letter; `Date.parse` alone would take `-1` for a year.
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(date)) return undefined;
  // The sender's own clock, where it tells it, so that a wrong clock here does not matter.
  const now = Date.parse(String(headers.get('date')));
  return Math.max(0, (date - (Number.isNaN(now) ? Date.now() : now)) / 1000);
}
