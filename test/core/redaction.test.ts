/** What is taken out of words that come from outside: keys in whatever form they come back, old ones too, and the digits of a card. */

import { ApiError, type Hooks, type PaymentsClientOptions } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { createClient } from '../support/mock-service.ts';

const redacted = '[redacted]';

/** A client whose every request is refused with these words. */
function refusing(words: string, options: PaymentsClientOptions = {}) {
  const fetch = async () => Response.json({ message: words }, { status: 400 });
  return createClient({ fetch, maxRetries: 0, ...options });
}

/** The words of a refusal, as the message of the error repeats them. */
async function shown(call: PromiseLike<unknown>): Promise<string> {
  const { message } = await failureOf(call, ApiError);
  return message.replace(/^.* got 400(?:: )?/, '').replace(/\.(?: No money moved by this call\.)?$/, '');
}

function shownTo(secretKey: string, words: string): Promise<string> {
  return shown(refusing(words, { secretKey }).refunds.retrieve('rf_1'));
}

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
  ])('is taken out %s', async (_how, write) => {
    expect(await shownTo(key, `${write(key)} and x${write(key)}9`)).toBe(`${redacted} and x${redacted}9`);
  });

  it.each(['7b/c+d"e', 'b/c+d"e7', 'a/b-c/d'])('is no number for a digit in it: %s', async (secretKey) => {
    const words = `1${encodeURIComponent(secretKey)}1`;
    expect(await shownTo(secretKey, words)).toBe(`1${redacted}1`);
  });

  it('takes nothing else along', async () => {
    expect(await shownTo('a.b+c(d)', 'axb+c(d) a.bbc(d)')).toBe('axb+c(d) a.bbc(d)');
  });

  it('that goes on like another leaves nothing of itself', async () => {
    const headers = { 'x-a-key': 'tea-key', 'x-b-key': 'tea-key-and-more' };
    const words = 'tea-key-and-more or tea-key';
    expect(await shown(refusing(words, { headers }).refunds.retrieve('rf_1'))).toBe(
      `${redacted} or ${redacted}`,
    );
  });

  it.each([
    ['abcdef', redacted],
    ['abcde', 'abcde'],
    ['a1234', 'a1234'],
    ['1234a', '1234a'],
    ['123', redacted],
  ])('in a header is taken out where it is long enough, or a number: %s', async (key, rest) => {
    const { refunds } = refusing(`got ${key}`, { headers: { 'x-own-key': key } });
    expect(await shown(refunds.retrieve('rf_1'))).toBe(`got ${rest}`);
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
    expect(await toldAfter(['first-key', 'second-key'], 'first-key second-key')).toBe(
      `${redacted} ${redacted}`,
    );
  });

  it('is taken out once it has six characters', async () => {
    expect(await toldAfter(['12345', '123456', 'tea-key'], '12345 123456')).toBe(`12345 ${redacted}`);
  });

  it('is one of the 32 last ones', async () => {
    const keys = Array.from({ length: 33 }, (_, index) => `teakey${index + 10}`);
    expect(await toldAfter(keys, 'teakey10 teakey11 teakey42')).toBe(`teakey10 ${redacted} ${redacted}`);
  });

  it('is not forgotten however often the new one is used', async () => {
    const keys = ['first-key', ...Array.from({ length: 40 }, () => 'second-key')];
    expect(await toldAfter(keys, 'first-key')).toBe(redacted);
  });
});

describe('the digits of a card', () => {
  const card = { ccnumber: '4111111111111111', ccexp: '1228', cvv: '123' };

  it.each([
    ['cvv 123 is wrong', `cvv ${redacted} is wrong`],
    ['cvv 1 2 3', `cvv ${redacted}`],
    ['cvv=1%202%203', `cvv=${redacted}`],
    ['cvv%20123', `cvv%20${redacted}`],
    ['12/28 or 12.28 or 12-28', `${redacted} or ${redacted} or ${redacted}`],
    ['order 51234 of 1239', 'order 51234 of 1239'],
    ['4111 1111 1111 1111', redacted],
    ['a 1 2 and a 3', 'a 1 2 and a 3'],
  ])('are taken out of %s', async (words, rest) => {
    const sale = refusing(words).transact.submit({ type: 'sale', amount: '12.00', ...card });
    expect(await shown(sale)).toBe(rest);
  });
});

describe('words that look secret', () => {
  it.each([
    ['Bearer abc.def', `Bearer ${redacted}`],
    ['Basic YTpi', `Basic ${redacted}`],
    ['key sk_v1_live_0000', `key ${redacted}`],
    ['https://ada:pw@shop.example/', `https://${redacted}@shop.example/`],
    ['one\r\ntwo', 'one two'],
  ])('are taken out: %j', async (words, rest) => {
    expect(await shownTo('another-key', words)).toBe(rest);
  });
});

describe('long words', () => {
  it('are cut after 500 characters', async () => {
    expect(await shownTo('tea-key', 'x'.repeat(500))).toBe('x'.repeat(500));
    expect(await shownTo('tea-key', 'x'.repeat(501))).toBe(`${'x'.repeat(500)}…`);
  });

  it('are looked at for 64 KiB, of which the end is not shown, where there are more', async () => {
    const start = `cut ${'1'.repeat(64_100)} `;
    const whole = `${start}${'x'.repeat(64 * 1024 - start.length)}`;
    expect(await shownTo('tea-key', whole)).toBe(`cut ${redacted} ${'x'.repeat(500 - 15)}…`);
    const rest = 64 * 1024 - start.length - 1024;
    expect(await shownTo('tea-key', `${whole}y`)).toBe(`cut ${redacted} ${'x'.repeat(rest)}`);
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

  it('show what is harmless, and the idempotency key', async () => {
    expect(await seenOf({ 'x-shop': 'tea-shop' })).toMatchObject({
      authorization: redacted,
      'idempotency-key': 'pc1:refunds.create:order-1',
      'x-shop': 'tea-shop',
    });
  });

  it.each([
    ...['x-idempotency-key', 'idempotency-key-hint', 'proxy-authorization', 'cookie', 'x-secret', 'x-token'],
    ...[
      'x-password',
      'api-key',
      'x-signature',
      'x-cvv',
      'x-cvc',
      'ccnumber',
      'ccexp',
      'x-card',
      'cavv',
      'xid',
    ],
    ...['eci', 'email', 'phone', 'address1', 'firstname', 'zip', 'X-IPAddress'],
  ])('hide the value of %s', async (name) => {
    expect(await seenOf({ [name]: 'one' })).toMatchObject({ [name.toLowerCase()]: redacted });
  });
});
