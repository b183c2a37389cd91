/** Responses other than 2xx: a status, a space, and a body. */

import { ApiError, PaymentDeclinedError } from 'payments-client';
import { expect } from 'vitest';
import { refundParams, saleParams } from '../../support/fixtures.ts';
import type { Parser } from '../parser.ts';
import { controlCharacter, endingOf, newOperation, parsed, scriptedService, secretKey } from '../service.ts';
import { words } from '../words.ts';

const service = scriptedService();
const payments = service.client();

const classOfStatus: Readonly<Record<number, string>> = {
  400: 'BadRequestError',
  401: 'AuthenticationError',
  403: 'PermissionError',
  404: 'NotFoundError',
  409: 'ConflictError',
  422: 'UnprocessableError',
  429: 'RateLimitError',
};

/** The codes of the interface, each with its status. */
const classOfCode: Readonly<Record<string, readonly [status: number, name: string]>> = {
  IDEMPOTENCY_KEY_TOO_LONG: [400, 'IdempotencyKeyTooLongError'],
  IDEMPOTENCY_KEY_IN_PROGRESS: [409, 'IdempotencyKeyInProgressError'],
  IDEMPOTENCY_BODY_MISMATCH: [422, 'IdempotencyBodyMismatchError'],
  IDEMPOTENCY_ROUTE_CONFLICT: [422, 'IdempotencyRouteConflictError'],
  IDEMPOTENCY_STORE_UNAVAILABLE: [503, 'IdempotencyStoreUnavailableError'],
};
const codes = Object.keys(classOfCode);
/** Each proves an earlier request with the same key. */
const proofs = codes.slice(1, 4);

function classOf(status: number, code = ''): string {
  const byCode = Object.hasOwn(classOfCode, code) ? classOfCode[code] : undefined;
  if (byCode?.[0] === status) return byCode[1];
  return classOfStatus[status] ?? (status >= 500 ? 'ServerError' : 'ApiError');
}

/** Whether a JSON value has a field with exactly this text, at any depth. */
function hasField(text: string, value: string): boolean {
  let found = false;
  try {
    JSON.parse(text, (name, field) => {
      found ||= field === value && !/^\d*$/.test(name);
      return field;
    });
  } catch {
    return false;
  }
  return found;
}

/** Checks an outcome, independently of how the SDK reads codes. */
function checkOutcome({ status, outcome, code = '' }: ApiError, text: string, isDecline: boolean): void {
  const isJson = parsed(text) !== undefined;
  if (outcome === 'not_executed') {
    const isStore = status === 503 && hasField(text, 'IDEMPOTENCY_STORE_UNAVAILABLE');
    expect(isStore || (status >= 400 && status < 500 && status !== 408)).toBe(true);
    if ([402, 409, 422].includes(status) || (status > 451 && !isStore)) expect(isJson).toBe(true);
    if (status === 402) expect(isDecline).toBe(true);
    expect(proofs).not.toContain(code);
    return;
  }
  expect(outcome).toBe('unknown');
  // A refusal by its status, in JSON without a code of the interface, is certain.
  const isPlain = status >= 400 && status < 452 && ![402, 408, 409].includes(status);
  expect(isPlain && isJson && !codes.some((word) => text.includes(word))).toBe(false);
}

async function refusalOf(call: PromiseLike<unknown>): Promise<ApiError> {
  const ending = await endingOf(call);
  if ('error' in ending && ending.error instanceof ApiError) return ending.error;
  throw new Error('expected an ApiError', { cause: ending });
}

/** The status of bytes that name none is 502. */
function read(bytes: Buffer): { status: number; body: Buffer } {
  const [, status] = /^([345]\d\d) /.exec(bytes.subarray(0, 4).toString('latin1')) ?? [];
  // A 304 has no body.
  return status === undefined || status === '304'
    ? { status: 502, body: bytes }
    : { status: Number(status), body: bytes.subarray(4) };
}

/** Judges the refusal of a write, a read and a sale by the tables above. */
async function judge(bytes: Buffer): Promise<string> {
  const { status, body } = read(bytes);
  const text = new TextDecoder().decode(body);
  service.answers(() => ({ status, headers: { 'x-request-id': `req_${secretKey}` }, body }));
  const write = await refusalOf(payments.refunds.create(refundParams, newOperation()));
  const reading = await refusalOf(payments.refunds.retrieve('rf_1'));
  const sale = await refusalOf(payments.transact.sale(saleParams));
  for (const error of [write, reading, sale]) {
    const isDecline = error instanceof PaymentDeclinedError;
    if (isDecline) expect(error.declineCode ?? error.code).toBeDefined();
    if (isDecline) expect(parsed(text)).toBeDefined();
    const byForm = error === sale && error.name === 'AuthenticationError';
    const name = isDecline && status === 402 ? 'PaymentDeclinedError' : classOf(status, error.code);
    if (!byForm) expect(error).toMatchObject({ status, name });
    if (error === reading) expect(error.outcome).toBe('not_an_operation');
    else checkOutcome(error, text, isDecline);
    expect(error.message).not.toMatch(controlCharacter);
    expect(error.message.length).toBeLessThan(2000);
    const told = [error.message, error.code, JSON.stringify(error)].join(' ');
    expect(told).not.toContain(secretKey);
    // A card number that digits surround is part of a longer number, which is none.
    expect(told).not.toMatch(/(?<!\d[ -]?)4111[ -]?1111[ -]?1111[ -]?1111(?![ -]?\d)/);
  }
  // Compares texts, because bodies may be too deep for `toEqual`.
  const json = parsed(text);
  expect(JSON.stringify(write.body)).toBe(JSON.stringify(json === undefined ? text : json));
  return `${write.name}, ${write.outcome}`;
}

const coded = '{"error":{"code":"amount_too_small","message":"Say so."}}';
const html = '<html>\n<head><title>502 Bad Gateway</title></head><body><h1>nginx</h1></body></html>';
const inField = (code: string) => `{"error":{"code":"${code}"}}`;
const [tooLong = '', inProgress = '', mismatch = '', conflict = '', store = ''] = codes;

export const refusals: Parser = {
  name: 'the parser of refusals',
  promise: 'every error says whether money may have moved, and shows no secret and no card number',
  corpus: {
    'BadRequestError, not_executed': {
      nested: `400 ${coded}`,
      HTML: `400 ${html}`,
      empty: '400 ',
      listed: '400 {"errors":[{"code":"c_1","detail":"Say so"}]}',
      'by field': '400 {"errors":{"amount":["must be positive"]}}',
      'bare list': '400 [{"code":"c_1","message":"Say so"}]',
      'byte order mark': '400 \uFEFF{"code":"c_1","message":"Say so"}',
      'code as object': '400 {"error":{"code":{"a":1},"message":["x"]},"message":7}',
      'code of another status': `400 ${inField(store)}`,
      'deep and open': `400 ${'['.repeat(20_000)}`,
      'deep wrappers': `400 ${'{"error":'.repeat(3000)}1${'}'.repeat(3000)}`,
      'echo of a card':
        '400 {"message":"card 4111111111111111 or 4111 1111 1111 1111 or 4111-1111-1111-1111","code":"4111111111111111"}',
      'echo of a secret': `400 {"message":"the key ${secretKey} with Bearer ${secretKey} is wrong","code":"${secretKey}"}`,
      'echo of a secret, escaped': `400 {"message":"the key \\u0073${secretKey.slice(1)} is wrong"}`,
      'entities in HTML': `400 <html><title>&#115;${secretKey.slice(1)} &#x34;111111111111111 &lt;b&gt; &#999999; &#xd800;</title>`,
      'line breaks': '400 {"message":"one\\r\\nERROR forged\\u2028line\\u001b[2Jclear","code":"a_b"}',
      'long text': `400 {"message":"${'.'.repeat(20_000)}"}`,
      'names of prototypes':
        '400 {"__proto__":{"code":"x_y","message":"polluted"},"constructor":{"prototype":{"code":1}}}',
      'not UTF-8': Buffer.from('400 {"message":"café ÿþ","code":"c_1"}', 'latin1'),
      null: '400 null',
      number: '400 42',
      'number as code': '400 {"code":1e400,"error_code":-0,"reason":5}',
      OAuth: '400 {"error":"invalid_request","error_description":"Say so"}',
      'problem+json': '400 {"type":"about:blank","title":"Say so","status":400,"detail":"more"}',
      'wrappers too deep': '400 {"error":{"error":{"error":{"error":{"error":{"code":"too_deep"}}}}}}',
    },
    'BadRequestError, unknown': {
      'code that proves an earlier request': `400 ${inField(mismatch)}`,
      'echo of such a code': `400 ${conflict}: upstream said so`,
    },
    'AuthenticationError, not_executed': { flat: '401 {"code":"c_1","message":"Say so"}' },
    'AuthenticationError, unknown': { 'request in progress': `401 ${inField(inProgress)}` },
    'PaymentDeclinedError, not_executed': {
      code: '402 {"error":{"code":"card_declined"}}',
      'decline code alone': '402 {"decline_code":"05"}',
    },
    'ApiError, not_executed': { 'status without a class': `405 ${html}`, 'last status': '451 {}' },
    'ApiError, unknown': {
      'payment page of a proxy': `402 ${html}`,
      'payment without a reason': '402 {"error":{"code":"payment_required"}}',
      'payment with a word in a text': '402 CARD_DECLINED: the card was declined',
      'time-out': '408 {"code":"c_1"}',
      redirect: '307 ',
      'status of no standard': `499 ${html}`,
      'request in progress': `405 ${inField(inProgress)}`,
      'declined by a code about the key': `402 ${inField(mismatch)}`,
    },
    'PermissionError, not_executed': { HTML: `403 ${html}` },
    'PermissionError, unknown': { 'request in progress': `403 ${inField(inProgress)}` },
    'NotFoundError, not_executed': {
      XML: '404 <?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>',
    },
    'NotFoundError, unknown': { conflict: `404 ${inField(conflict)}` },
    'ConflictError, not_executed': { code: '409 {"code":"already_refunded"}' },
    'ConflictError, unknown': {
      HTML: `409 ${html}`,
      'without a code': '409 {"message":"Say so"}',
      'code that repeats the status': '409 {"code":"HTTP_CONFLICT"}',
      'code of the interface for another status': `409 ${inField(mismatch)}`,
    },
    'UnprocessableError, not_executed': {
      JSON: '422 {}',
      'unknown code about the key': '422 {"code":"IDEMPOTENCY_SOMETHING_NEW"}',
    },
    'UnprocessableError, unknown': {
      text: `422 upstream said: ${conflict}, sorry`,
      'cut short': '422 {"error":{"code":"c_1","mess',
    },
    'RateLimitError, not_executed': { text: '429 slow down', JSON: '429 {"code":"slow_down"}' },
    'RateLimitError, unknown': { 'request in progress': `429 ${inField(inProgress)}` },
    'ServerError, unknown': {
      HTML: `502 ${html}`,
      text: '503 Service Unavailable',
      'code of the interface for another status': `500 ${inField(store)}`,
    },
    'IdempotencyKeyTooLongError, not_executed': {
      code: `400 ${inField(tooLong)}`,
      'title of a page': `400 <!doctype html><title>${tooLong}</title>`,
    },
    'IdempotencyKeyInProgressError, unknown': { code: `409 ${inField(inProgress)}` },
    'IdempotencyBodyMismatchError, unknown': { type: `422 {"error":{"type":"${mismatch}"}}` },
    'IdempotencyRouteConflictError, unknown': { code: `422 ${inField(conflict)}` },
    'IdempotencyStoreUnavailableError, not_executed': { code: `503 ${inField(store)}` },
    'IdempotencyStoreUnavailableError, unknown': { 'code in a text': `503 ${store}` },
  },
  vocabulary: words(
    `{ } [ ] : , " "code" "message" "error" "errors" "type" x_y 7 <html> <title> </title> &lt; &#10; {"code":"
    ${secretKey} ${codes.join(' ')} 300␣ 400␣ 401␣ 402␣ 403␣ 404␣ 409␣ 418␣ 422␣ 429␣ 500␣ 503␣ 599␣`,
  ),
  cases: 2500,
  nth: 5,
  judge,
};
