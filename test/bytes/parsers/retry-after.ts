/** Values of the header `Retry-After`. */

import { RateLimitError, RequestAbortedError, type RetryEvent } from 'payments-client';
import { expect } from 'vitest';
import type { Parser } from '../parser.ts';
import { endingOf, scriptedService } from '../service.ts';
import { words } from '../words.ts';

const service = scriptedService();
const payments = service.client();

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
  const watched = service.client({ maxRetries: 1, totalTimeout, hooks: { retry } });
  const ending = await endingOf(watched.refunds.retrieve('rf_1', { signal: giveUp.signal }));
  return { error: 'error' in ending ? ending.error : undefined, wait };
}

/** Whether a header can have this value. */
const isHeaderValue = (text: string) => /^[\t\x20-\x7e\x80-\xff]*$/.test(text);

/** Returns the seconds that a value asks for, if it has one of the two forms of HTTP; they may overflow. */
function secondsOf(text: string): number | undefined {
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  if (!/^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(text)) return undefined;
  const asked = Date.parse(text);
  return Number.isNaN(asked) ? undefined : Math.max(0, asked - Date.parse(date)) / 1000;
}

async function judge(bytes: Buffer): Promise<string> {
  const value = bytes.toString('latin1');
  if (!isHeaderValue(value)) return 'no header';
  const headers = { 'retry-after': value, date };
  service.answers(() => ({ status: 429, headers, body: '{"code":"slow_down"}' }));
  const refusal = await endingOf(payments.refunds.retrieve('rf_1'));
  if (!('error' in refusal && refusal.error instanceof RateLimitError))
    throw new Error('expected a RateLimitError', { cause: refusal });
  const { retryAfter } = refusal.error;
  expect(retryAfter === undefined || (Number.isFinite(retryAfter) && retryAfter >= 0)).toBe(true);
  // HTTP removes spaces and tabs, but no other white space.
  const asked = secondsOf(value.replace(/^[ \t]+|[ \t]+$/g, ''));
  if (asked !== undefined) expect(retryAfter).toBe(asked);

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
  expect(wait).toBeGreaterThanOrEqual(retryAfter * 1000);
  expect(wait).toBeLessThanOrEqual(retryAfter * 1000 + Math.max(1_000, retryAfter * 500));
  return retryAfter === 0 ? 'at once' : 'as asked';
}

export const retryAfter: Parser = {
  name: 'the parser of Retry-After',
  promise: 'a sick service is not made sicker, and no call waits a negative time or forever',
  corpus: {
    'as asked': {
      seconds: '5',
      minute: '60',
      fraction: '1.5',
      'leading zeros': '00005',
      'date that is a minute later': 'Wed, 21 Oct 2026 07:28:00 GMT',
      'date of ISO 8601': '2026-10-21T07:28:00Z',
    },
    'at once': {
      zero: '0',
      'smaller than any number': `0.${'0'.repeat(400)}1`,
      'earlier date': 'Sat, 01 Jan 2000 00:00:00 GMT',
      'earlier date by asctime': 'Sun Nov  6 08:49:37 1994',
      'earlier date by RFC 850': 'Sunday, 06-Nov-94 08:49:37 GMT',
    },
    'too long': {
      'more than a call may take': '86400',
      'more than a timer takes': '2147484',
      'more than any number': '9'.repeat(400),
      'not exact': '9007199254740993',
      'year alone': '2026',
      'date far ahead': 'Fri, 31 Dec 9999 23:59:59 GMT',
      'last date': '+275760-09-13T00:00:00.000Z',
    },
    'back-off': {
      'after the last date': '+275760-09-13T00:00:00.001Z',
      'no date': 'Wed, 99 Foo 2026',
      empty: '',
      exponent: '1e3',
      hexadecimal: '0x10',
      infinity: 'Infinity',
      NaN: 'NaN',
      'dot at the end': '5.',
      dot: '.',
      negative: '-1',
      plus: '+5',
      two: '5, 10',
      word: 'soon',
      latin1: Buffer.from('5µ', 'latin1'),
    },
    'no header': { 'line break': '5\r\nx-forged: 1', NUL: '5\0' },
  },
  vocabulary: words('0 1 59 . - + e ␣ , GMT Wed,␣ 21␣ Oct␣ 2026 07:28:00 : T Z'),
  cases: 900,
  judge,
};
