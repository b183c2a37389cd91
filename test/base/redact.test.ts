/**
 * Redaction: a quote of the service cannot contain a secret, and texts of the SDK contain no key, card number or header value.
 */

import { ApiError, type Hooks, type PaymentsClientOptions } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { createClient, secretKey } from '../support/mock-service.ts';

const redacted = '[redacted]';

/** A client whose every request is refused with this message. */
function clientRefusedWith(text: string, options: PaymentsClientOptions = {}) {
  const fetch = async () => Response.json({ message: text }, { status: 400 });
  return createClient({ fetch, maxRetries: 0, ...options });
}

/** The message of the service as the error message quotes it. */
async function quoteOf(call: PromiseLike<unknown>): Promise<string> {
  const { message } = await failureOf(call, ApiError);
  return /The service says: (.*)$/s.exec(message)?.[1] ?? '';
}

function quoteFor(secretKey: string, text: string): Promise<string> {
  return quoteOf(clientRefusedWith(text, { secretKey }).refunds.retrieve('rf_1'));
}

describe('a quoted message of the service', () => {
  it.each([
    ['card was declined.', 'card was declined.'],
    [
      "amount: must be at most 500 (see 'line_items[0].amount')",
      "amount: must be at most 500 (see 'line_items[0].amount')",
    ],
    [
      'address1 and/or zip-code is missing, e.g. in shop.example',
      'address1 and/or zip-code is missing, e.g. in shop.example',
    ],
    ['Betrag zu groß für «Änderung»: don’t', 'Betrag zu groß für «Änderung»: don’t'],
    ['paymentIntent INVALID_STATE', 'paymentIntent INVALID_STATE'],
    ['one\r\n\u001b[31mtwo\u202ethree', 'one …'],
    ['a\u200bb c\u00add', '…'],
    ['of abcdefghijklmnop and abcdefghijklmnopq', 'of abcdefghijklmnop and …'],
    ['write to ada@shop.example or https://ada:pw@shop.example/', 'write to … or …'],
    ['Bearer abc.def or Basic YTpi, key sk_v1_live_abcdefgh', 'Bearer … or Basic … key …'],
    ['random QzYmRt and hVcbXwKp', 'random … and …'],
    ['wait 30 of 90 s', 'wait 30 of 90 s'],
    ['wait 300 of 900 s', 'wait … of … s'],
    ['wait 3000 s', 'wait … s'],
    ['4 7 1 6 0', '…'],
    ['code 7392, 7-3-9-2-1 and ４７１６０', 'code … and …'],
    ['((((((( !!!!!!!', '…'],
  ])('shows %j as %j', async (text, expected) => {
    expect(await quoteFor('another-key', text)).toBe(expected);
  });

  it('has at most 120 characters, and ends at a word', async () => {
    const quote = await quoteFor('another-key', 'words '.repeat(100));
    expect(quote).toBe(`${'words '.repeat(20).trim()}…`);
  });

  it('is never cut within a word', async () => {
    const text = `${'…'.repeat(1000)} ${'x'.repeat(16)} ${'abc'.repeat(20)}`;
    expect(await quoteFor('another-key', text)).toBe(`… ${'x'.repeat(16).slice(0, 16)} …`);
  });
});

describe('a key', () => {
  const key = 'Tea&b/c+d"e<10>\\s.k';

  it.each<[how: string, write: (text: string) => string]>([
    ['verbatim', (text) => text],
    ['in lower case', (text) => text.toLowerCase()],
    ['URL-encoded', encodeURIComponent],
    ['URL-encoded twice', (text) => encodeURIComponent(encodeURIComponent(text))],
    ['JSON-escaped', (text) => JSON.stringify(text).slice(1, -1)],
    ['JSON-escaped twice', (text) => JSON.stringify(JSON.stringify(text)).slice(3, -3)],
    [
      'in JSON for a page',
      (text) => text.replaceAll(/\W/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`),
    ],
    ['in HTML with numeric entities', (text) => text.replaceAll(/\W/g, (sign) => `&#${sign.charCodeAt(0)};`)],
    [
      'in HTML by name',
      (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    ],
    ['in base64', btoa],
    ['in hexadecimal', (text) => Buffer.from(text).toString('hex')],
  ])('is not quoted %s', async (_how, write) => {
    expect(await quoteFor(key, `${write(key)} and x${write(key)}9`)).toBe('… and …');
  });

  it.each<[how: string, text: string, expected: string]>([
    ['verbatim', 'key brownfoxjumps is wrong', 'key … is wrong'],
    ['in capital letters', 'key BROWNFOXJUMPS is wrong', 'key … is wrong'],
    ['with accents', 'key bröwnfóxjumps is wrong', 'key … is wrong'],
    ['split by spaces', 'key bro wnf oxj ump s is wrong', 'key … is wrong'],
    ['split by punctuation', 'key b-r-o-w-n, f.o.x: "jumps" is wrong', 'key … is wrong'],
    ['in part', 'key nfoxju is wrong', 'key … is wrong'],
    ['in base64', `key ${btoa('brownfoxjumps')} is wrong`, 'key … is wrong'],
    ['in a part of its base64 that looks like a word', 'key YnJvd is wrong', 'key … is wrong'],
    ['unless only four letters match', 'key brow is wrong', 'key brow is wrong'],
  ])('of plain letters is not quoted %s', async (_how, text, expected) => {
    expect(await quoteFor('brownfoxjumps', text)).toBe(expected);
  });

  it.each([
    ['abcdef', '…'],
    ['abcde', 'abcde'],
    ['123', '…'],
  ])('in a header is redacted if it is long enough or a number: %s', async (key, expected) => {
    const { refunds } = clientRefusedWith(`got ${key}`, { headers: { 'x-own': key } });
    expect(await quoteOf(refunds.retrieve('rf_1'))).toBe(`got ${expected}`);
  });

  it.each([
    ['card_declined', 'card_declined'],
    ['Tea_b_c_d_e10_s_k', undefined],
    [btoa(key).slice(0, 20), undefined],
  ])('is never reported as a code: %s', async (code, expected) => {
    const fetch = async () => Response.json({ code }, { status: 400 });
    const error = await failureOf(createClient({ fetch, secretKey: key }).refunds.retrieve('rf_1'), ApiError);
    expect(error.code).toBe(expected);
  });

  it.each([
    ['req_8f14e45f-ceea-467a:1', 'req_8f14e45f-ceea-467a:1'],
    ['x'.repeat(128), 'x'.repeat(128)],
    ['x'.repeat(129), undefined],
    ['two words', undefined],
    ['brownfoxjumps', undefined],
    [`id-${Buffer.from('brownfoxjumps').toString('hex')}`, undefined],
    [btoa('brownfoxjumps'), undefined],
    ['4111-1111_1111:1111', undefined],
    ['sk_v1_live_abcdefgh', undefined],
  ])('is never reported as a request id: %s', async (id, expected) => {
    const fetch = async () => new Response('', { status: 400, headers: { 'request-id': id } });
    const { refunds } = createClient({ fetch, secretKey: 'brownfoxjumps' });
    expect((await failureOf(refunds.retrieve('rf_1'), ApiError)).requestId).toBe(expected);
  });
});

describe('a text of the SDK', () => {
  async function pathOf(id: string, options: PaymentsClientOptions = {}): Promise<unknown> {
    const paths: unknown[] = [];
    const hooks: Hooks = { request: ({ path }) => paths.push(path) };
    await quoteOf(clientRefusedWith('no', { hooks, ...options }).refunds.retrieve(id));
    return paths[0];
  }

  it.each<[how: string, id: string, expected: string]>([
    ['an id', 'rf_8f14e45f', 'rf_8f14e45f'],
    ['a key', 'Tea&b/c+d"e<10>', redacted],
    ['a key between other characters', 'xTea&b/c+d"e<10>9', redacted],
    ['a key in base64', btoa('Tea&b/c+d"e<10>'), redacted],
    ['a key in hexadecimal', Buffer.from('Tea&b/c+d"e<10>').toString('hex'), redacted],
    ['another key', 'sk_v1_live_abcdefgh', redacted],
    ...[' ', '_', ':', ',', '|', '*', '–', '·', '\u200b', '. ', '-'].map((sign): [string, string, string] => [
      `a card number with ${JSON.stringify(sign)}`,
      ['4111', '1111', '1111', '1111'].join(sign),
      redacted,
    ]),
    ['the digits of a card, separated one by one', [...'4111111111111111'].join('_'), redacted],
    ['a card number beside its expiry date and its code', '41111111111111111228123', redacted],
    ['a card number after another number', 'order-17-4111111111111111', redacted],
    ...[
      '5555555555554444',
      '2223003122003222',
      '378282246310005',
      '30569309025904',
      '3530111333300000',
      '6011111111111117',
      '6200000000000005',
      '6759649826438453',
      '2200000000000053',
      '4222222222222',
    ].map((number): [string, string, string] => [`a card number ${number}`, `order-${number}`, redacted]),
    ...[
      'order-1732381234567',
      'order_1732381234567890',
      '20261124-134500-123456',
      '202611241345001234567',
      '303-1234567-1234567',
      'order-4111111111111112',
      '1111111111111111',
      '0000000000000000',
    ].map((id): [string, string, string] => ['an order id with many digits', id, id]),
    ['a value that is too long', 'x'.repeat(500), '…'],
  ])('shows or redacts %s', async (_how, id, expected) => {
    expect(await pathOf(id, { secretKey: 'Tea&b/c+d"e<10>' })).toBe(`/v1/refunds/${expected}`);
  });
});

describe('a rotated key', () => {
  /** The logged reason of a failing hook, in the last of several calls that use one of these keys each. */
  async function loggedAfter(keys: readonly string[], text: string): Promise<unknown> {
    const reasons: unknown[] = [];
    const remaining = keys.values();
    const { refunds } = createClient({
      secretKey: () => remaining.next().value ?? '',
      fetch: async () => new Response(),
      validation: 'off',
      hooks: {
        request: () => {
          throw new Error(text);
        },
      },
      logger: { warn: (_message, fields) => reasons.push(fields['reason']) },
    });
    for (const _key of keys) await refunds.retrieve('rf_1').catch(() => {});
    expect(reasons).toHaveLength(keys.length);
    return reasons.at(-1);
  }

  it('is still redacted, as is the new one', async () => {
    expect(await loggedAfter(['alphakey', 'betakeys'], 'with alphakey and betakeys')).toBe('with … and …');
  });

  it('is redacted if it has at least six characters', async () => {
    expect(await loggedAfter(['abcde', 'fghijk', 'tea-key'], 'abcde and fghijk')).toBe('abcde and …');
  });

  it('is remembered among the last 32 keys', async () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz'];
    const keys = [...letters, ...letters.slice(0, 7).map((letter) => `${letter}z`)].map((unit) =>
      unit.repeat(6),
    );
    expect(keys).toHaveLength(33);
    expect(await loggedAfter(keys, 'aaaaaa bbbbbb gzgzgz')).toBe('aaaaaa …');
  });

  it('is remembered however often the new one is used', async () => {
    const keys = ['alphakey', ...Array.from({ length: 40 }, () => 'betakeys')];
    expect(await loggedAfter(keys, 'with alphakey')).toBe('with …');
  });
});

describe('the digits of a card', () => {
  const card = { ccnumber: '4111111111111111', ccexp: '1228', cvv: '123' };
  const separators = ['_', ':', ',', '|', '*', '–', '·', '\u200b', ' ', '%20', '&nbsp;', '\u00a0', '.'];

  it.each([
    ['cvv 123 is wrong', 'cvv … is wrong'],
    ['cvv 1 2 3', 'cvv …'],
    ['cvv 12, then 3', 'cvv … then …'],
    ['cvv=1%202%203', '…'],
    [`cvv ${btoa('123')}`, 'cvv …'],
    ['12/28 or 12.28 or 12-28', '… or … or …'],
    ['order 51 of 12', 'order 51 of 12'],
    ...separators.flatMap((sign) =>
      [['4111', '1111', '1111', '1111'], ['411', '111', '111', '111', '111', '1'], [...card.ccnumber]].map(
        (groups): [string, string] => [`card ${groups.join(sign)} is wrong`, 'card … is wrong'],
      ),
    ),
  ])('are not quoted from %s', async (text, expected) => {
    const sale = clientRefusedWith(text).transact.submit({ type: 'sale', amount: '12.00', ...card });
    expect(await quoteOf(sale)).toBe(expected);
  });
});

describe('the headers of a request event', () => {
  async function headersOf(headers: Readonly<Record<string, string>>): Promise<unknown> {
    const received: unknown[] = [];
    const hooks: Hooks = { request: (event) => received.push(event.headers) };
    const { refunds } = clientRefusedWith('no', { headers, hooks });
    await failureOf(refunds.create({ charge_id: 'ch_1' }, { operationId: 'order-1' }), ApiError);
    return received[0];
  }

  const headers = { 'Accept-Language': 'de', 'user-agent': 'shop', accept: 'text/plain' };

  it('contain harmless values and the idempotency key', async () => {
    expect(await headersOf(headers)).toEqual({
      accept: 'text/plain',
      'accept-language': 'de',
      authorization: redacted,
      'content-type': 'application/json',
      'idempotency-key': 'pc1:refunds.create:order-1',
      'user-agent': 'shop',
    });
  });

  it('contain no key, even in a header that is usually harmless', async () => {
    expect(await headersOf({ 'user-agent': `shop/${secretKey}` })).toMatchObject({
      'user-agent': `shop/${redacted}`,
    });
  });

  it.each([
    'x-auth',
    'x-session',
    'x-jwt',
    'x-shop',
    'traceparent',
    'x-idempotency-key',
    'proxy-authorization',
    'cookie',
    'x-secret',
    'x-token',
    'X-Api-Key',
    'ccnumber',
    'email',
    'from',
    'referer',
  ])('hide the value of %s', async (name) => {
    expect(await headersOf({ [name]: 'one' })).toMatchObject({ [name.toLowerCase()]: redacted });
  });
});
