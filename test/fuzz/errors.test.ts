/**
 * Any error response becomes an ApiError of the class for its status, with an outcome and without a secret. With any
 * `Retry-After`, no call waits a negative time or forever.
 */

import { crc32 } from 'node:zlib';
import {
  ApiError,
  PaymentDeclinedError,
  type PaymentsClient,
  RateLimitError,
  RequestAbortedError,
  type RetryEvent,
} from 'payments-client';
import { describe, expect, it } from 'vitest';
import { refundParams } from '../support/fixtures.ts';
import { controlCharacter, endingOf, secretKey, useScriptedService } from './answering.ts';
import { runCampaign, seed } from './campaign.ts';

const service = useScriptedService();

const statuses = [
  300, 307, 400, 401, 402, 403, 404, 405, 408, 409, 410, 418, 422, 429, 451, 500, 501, 502, 503, 599,
];

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

function classOf(status: number, code: string | undefined): string {
  const byCode = Object.entries(classOfCode).find(([known]) => known === code)?.[1];
  if (byCode?.[0] === status) return byCode[1];
  return classOfStatus[status] ?? (status >= 500 ? 'ServerError' : 'ApiError');
}

/** Only a code of JSON makes a 402 a decline. */
function isDeclined(error: ApiError, text: string): boolean {
  if (!(error instanceof PaymentDeclinedError)) return false;
  expect(error.status).toBe(402);
  expect(error.declineCode ?? error.code).toBeDefined();
  expect(isParsed(text)).toBe(true);
  return true;
}

/** Returns whether a JSON text contains a field with exactly this string, at any depth. */
function hasField(json: string, value: string): boolean {
  let found = false;
  try {
    JSON.parse(json, (name, field) => {
      found ||= field === value && !/^\d*$/.test(name);
      return field;
    });
  } catch {
    return false;
  }
  return found;
}

function isParsed(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Checks the outcome of a write, independently of how the SDK reads codes. */
function checkOutcome(error: ApiError, text: string): void {
  const { status, outcome } = error;
  const words = Object.keys(classOfCode).filter((word) => text.includes(word));
  const isJson = isParsed(text);
  if (outcome === 'not_executed') {
    const isStore = status === 503 && hasField(text, 'IDEMPOTENCY_STORE_UNAVAILABLE');
    expect(isStore || (status >= 400 && status < 500 && status !== 408)).toBe(true);
    if (status === 402 || status === 409 || status === 422) expect(isJson).toBe(true);
    if (status === 402) expect(isDeclined(error, text)).toBe(true);
    for (const proof of ['KEY_IN_PROGRESS', 'BODY_MISMATCH', 'ROUTE_CONFLICT']) {
      if (text === `{"code":"IDEMPOTENCY_${proof}"}`) throw new Error(`${proof} is no refusal`);
    }
    return;
  }
  expect(outcome).toBe('unknown');
  // A refusal by its status, in JSON without a code of the interface, is certain.
  const isPlain = status >= 400 && status < 452 && ![402, 408, 409].includes(status);
  expect(isPlain && isJson && words.length === 0).toBe(false);
}

function bodyOf(bytes: Buffer): unknown {
  const text = new TextDecoder().decode(bytes);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns every part of an error that a log may contain. */
const shownOf = (error: ApiError) => [error.message, error.code, JSON.stringify(error)].join(' ');

async function refusalOf(call: PromiseLike<unknown>): Promise<ApiError> {
  const ending = await endingOf(call);
  if ('error' in ending && ending.error instanceof ApiError) return ending.error;
  throw new Error('expected an ApiError', { cause: 'error' in ending ? ending.error : undefined });
}

/** Checks the refusal of a write and of a read against the tables above. */
async function checkBody(payments: PaymentsClient, bytes: Buffer, isKept: boolean): Promise<string> {
  const status = statuses[crc32(bytes) % statuses.length] ?? 500;
  service.answers(() => ({ status, headers: { 'x-request-id': `req_${secretKey}` }, body: bytes }));
  const write = await refusalOf(payments.refunds.create(refundParams, { operationId: 'fuzz-1' }));
  const read = await refusalOf(payments.refunds.retrieve('rf_1'));
  const { code } = write;
  const text = new TextDecoder().decode(bytes);
  for (const error of [write, read]) {
    const name = isDeclined(error, text) ? 'PaymentDeclinedError' : classOf(status, code);
    expect(error).toMatchObject({ status, name });
  }
  checkOutcome(write, text);
  expect(read.outcome).toBe('not_executed');
  // Compares texts, because bodies may be too deep for `toEqual`.
  expect(String(JSON.stringify(write.body))).toBe(String(JSON.stringify(bodyOf(bytes))));
  for (const error of [write, read]) {
    expect(error.message).not.toMatch(controlCharacter);
    expect(error.message.length).toBeLessThan(2000);
    expect(shownOf(error)).not.toContain(secretKey);
    // In a mutant the card number may be part of a longer number, which is not a card number.
    if (isKept) expect(shownOf(error)).not.toMatch(/4111[ -]?1111[ -]?1111[ -]?1111/);
  }
  return code === undefined ? 'without a code' : 'with a code';
}

describe('the parser of error bodies', () => {
  it(`creates the right error from any bytes (seed ${seed})`, async () => {
    const payments = service.client();
    const tally = await runCampaign({
      parser: 'error-bodies',
      vocabulary: [
        '{',
        '}',
        '[',
        ']',
        ':',
        ',',
        '"',
        '"code"',
        '"message"',
        '"error"',
        '"errors"',
        '"type"',
        'x_y',
        '7',
        ...Object.keys(classOfCode),
        '<html>',
        '<title>',
        '</title>',
        '&lt;',
        '&#10;',
        secretKey,
      ],
      caseCount: 900,
      check: (bytes, entry) => checkBody(payments, bytes, entry !== undefined),
    });
    expect([...tally.keys()].sort()).toEqual(['with a code', 'without a code']);
  });
});

/** The service's clock, from its Date header. */
const date = 'Wed, 21 Oct 2026 07:27:00 GMT';
/** The limit of a whole call, which no wait may exceed. */
const totalTimeout = 120_000;

/** Observes a wait without waiting: aborts the call when the wait begins. */
async function watchRetry(): Promise<{ error: unknown; wait: number | undefined }> {
  const giveUp = new AbortController();
  let wait: number | undefined;
  const retry = (event: RetryEvent) => {
    wait = event.wait;
    giveUp.abort();
  };
  const payments = service.client({ maxRetries: 1, totalTimeout, hooks: { retry } });
  const ending = await endingOf(payments.refunds.retrieve('rf_1', { signal: giveUp.signal }));
  return { error: 'error' in ending ? ending.error : undefined, wait };
}

/** Returns whether a header can be sent. Longer ones make the connection fail. */
const isHeaderValue = (bytes: Buffer) =>
  bytes.length <= 8000 && /^[\t\x20-\x7e\x80-\xff]*$/.test(bytes.toString('latin1'));

/** Returns the seconds of a header if it is a number, which may overflow. */
function secondsOf(text: string): number | undefined {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}

async function checkRetryAfter(bytes: Buffer): Promise<string> {
  if (!isHeaderValue(bytes)) return 'no header';
  const value = bytes.toString('latin1');
  service.answers(() => ({
    status: 429,
    headers: { 'retry-after': value, date },
    body: '{"code":"slow_down"}',
  }));
  const refusal = await refusalOf(service.client().refunds.retrieve('rf_1'));
  if (!(refusal instanceof RateLimitError)) throw new Error('expected a RateLimitError', { cause: refusal });
  const { retryAfter } = refusal;
  expect(retryAfter === undefined || (Number.isFinite(retryAfter) && retryAfter >= 0)).toBe(true);
  // HTTP removes spaces and tabs, but no other white space.
  const asked = secondsOf(value.replace(/^[ \t]+|[ \t]+$/g, ''));
  if (asked !== undefined) expect(retryAfter).toBe(Math.min(asked, Number.MAX_SAFE_INTEGER));

  const { error, wait } = await watchRetry();
  // A wait that exceeds the call's limit ends the call with the refusal.
  if (wait === undefined) {
    expect(error).toBeInstanceOf(RateLimitError);
    expect(retryAfter).toBeGreaterThan(totalTimeout / 1000 - 60);
    return 'too long';
  }
  expect(error).toBeInstanceOf(RequestAbortedError);
  expect(wait).toBeGreaterThanOrEqual(0);
  expect(wait).toBeLessThan(totalTimeout);
  if (retryAfter === undefined) return 'back-off';
  expect(wait).toBe(retryAfter * 1000);
  return 'as asked';
}

describe('the parser of Retry-After', () => {
  it(`returns a valid wait or none (seed ${seed})`, async () => {
    const tally = await runCampaign({
      parser: 'retry-after',
      vocabulary: [
        '0',
        '1',
        '59',
        '.',
        '-',
        '+',
        'e',
        ' ',
        ',',
        'GMT',
        'Wed, ',
        '21 ',
        'Oct ',
        '2026',
        '07:28:00',
        ':',
        'T',
        'Z',
      ],
      caseCount: 900,
      check: checkRetryAfter,
    });
    expect([...tally.keys()].sort()).toEqual(['as asked', 'back-off', 'no header', 'too long']);
  });
});
