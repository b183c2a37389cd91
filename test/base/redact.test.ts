/**
 * What is shown of words that come from outside, and of texts of our own into which a secret was put: a quote that cannot hold a
 * secret, and no key, card number or header value.
 */

import { ApiError, type Hooks, type PaymentsClientOptions } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { createClient, secretKey } from '../support/mock-service.ts';

const redacted = '[redacted]';

/** A client whose every request is refused with these words. */
function refusing(words: string, options: PaymentsClientOptions = {}) {
  const fetch = async () => Response.json({ message: words }, { status: 400 });
  return createClient({ fetch, maxRetries: 0, ...options });
}

/** The words of a refusal, as the message of the error repeats them. */
async function shown(call: PromiseLike<unknown>): Promise<string> {
  const { message } = await failureOf(call, ApiError);
  const advice = /\.(?: The whole text is in error\.body\.)?(?: No money moved by this call\.)?$/;
  return message.replace(/^.* got 400(?:: )?/, '').replace(advice, '');
}

function shownTo(secretKey: string, words: string): Promise<string> {
  return shown(refusing(words, { secretKey }).refunds.retrieve('rf_1'));
}

describe('a quote of the service', () => {
  it.each([
    ['card was declined.', 'card was declined'],
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
  ])('of %j is %j', async (words, rest) => {
    expect(await shownTo('another-key', words)).toBe(rest);
  });

  it('has at most 120 characters, and ends at a word', async () => {
    const said = await shownTo('another-key', 'words '.repeat(100));
    expect(said).toBe(`${'words '.repeat(20).trim()}…`);
  });

  it('does not end in the middle of a word where a text is cut', async () => {
    const words = `${'…'.repeat(1000)} ${'x'.repeat(16)} ${'abc'.repeat(20)}`;
    expect(await shownTo('another-key', words)).toBe(`… ${'x'.repeat(16).slice(0, 16)} …`);
  });
});

describe('a key', () => {
  const key = 'Tea&b/c+d"e<10>\\s.k';

  it.each<[how: string, write: (text: string) => string]>([
    ['as it is', (text) => text],
    ['in other letters', (text) => text.toLowerCase()],
    ['in a URL', encodeURIComponent],
    ['in a URL in a URL', (text) => encodeURIComponent(encodeURIComponent(text))],
    ['in JSON', (text) => JSON.stringify(text).slice(1, -1)],
    ['in JSON in JSON', (text) => JSON.stringify(JSON.stringify(text)).slice(3, -3)],
    [
      'in JSON for a page',
      (text) => text.replaceAll(/\W/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`),
    ],
    ['in HTML by number', (text) => text.replaceAll(/\W/g, (sign) => `&#${sign.charCodeAt(0)};`)],
    [
      'in HTML by name',
      (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    ],
    ['in base64', btoa],
    ['in hexadecimal', (text) => Buffer.from(text).toString('hex')],
  ])('is not quoted %s', async (_how, write) => {
    expect(await shownTo(key, `${write(key)} and x${write(key)}9`)).toBe('… and …');
  });

  it.each<[how: string, words: string, rest: string]>([
    ['as it is', 'key brownfoxjumps is wrong', 'key … is wrong'],
    ['in capital letters', 'key BROWNFOXJUMPS is wrong', 'key … is wrong'],
    ['with accents', 'key bröwnfóxjumps is wrong', 'key … is wrong'],
    ['cut by blanks', 'key bro wnf oxj ump s is wrong', 'key … is wrong'],
    ['cut by signs', 'key b-r-o-w-n, f.o.x: "jumps" is wrong', 'key … is wrong'],
    ['in part', 'key nfoxju is wrong', 'key … is wrong'],
    ['in base64', `key ${btoa('brownfoxjumps')} is wrong`, 'key … is wrong'],
    ['in a part of its base64 that looks like a word', 'key YnJvd is wrong', 'key … is wrong'],
    ['but four of its letters', 'key brow is wrong', 'key brow is wrong'],
  ])('of plain letters is not quoted %s', async (_how, words, rest) => {
    expect(await shownTo('brownfoxjumps', words)).toBe(rest);
  });

  it.each([
    ['abcdef', '…'],
    ['abcde', 'abcde'],
    ['123', '…'],
  ])('in a header is not quoted where it is long enough, or a number: %s', async (key, rest) => {
    const { refunds } = refusing(`got ${key}`, { headers: { 'x-own': key } });
    expect(await shown(refunds.retrieve('rf_1'))).toBe(`got ${rest}`);
  });

  it.each([
    ['card_declined', 'card_declined'],
    ['Tea_b_c_d_e10_s_k', undefined],
    [btoa(key).slice(0, 20), undefined],
  ])('is no code: %s', async (code, rest) => {
    const fetch = async () => Response.json({ code }, { status: 400 });
    const error = await failureOf(createClient({ fetch, secretKey: key }).refunds.retrieve('rf_1'), ApiError);
    expect(error.code).toBe(rest);
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
  ])('is no request id: %s', async (id, rest) => {
    const fetch = async () => new Response('', { status: 400, headers: { 'request-id': id } });
    const { refunds } = createClient({ fetch, secretKey: 'brownfoxjumps' });
    expect((await failureOf(refunds.retrieve('rf_1'), ApiError)).requestId).toBe(rest);
  });
});

describe('a text of our own', () => {
  async function pathOf(id: string, options: PaymentsClientOptions = {}): Promise<unknown> {
    const paths: unknown[] = [];
    const hooks: Hooks = { request: ({ path }) => paths.push(path) };
    await shown(refusing('no', { hooks, ...options }).refunds.retrieve(id, { checkIds: false }));
    return paths[0];
  }

  it.each<[how: string, id: string, rest: string]>([
    ['an id', 'rf_8f14e45f', 'rf_8f14e45f'],
    ['a key', 'Tea&b/c+d"e<10>', redacted],
    ['a key behind others', 'xTea&b/c+d"e<10>9', redacted],
    ['a key in base64', btoa('Tea&b/c+d"e<10>'), redacted],
    ['a key in hexadecimal', Buffer.from('Tea&b/c+d"e<10>').toString('hex'), redacted],
    ['another key', 'sk_v1_live_abcdefgh', redacted],
    ...[' ', '_', ':', ',', '|', '*', '–', '·', '\u200b', '. ', '-'].map((sign): [string, string, string] => [
      `a card number with ${JSON.stringify(sign)}`,
      ['4111', '1111', '1111', '1111'].join(sign),
      redacted,
    ]),
    ['digits of a card one by one', [...'4111111111111111'].join('_'), redacted],
    ['twelve digits', '123456789012', '123456789012'],
    ['what is too long', 'x'.repeat(500), '…'],
  ])('shows or hides %s', async (_how, id, rest) => {
    expect(await pathOf(id, { secretKey: 'Tea&b/c+d"e<10>' })).toBe(`/v1/refunds/${rest}`);
  });
});

describe('a key that was replaced', () => {
  /** What the logger is told when a hook fails with these words, at the last of a call with each key. */
  async function toldAfter(keys: readonly string[], words: string): Promise<unknown> {
    const told: unknown[] = [];
    const left = keys.values();
    const { refunds } = createClient({
      secretKey: () => left.next().value ?? '',
      fetch: async () => new Response(),
      validation: 'off',
      hooks: {
        request: () => {
          throw new Error(words);
        },
      },
      logger: { warn: (_message, fields) => told.push(fields['reason']) },
    });
    for (const _key of keys) await refunds.retrieve('rf_1').catch(() => {});
    expect(told).toHaveLength(keys.length);
    return told.at(-1);
  }

  it('is still taken out, and so is the new one', async () => {
    expect(await toldAfter(['alphakey', 'betakeys'], 'with alphakey and betakeys')).toBe('with … and …');
  });

  it('is taken out once it has six characters', async () => {
    expect(await toldAfter(['abcde', 'fghijk', 'tea-key'], 'abcde and fghijk')).toBe('abcde and …');
  });

  it('is one of the 32 last ones', async () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz'];
    const keys = [...letters, ...letters.slice(0, 7).map((letter) => `${letter}z`)].map((unit) =>
      unit.repeat(6),
    );
    expect(keys).toHaveLength(33);
    expect(await toldAfter(keys, 'aaaaaa bbbbbb gzgzgz')).toBe('aaaaaa …');
  });

  it('is not forgotten however often the new one is used', async () => {
    const keys = ['alphakey', ...Array.from({ length: 40 }, () => 'betakeys')];
    expect(await toldAfter(keys, 'with alphakey')).toBe('with …');
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
  ])('are not quoted from %s', async (words, rest) => {
    const sale = refusing(words).transact.submit({ type: 'sale', amount: '12.00', ...card });
    expect(await shown(sale)).toBe(rest);
  });
});

describe('the headers that a hook sees', () => {
  async function seenOf(headers: Readonly<Record<string, string>>): Promise<unknown> {
    const seen: unknown[] = [];
    const hooks: Hooks = { request: (event) => seen.push(event.headers) };
    const { refunds } = refusing('no', { headers, hooks });
    await failureOf(refunds.create({ charge_id: 'ch_1' }, { operationId: 'order-1' }), ApiError);
    return seen[0];
  }

  const headers = { 'Accept-Language': 'de', 'user-agent': 'shop', accept: 'text/plain' };

  it('show what is harmless, and the idempotency key', async () => {
    expect(await seenOf(headers)).toEqual({
      accept: 'text/plain',
      'accept-language': 'de',
      authorization: redacted,
      'content-type': 'application/json',
      'idempotency-key': 'pc1:refunds.create:order-1',
      'user-agent': 'shop',
    });
  });

  it('show no key in what is harmless elsewhere', async () => {
    expect(await seenOf({ 'user-agent': `shop/${secretKey}` })).toMatchObject({
      'user-agent': `shop/${redacted}`,
    });
  });

  it.each([
    ...['x-auth', 'x-session', 'x-jwt', 'x-shop', 'traceparent', 'x-idempotency-key', 'proxy-authorization'],
    ...['cookie', 'x-secret', 'x-token', 'X-Api-Key', 'ccnumber', 'email', 'from', 'referer'],
  ])('hide the value of %s', async (name) => {
    expect(await seenOf({ [name]: 'one' })).toMatchObject({ [name.toLowerCase()]: redacted });
  });
});
