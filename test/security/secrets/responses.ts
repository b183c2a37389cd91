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

/** One response or failure. */
export interface Answer {
  readonly what: string;
  /** The class of the error; `undefined` for a result. */
  readonly error: ErrorClass | undefined;
  /** Returns a response that repeats the text, or throws. */
  readonly answer: (text: string) => Response;
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

const refusals: readonly Answer[] = [
  ...byStatus.map(([status, error]) => ({
    what: `${status} with headers and a nested error`,
    error,
    answer: (text: string) => json(status, bodies['nested']?.(text), echoHeaders(text)),
  })),
  ...byCode.map(([code, status, error]) => ({
    what: `${code} with a message`,
    error,
    answer: (text: string) => json(status, { error: { code, message: text } }, { 'retry-after': '0' }),
  })),
  ...Object.entries(bodies).map(([shape, body]) => ({
    what: `422 whose error is ${shape}`,
    error: UnprocessableError,
    answer: (text: string) => json(422, body(text)),
  })),
  {
    what: '400 in words',
    error: BadRequestError,
    answer: (text) => new Response(`Refused: ${text}.`, { status: 400 }),
  },
  {
    what: '502 with an HTML page',
    error: ServerError,
    answer: (text) => new Response(html(text), { status: 502, headers: { 'retry-after': '0' } }),
  },
  {
    what: '400 that is longer than the examined part',
    error: BadRequestError,
    // Line breaks become one space, so the text after the cut comes first.
    answer: (text) => {
      const filler = '\n'.repeat(64 * 1024 - 1 - Math.ceil(text.length / 2));
      return new Response(`x${filler}${text}`, { status: 400 });
    },
  },
];

const unreadable: readonly Answer[] = [
  { what: '200 in words', answer: (text: string) => new Response(text) },
  {
    what: '200 with an HTML page',
    answer: (text: string) => new Response(html(text), { headers: echoHeaders(text) }),
  },
  { what: '200 with broken JSON', answer: (text: string) => new Response(`{"id": "${text}`) },
  { what: '200 with a JSON string', answer: (text: string) => json(200, text) },
  { what: '200 with an array', answer: (text: string) => json(200, [text, { [text]: text }]) },
].map((one) => ({ ...one, error: ResponseValidationError }));

/** A page without `has_more`, or an invalid object, by the method. */
const incomplete: Answer = {
  what: '200 with another object',
  error: PaymentsError,
  answer: (text) => json(200, { [text]: text, data: [{ id: text }] }),
};

const coded = (message: string, code: string) => Object.assign(new TypeError(message), { code });

/** Errors of `fetch` that contain secrets. */
const failures: readonly Answer[] = [
  {
    what: 'a connection error with a message',
    answer: (text: string): never => {
      throw coded(`fetch failed: ${text}`, 'ECONNRESET');
    },
  },
  {
    what: 'a refused connection, with causes and fields',
    answer: (text: string): never => {
      const inner = Object.assign(coded(text, 'ECONNREFUSED'), { request: { text }, [text]: text });
      throw new TypeError(text, { cause: new AggregateError([inner], text, { cause: inner }) });
    },
  },
  {
    what: 'an error with secrets in its name and code',
    answer: (text: string): never => {
      throw Object.assign(new Error(text), { name: text, code: `ECONN_${text}`, stack: text });
    },
  },
  {
    what: 'a thrown value that is not an error',
    answer: (text: string): never => {
      throw text;
    },
  },
  {
    what: 'a body error with a message',
    answer: (text: string) =>
      new Response(new ReadableStream({ start: (controller) => controller.error(new Error(text)) })),
  },
].map((one) => ({ ...one, error: ConnectionError }));

const form = (fields: Record<string, string>) => new Response(String(new URLSearchParams(fields)));

/** Results of the form endpoint. */
export const approvals: readonly Answer[] = [
  {
    what: 'an approval, escaped',
    answer: (text: string) => form({ response: '1', responsetext: text, [text]: text }),
  },
  {
    what: 'an approval, not escaped',
    answer: (text: string) => new Response(`response=1&responsetext=${text}`),
  },
  {
    what: 'an approval in JSON',
    answer: (text: string) => json(200, { response: 1, responsetext: text, fields: { [text]: text } }),
  },
  {
    what: 'an approval with headers',
    answer: (text: string) => new Response('response=1', { headers: echoHeaders(text) }),
  },
].map((one) => ({ ...one, error: undefined }));

/** Failures of the form endpoint only. */
export const declines: readonly Answer[] = [
  {
    what: 'a decline, escaped',
    error: TransactionDeclinedError,
    answer: (text) => form({ response: '2', responsetext: text }),
  },
  {
    what: 'a decline, not escaped',
    error: TransactionDeclinedError,
    answer: (text) => new Response(`response=3&responsetext=${text} REFID:316`),
  },
  {
    what: 'a refused key',
    error: AuthenticationError,
    answer: (text) => form({ response: '3', responsetext: `Authentication Failed ${text}` }),
  },
  {
    what: 'another result',
    // A text that is one word may be a result that this version does not know.
    error: PaymentsError,
    answer: (text) => json(200, { response: text, responsetext: 'NO' }),
  },
  {
    what: 'two results',
    error: ResponseValidationError,
    answer: (text) => new Response(`response=1&response=2&responsetext=${text}`),
  },
];

/** All responses and failures. */
export const answers: readonly Answer[] = [...refusals, ...unreadable, incomplete, ...failures];
