/** Every response and every failure of a service, with a text in each position that can contain one. */

import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  IdempotencyBodyMismatchError,
  IdempotencyKeyInProgressError,
  IdempotencyKeyTooLongError,
  IdempotencyRouteConflictError,
  IdempotencyStoreUnavailableError,
  NotFoundError,
  PaymentDeclinedError,
  PaymentsError,
  PermissionError,
  RateLimitError,
  ResponseValidationError,
  ServerError,
  TransactionDeclinedError,
  UnprocessableError,
} from 'payments-client';
import { cardNumbers } from './canaries.ts';

/** An error class; some are abstract. */
type ErrorClass = abstract new (...args: never[]) => PaymentsError;

/** Returns a response that repeats the text, or throws. */
type Repeat = (text: string) => Response;

/** One response or failure. */
export interface Answer {
  readonly what: string;
  /** The class of the error; `undefined` for a result. */
  readonly error: ErrorClass | undefined;
  readonly answer: Repeat;
}

/** Answers that lead to the same class of errors, each named by the whole and by itself. */
function answersWith(
  error: ErrorClass | undefined,
  whole: string,
  rows: Readonly<Record<string, Repeat>>,
): readonly Answer[] {
  return Object.entries(rows).map(([what, answer]) => ({ what: `${whole} ${what}`, error, answer }));
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers });

/** A header allows fewer characters than a body, so other characters are percent-encoded. */
const inHeader = (text: string) => text.replace(/[^ -~]/g, encodeURIComponent);

const echoHeaders = (text: string) => ({
  'request-id': inHeader(text),
  'set-cookie': `seen=${encodeURIComponent(text)}`,
  location: `https://payments.test/?seen=${encodeURIComponent(text)}`,
  'retry-after': '0',
  'x-seen': inHeader(text),
});

const escapeHtml = (text: string) => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
const html = (text: string) =>
  `<!DOCTYPE html><html><head><title>${escapeHtml(text)}</title></head><body>${text}</body></html>`;

/** The positions in a JSON error. */
const bodies: Readonly<Record<string, (text: string) => unknown>> = {
  nested: (text) => ({ error: { code: 'bad', message: text, param: text } }),
  flat: (text) => ({ code: text, message: text, detail: text }),
  listed: (text) => ({ errors: [{ type: text, description: text }, text] }),
  'problem+json': (text) => ({ type: `https://x.test/${text}`, title: text, detail: text }),
  'a JSON string': (text) => text,
  'one field': (text) => ({ error: text }),
  'by field': (text) => ({ cvv: [text], ccnumber: [text, { [text]: text }] }),
  'a number as its code': (text) => ({ code: Number(cardNumbers.find((one) => text.includes(one)) ?? 7) }),
  deep: (text) => ({ error: { error: { errors: [{ [text]: text, message: `it was {"is": "${text}"}` }] } } }),
};

const byStatus: readonly (readonly [number, ErrorClass])[] = [
  [302, ApiError],
  [400, BadRequestError],
  [401, AuthenticationError],
  [402, PaymentDeclinedError],
  [403, PermissionError],
  [404, NotFoundError],
  [409, ConflictError],
  [418, ApiError],
  [422, UnprocessableError],
  [429, RateLimitError],
  [500, ServerError],
];

const byCode: readonly (readonly [string, number, ErrorClass])[] = [
  ['IDEMPOTENCY_KEY_TOO_LONG', 400, IdempotencyKeyTooLongError],
  ['IDEMPOTENCY_KEY_IN_PROGRESS', 409, IdempotencyKeyInProgressError],
  ['IDEMPOTENCY_BODY_MISMATCH', 422, IdempotencyBodyMismatchError],
  ['IDEMPOTENCY_ROUTE_CONFLICT', 422, IdempotencyRouteConflictError],
  ['IDEMPOTENCY_STORE_UNAVAILABLE', 503, IdempotencyStoreUnavailableError],
];

/** A body whose text is cut in its middle: line breaks become one space, so the text at the cut is shown. */
const cutAt = (length: number) => (text: string) =>
  new Response(`x${'\n'.repeat(length - 1 - Math.ceil(text.length / 2))}${text}`, { status: 400 });

const refusals: readonly Answer[] = [
  ...byStatus.flatMap(([status, error]) =>
    answersWith(error, String(status), {
      'with headers and a nested error': (text) => json(status, bodies['nested']?.(text), echoHeaders(text)),
    }),
  ),
  ...byCode.flatMap(([code, status, error]) =>
    answersWith(error, code, {
      'with a message': (text) => json(status, { error: { code, message: text } }, { 'retry-after': '0' }),
    }),
  ),
  ...Object.entries(bodies).flatMap(([shape, body]) =>
    answersWith(UnprocessableError, '422 whose error is', { [shape]: (text) => json(422, body(text)) }),
  ),
  ...answersWith(BadRequestError, '400', {
    'in words': (text) => new Response(`Refused: ${text}.`, { status: 400 }),
    'that is longer than the examined part': cutAt(64 * 1024),
  }),
  ...answersWith(ServerError, '502', {
    'with an HTML page': (text) => new Response(html(text), { status: 502, headers: { 'retry-after': '0' } }),
  }),
];

const unreadable = answersWith(ResponseValidationError, '200', {
  'in words': (text) => new Response(text),
  'with an HTML page': (text) => new Response(html(text), { headers: echoHeaders(text) }),
  'with broken JSON': (text) => new Response(`{"id": "${text}`),
  'with a JSON string': (text) => json(200, text),
  'with an array': (text) => json(200, [text, { [text]: text }]),
});

/** A page without `has_more`, or an invalid object, by the method. */
const incomplete = answersWith(PaymentsError, '200', {
  'with another object': (text) => json(200, { [text]: text, data: [{ id: text }] }),
});

const coded = (message: string, code: string) => Object.assign(new TypeError(message), { code });

function fail(error: Error): never {
  throw error;
}

/** Errors of `fetch` that contain secrets. */
const failures = answersWith(ConnectionError, 'a connection that fails', {
  'with a message': (text) => fail(coded(`fetch failed: ${text}`, 'ECONNRESET')),
  'before it is made, with causes and fields': (text) => {
    const inner = Object.assign(coded(text, 'ECONNREFUSED'), { request: { text }, [text]: text });
    return fail(new TypeError(text, { cause: new AggregateError([inner], text, { cause: inner }) }));
  },
  'with secrets in its name and code': (text) =>
    fail(Object.assign(new Error(text), { name: text, code: `ECONN_${text}`, stack: text })),
  'with a value that is not an error': (text) => {
    throw text;
  },
  'within the body': (text) =>
    new Response(new ReadableStream({ start: (controller) => controller.error(new Error(text)) })),
});

const form = (fields: Record<string, string>) => new Response(String(new URLSearchParams(fields)));

/** Results of the form endpoint. */
export const approvals = answersWith(undefined, 'an approval,', {
  escaped: (text) => form({ response: '1', responsetext: text, [text]: text }),
  'not escaped': (text) => new Response(`response=1&responsetext=${text}`),
  'in JSON': (text) => json(200, { response: 1, responsetext: text, fields: { [text]: text } }),
  'with headers': (text) => new Response('response=1', { headers: echoHeaders(text) }),
});

/** Failures of the form endpoint only. */
export const declines: readonly Answer[] = [
  ...answersWith(TransactionDeclinedError, 'a decline,', {
    escaped: (text) => form({ response: '2', responsetext: text }),
    'not escaped': (text) => new Response(`response=3&responsetext=${text} REFID:316`),
  }),
  ...answersWith(AuthenticationError, 'a refused key,', {
    escaped: (text) => form({ response: '3', responsetext: `Authentication Failed ${text}` }),
  }),
  // A text that is one word may be a result that this version does not know.
  ...answersWith(PaymentsError, 'another result,', {
    'in JSON': (text) => json(200, { response: text, responsetext: 'NO' }),
  }),
  ...answersWith(ResponseValidationError, 'two results,', {
    'not escaped': (text) => new Response(`response=1&response=2&responsetext=${text}`),
  }),
];

/** All responses and failures. */
export const answers: readonly Answer[] = [...refusals, ...unreadable, ...incomplete, ...failures];
