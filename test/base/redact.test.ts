/** Redaction: what a message, a path, a header and an issue show, and what they replace. docs/errors.md promises it. */

import fc from 'fast-check';
import {
  ApiError,
  type Hooks,
  type PaymentsClient,
  type PaymentsClientOptions,
  Transact,
} from 'payments-client';
import { describe, expect, it } from 'vitest';
import { encodings } from '../security/secrets/encodings.ts';
import { anything } from '../support/anything.ts';
import { failureOf } from '../support/failure.ts';
import { createClient, secretKey } from '../support/mock-service.ts';
import { bySize } from '../support/size.ts';

const redacted = '[redacted]';
const numRuns = bySize({ short: 10, all: 300 });
const by = { operationId: 'order-1' };

/** A client whose every request is refused with this message. */
function clientRefusedWith(text: string, options: PaymentsClientOptions = {}) {
  const fetch = async () => Response.json({ message: text }, { status: 400 });
  return createClient({ fetch, maxRetries: 0, ...options });
}

/** The message of the service, which the error message repeats between others. */
async function shownOf(call: PromiseLike<unknown>): Promise<string> {
  const { message } = await failureOf(call, ApiError);
  const [, shown] = /<<(.*)>>/s.exec(message) ?? [];
  return shown ?? message;
}

type Call = (payments: PaymentsClient) => PromiseLike<unknown>;

const retrieve: Call = ({ refunds }) => refunds.retrieve('rf_1');
const sell =
  (fields: object): Call =>
  ({ transact }) =>
    transact.submit({ type: 'sale', amount: '12.00', ...fields });

/** What is shown of a message of the service, by default after a call without card data. */
function shownFor(text: string, options: PaymentsClientOptions = {}, call = retrieve): Promise<string> {
  return shownOf(call(clientRefusedWith(`<<${text}>>`, options)));
}

/** Printable ASCII, with the signs that spellings escape. */
const anyKey = fc
  .string({ unit: fc.constantFrom(...'abcXYZ019-_.~/+=&%\\"<>!'), minLength: 20, maxLength: 60 })
  .map((text) => `k${text}`);

describe('a secret', () => {
  const ungrouped = Object.entries(encodings).filter(([name]) => !name.startsWith('in groups'));

  it.each(ungrouped)('is replaced in every run of 10 characters, %s', async (_name, write) => {
    await fc.assert(
      fc.asyncProperty(anyKey, fc.nat(), fc.nat(), async (key, from, more) => {
        const start = from % (key.length - 10);
        const run = key.slice(start, start + 10 + (more % (key.length - start - 9)));
        const shown = await shownFor(`key (${write(run)}) is wrong`, { secretKey: key });
        expect(shown).toBe(`key (${redacted}) is wrong`);
      }),
      { numRuns },
    );
  });

  const key = 'brownfoxjumps';
  const headers = { 'x-gateway': key };
  const inBody: Call = ({ products }) => products.create(anything({ deep: [{ client_secret: key }] }));
  const inQuery: Call = (p) => p.request({ method: 'GET', path: '/v1/x', query: { xid: key } });

  it.each<[source: string, options: PaymentsClientOptions, call?: Call]>([
    ['the key of the JSON API', { secretKey: key }],
    ['the key of the JSON API, from a function', { secretKey: () => key }],
    ['the key of the JSON API, after a call of the form endpoint', { secretKey: key }, sell({})],
    ['the key of the form endpoint', { securityKey: key }, sell({})],
    ['the key of the form endpoint, from a function', { securityKey: async () => key }, sell({})],
    ['the key of the form endpoint, after a call of the JSON API', { securityKey: key }],
    ['a header of the client', { headers }],
    ['a header of the client, after a call of the form endpoint', { headers }, sell({})],
    ['a header of the call', {}, ({ refunds }) => refunds.retrieve('rf_1', { headers })],
    ['a field of the body, at any depth', {}, inBody],
    ['a field of the query', {}, inQuery],
    ['a field of the form: payment_token', {}, sell({ payment_token: key })],
    ['a field of the form: cavv', {}, sell({ cavv: key })],
    ['a field of the form: xid', {}, sell({ xid: key })],
    ['a field of the form: client_secret', {}, sell({ client_secret: key })],
  ])('is %s', async (_source, options, call) => {
    expect(await shownFor(`not ${key}, not x${key.slice(1, 11)}x`, options, call)).toBe(
      `not ${redacted}, not x${redacted}x`,
    );
  });

  it.each([
    ['sk_v1_live_abc', redacted],
    ['(whsec_dXhX+c/U5==)', `(${redacted})`],
    ['key:sk_1', `key:${redacted}`],
    ['rf_sk_v1_live_abc', `rf_${redacted}`],
    ['pi_1_secret_a8b9c0', `pi_1_secret_${redacted}`],
    ['Bearer abc.def or Basic YTpi', `Bearer ${redacted} or Basic ${redacted}`],
    ['https://ada:pw@shop.example/', `https://${redacted}@shop.example/`],
    ['disk_full, invalid_secret_key', 'disk_full, invalid_secret_key'],
  ])('is what looks like one: %s', async (text, expected) => {
    expect(await shownFor(text)).toBe(expected);
  });

  it.each([
    ['of 5 characters is an everyday word', 'foxes', 'foxes, xfoxes', 'foxes, xfoxes'],
    [
      'of 6 characters is replaced where it stands alone',
      'foxfox',
      'foxfox, xfoxfox',
      `${redacted}, xfoxfox`,
    ],
    ['of 9 characters is too', 'foxfoxfox', 'foxfoxfox9 é=foxfoxfox', `foxfoxfox9 é=${redacted}`],
    ['of 10 characters is replaced anywhere', 'foxfoxfoxe', 'xfoxfoxfoxe9', `x${redacted}9`],
    [
      'of 11 characters is replaced by its parts',
      'foxfoxfoxes',
      'oxfoxfoxes oxfoxfoxe',
      `${redacted} oxfoxfoxe`,
    ],
  ])('%s', async (_what, own, text, expected) => {
    expect(await shownFor(text, { headers: { 'x-own': own } })).toBe(expected);
  });

  it.each([
    ['abcdefghij12', 'abcdefghij12-34'],
    ['12-34abcdefghij', 'abcdefghij'],
    ['abcdef', 'x-abcdef-y'],
    ['abcdef', 'ghijkl'],
  ])('may contain or follow another: %s and %s', async (one, other) => {
    const options = [
      { secretKey: one, securityKey: other },
      { secretKey: other, securityKey: one },
    ];
    for (const keys of options) {
      expect(await shownFor(`<${one}> <${other}>`, keys)).toBe(`<${redacted}> <${redacted}>`);
      expect(await shownFor(`${other}+${one}.`, keys)).toBe(`${redacted}+${redacted}.`);
    }
  });
});

describe('a value of a call', () => {
  const fields = {
    ccnumber: '4111111111111111',
    ccexp: '1228',
    cvv: '123',
    email: 'ada@shop.example',
    phone: '+1 555 0177',
    address1: '7 Elm Road',
  };

  it.each([
    ['cvv 123 is wrong', `cvv ${redacted} is wrong`],
    ['cvv=123&ccexp=1228', `cvv=${redacted}&ccexp=${redacted}`],
    ['tx_1234, 12123, 12280', 'tx_1234, 12123, 12280'],
    ['ada@shop.example of shop.example', `${redacted} of shop.example`],
    ['nada@shop.example', 'nada@shop.example'],
    ['ada%40shop.example', redacted],
    ['call +1 555 0177', `call ${redacted}`],
    ['at 7 Elm Road, 7+Elm+Road, not Elm Road', `at ${redacted}, ${redacted}, not Elm Road`],
  ])('is replaced as a whole: %s', async (text, expected) => {
    expect(await shownFor(text, {}, sell(fields))).toBe(expected);
  });

  it('is replaced in a JSON call too, and a word is none', async () => {
    const params = { email: 'ada@shop.example', phone: 'auto', billing_address: { line1: '7 Elm Road' } };
    const create: Call = ({ customers }) => customers.create(anything(params));
    const shown = await shownFor('no ada@shop.example, 7 Elm Road, auto', {}, create);
    expect(shown).toBe(`no ${redacted}, ${redacted}, auto`);
  });

  it('is known in its own call alone', async () => {
    const payments = clientRefusedWith('<<cvv 123, tok_of_another_call>>');
    const sale = sell({ cvv: '123', payment_token: 'tok_of_another_call' });
    expect(await shownOf(sale(payments))).toBe(`cvv ${redacted}, ${redacted}`);
    expect(await shownOf(retrieve(payments))).toBe('cvv 123, tok_of_another_call');
  });
});

describe('a card number', () => {
  const numbers =
    '4111111111111111 4222222222222 5555555555554444 2223003122003222 378282246310005 30569309025904 ' +
    '38520000023237 3530111333300000 6011111111111117 6200000000000005 6759649826438453 2200000000000053 ' +
    '6304917082640395711';
  const separators = [
    ['', ' ', '-', '  ', '.', '_', ':', ',', '|', '*', '–', '·', '\u00a0', '\u200b', '/', ' / '],
    ['\u2003\u2003', '----', '%20', '+'],
  ].flat();

  it.each(numbers.split(' '))('is replaced with any separator: %s', async (number) => {
    for (const separator of separators) {
      for (const size of [4, 3, 1]) {
        const groups = number.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
        expect(await shownFor(`card ${groups.join(separator)}, order 7`)).toBe(`card ${redacted}, order 7`);
      }
    }
  });

  it.each([
    'order-1732381234567',
    'order_1732381234567890',
    '20261124-134500-123456',
    '202611241345001234567',
    '303-1234567-1234567',
    'order-4111111111111112',
    '1111111111111111',
    '0000000000000000',
    '4111 1111 1111, 4111111111111111 without 9 signs---------4111',
    '154ef667-0005-1000-8000-000000000000',
    '00000000-0000-8fa6-9687-3981043812a0',
    '2028-10-27 11:53:12.411239+00:00',
    '2028-10-27T11:53:12.411239+00:00',
    '2028-10-27%2011%3A53%3A12.411239%2B00%3A00',
    '2028-10-27+11%3A53%3A12.411239%2B00%3A00',
    'from 2028-10-27 11:53:12.411239+00:00 to 2028-10-27 11:53:12.411239+00:00',
  ])('is not %s', async (id) => {
    expect(await shownFor(id)).toBe(id.replace('4111111111111111', redacted));
  });

  it.each([
    '2028-10-27 11:53:12 4111111111111111',
    '2028-10-27T11:53:12-4111-1111-1111-1111',
    '2028-10-27 11:53:12.4111111111111111',
    '2028-10-27 11:53:4111111111111111',
    '4111-11-11 11:11:11.11',
  ])('is found beside a time, or written like one: %s', async (text) => {
    const shown = await shownFor(text);
    expect(shown).toContain(redacted);
    expect(shown).not.toMatch(/4111|11\.11/);
  });

  it('is not a time in ms', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1e12, max: 2e12 - 1 }), async (time) => {
        expect(await shownFor(`order-${time}`)).toBe(`order-${time}`);
      }),
      { numRuns },
    );
  });

  it.each([
    ['%B4111111111111111^DOE/JOHN^3012101123456789?', redacted],
    [
      'track %B4111 1111 1111 1111^DOE/JOHN^3012101123 0045?;4111111111111111=30121011234567?.',
      `track ${redacted}.`,
    ],
    ['B4111111111111111^DOE^3012101999 is wrong', `${redacted} is wrong`],
    ['%25B4111111111111111%5EDOE%2FJOHN%5E3012101999%3F', redacted],
    [';4111111111111111=30121011234567?', redacted],
    ['no 990000000000000002=3012101123 of any brand', `no ${redacted} of any brand`],
    ['chip 4111111111111111D3012101123F, order 7', `chip ${redacted}, order 7`],
    ['a=1=2, x^y^z, 990000000000000003=3012101', 'a=1=2, x^y^z, 990000000000000003=3012101'],
    ['9f990000000000000002d3012101ab', '9f990000000000000002d3012101ab'],
  ])('is replaced with all of its track: %s', async (text, expected) => {
    expect(await shownFor(text)).toBe(expected);
  });

  it.each([
    ['with signs of three bytes', encodeURIComponent('4111\u20131111\u20131111\u20131111')],
    ['with a line break', '4111%0A1111%0a1111\\u000a1111'],
    ['with bytes of Latin 1', '4111%A01111%801111%ff1111'],
    ['with cut characters', '4111%C21111%e2%801111%F0%9F%921111'],
    ['with signs of four bytes', encodeURIComponent('4111\u{1f4b3}1111\u{1f4b3}1111\u{1f4b3}1111')],
    ['with three signs of four bytes', encodeURIComponent('4111\u{1f4b3}\u{1f4b3}\u{1f4b3}111111111111')],
    ['with signs of four bytes, in JSON', '4111\\ud83d\\udcb31111\\ud83d\\udcb311111111'],
    ['with bytes of Latin 1, escaped twice', '4111%25A01111%25a01111%25A01111'],
    [
      'with signs of four bytes, escaped twice',
      encodeURIComponent(encodeURIComponent('4111\u{1f4b3}1111\u{1f4b3}11111111')),
    ],
    ['in full-width digits', '４１１１１１１１１１１１１１１１'],
    ['in full-width digits from 0 to 9', '３０５６９３０９０２５９０４'],
    ['in full-width groups, escaped', encodeURIComponent('４１１１　１１１１　１１１１　１１１１')],
    ['in full-width digits, as a track', '４１１１１１１１１１１１１１１１=３０１２１０１１２３'],
    [
      'in an address in JSON in a form',
      encodeURIComponent(JSON.stringify(encodeURIComponent('4111 1111 1111 1111'))),
    ],
  ])('is replaced %s', async (_what, text) => {
    expect(await shownFor(`card ${text}, order 7`)).toMatch(/^card [%2]*\[redacted\][%2]*, order 7$/);
  });

  it('of the call is replaced in groups, whatever its brand', async () => {
    const text = '5012 3467 8909, x501234678909, 501234678908';
    const shown = await shownFor(text, {}, sell({ ccnumber: '501234678909' }));
    expect(shown).toBe(`${redacted}, x${redacted}, ${redacted}8`);
  });
});

describe('a message of the service', () => {
  it('shows ids with the prefixes of the service, and ids of the call', async () => {
    const anyId = fc.tuple(
      fc.constantFrom('pi', 'ch', 're', 'cus', 'in', 'sub', 'cn', 'pm', 'acct', 'evt', 'req', 'cs'),
      fc.string({ unit: fc.constantFrom(...'abcdefXYZ0189'), minLength: 8, maxLength: 32 }),
    );
    await fc.assert(
      fc.asyncProperty(anyId, fc.uuid(), async ([prefix, text], orderId) => {
        const said = `The payment intent ${prefix}_${text} of order ${orderId} has not succeeded.`;
        expect(await shownFor(said, {}, ({ refunds }) => refunds.retrieve(orderId))).toBe(said);
      }),
      { numRuns },
    );
  });

  it.each([
    ["amount: at most 5 (see 'line_items[0].amount')", "amount: at most 5 (see 'line_items[0].amount')"],
    ['Betrag zu groß für «Änderung»: 日本', 'Betrag zu groß für «Änderung»: 日本'],
    ['one\r\n\u001b[31mtwo\u202ethree', 'one [31mtwothree'],
  ])('is shown on one line, without what changes a terminal: %j', async (text, expected) => {
    expect(await shownFor(text)).toBe(expected);
  });

  it.each([
    ['300 characters are whole', 'x'.repeat(300), 'x'.repeat(300)],
    ['301 characters are cut', 'x'.repeat(301), `${'x'.repeat(299)}…`],
    ['it is searched before it is cut', `${'x'.repeat(290)} sk_v1_live_abcdefgh`, 'x [redacte…'],
    ['a card across the cut is found', `${'x'.repeat(290)} 4111111111111111`, 'x [redacte…'],
  ])('%s', async (_what, text, end) => {
    const shown = await shownOf(retrieve(clientRefusedWith(text)));
    expect(shown.endsWith(`: ${end}`) || (end.length < 300 && shown.endsWith(end))).toBe(true);
  });
});

describe('a code and an id of the service', () => {
  const secret = { secretKey: 'brownfoxjumps' };
  const tooLong = 'x'.repeat(129);

  it.each([
    ['code', 'card_declined', true],
    ['code', 'x'.repeat(64), true],
    ['code', 'x'.repeat(65), false],
    ['code', 'brownfoxjumps', false],
    ['code', 'card_4111111111111111', false],
    ['requestId', 'req_8f14e45f-ceea-467a:1', true],
    ['requestId', tooLong.slice(1), true],
    ['requestId', tooLong, false],
    ['requestId', 'two words', false],
    ['requestId', 'brownfoxjumps', false],
    ['requestId', '4111-1111_1111:1111', false],
    ['requestId', 'sk_v1_live_abcdefgh', false],
  ] as const)('is no secret: %s %s', async (field, text, isShown) => {
    const headers = field === 'requestId' ? { 'request-id': text } : {};
    const fetch = async () => Response.json({ code: text }, { status: 400, headers });
    const error = await failureOf(createClient({ fetch, ...secret }).refunds.retrieve('rf_1'), ApiError);
    expect(error[field]).toBe(isShown ? text : undefined);
  });
});

/** What the hook of a call sees of its request. */
async function requestOf(options: PaymentsClientOptions, id = 'rf_1') {
  const events: Parameters<NonNullable<Hooks['request']>>[0][] = [];
  const hooks: Hooks = { request: (event) => events.push(event) };
  const { refunds } = clientRefusedWith('no', { ...options, hooks, validation: 'off' });
  await failureOf(refunds.retrieve(id), ApiError);
  await failureOf(refunds.create({ charge_id: 'ch_1' }, by), ApiError);
  return { path: events[0]?.path, headers: events[1]?.headers };
}

describe('the path of an event', () => {
  it.each([
    ['rf_8f14e45f', 'rf_8f14e45f'],
    ['order-1732381234567', 'order-1732381234567'],
    ['Tea&b/c+d"e<10>', redacted],
    ['xTea&b/c+d"e<10>9', `x${redacted}9`],
    ['sk_v1_live_abcdefgh', redacted],
    ['order-17-4111111111111111', `order-17-${redacted}`],
    ['4111 1111 1111 1111', redacted],
  ])('shows the id %s as it is, or replaces what it holds', async (id, expected) => {
    expect((await requestOf({ secretKey: 'Tea&b/c+d"e<10>' }, id)).path).toBe(`/v1/refunds/${expected}`);
  });
});

describe('the headers of a request event', () => {
  it('contain harmless values and the idempotency key', async () => {
    const headers = { 'Accept-Language': 'de', 'user-agent': 'shop', accept: 'text/plain' };
    expect((await requestOf({ headers })).headers).toEqual({
      accept: 'text/plain',
      'accept-language': 'de',
      authorization: redacted,
      'content-type': 'application/json',
      'idempotency-key': 'pc1:refunds.create:order-1',
      'user-agent': 'shop',
    });
  });

  it('contain no key, even in a header that is usually harmless', async () => {
    const { headers } = await requestOf({ headers: { 'user-agent': `shop/${secretKey}` } });
    expect(headers).toMatchObject({ 'user-agent': `shop/${redacted}` });
  });

  it('hide the value of every other header', async () => {
    const names =
      'x-auth x-session x-jwt x-shop traceparent x-idempotency-key proxy-authorization cookie x-secret ' +
      'x-token X-Api-Key ccnumber email from referer';
    const given = Object.fromEntries(names.split(' ').map((name) => [name, 'one']));
    const { headers = {} } = await requestOf({ headers: given });
    const shown = Object.keys(given).map((name) => [name, headers[name.toLowerCase()]]);
    expect(shown).toEqual(Object.keys(given).map((name) => [name, redacted]));
  });
});

describe('the reason of a failed hook, which is logged before anything is sent,', () => {
  const key = 'brownfoxjumps';
  const baseUrl = 'https://payments.test';
  const retrieveWith = (given: PaymentsClientOptions) => retrieve(createClient(given));

  it.each<[source: string, call: (given: PaymentsClientOptions) => PromiseLike<unknown>]>([
    ['the key of the JSON API', (given) => retrieveWith({ ...given, secretKey: key })],
    ['the key of the form endpoint', (given) => retrieveWith({ ...given, securityKey: key })],
    ['a header', (given) => retrieveWith({ ...given, headers: { 'X-Gateway': key } })],
    [
      'the key of a Transact alone',
      (given) =>
        new Transact({ ...given, baseUrl, securityKey: key }).sale({
          amount: '1.00',
          payment_token: 'tok_1',
        }),
    ],
  ])('does not show %s', async (_source, call) => {
    const reasons: unknown[] = [];
    await call({
      fetch: async () => new Response(),
      hooks: { request: () => Promise.reject(new Error(`no route for ${key}`)) },
      logger: { warn: (_message, fields) => reasons.push(fields['reason']) },
      maxRetries: 0,
      validation: 'off',
    }).then(undefined, () => {});
    expect(reasons).toEqual([`no route for ${redacted}`]);
  });
});

describe('a warning about a response', () => {
  it('does not show what the call sent, as a name', async () => {
    const key = 'brownfoxjumps';
    const warnings: unknown[] = [];
    const { customers } = createClient({
      fetch: async () => Response.json({ object: 'customer', metadata: { [key]: 1 } }),
      validation: 'warn',
      logger: { warn: (_message, fields) => warnings.push(fields) },
    });
    await customers.create(anything({ deep: [{ client_secret: key }] }), by);
    expect(JSON.stringify(warnings)).toContain(`metadata.${redacted}`);
    expect(JSON.stringify(warnings)).not.toContain(key);
  });
});

describe('a key that a function rotates', () => {
  /** The logged reasons of a failing hook, one for each call, where each call uses the next key. */
  async function loggedAfter(keys: readonly string[], text: string): Promise<readonly unknown[]> {
    const reasons: unknown[] = [];
    const remaining = keys.values();
    const { refunds } = createClient({
      secretKey: () => remaining.next().value ?? '',
      fetch: async () => new Response(),
      validation: 'off',
      hooks: { request: () => Promise.reject(new Error(text)) },
      logger: { warn: (_message, fields) => reasons.push(fields['reason']) },
    });
    for (const _key of keys) await refunds.retrieve('rf_1').catch(() => {});
    expect(reasons).toHaveLength(keys.length);
    return reasons;
  }

  const pool = ['alphakey', 'betakeys', 'gammakey-of-16-ch', 'deltakey+/=&%-of-more'];

  it('is hidden from its first use on, whatever is used later and how often', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(pool.length - 1), { minLength: 1, maxLength: 40 }), async (uses) => {
        const keys = uses.map((use) => pool[use] ?? '');
        const shown = await loggedAfter(keys, `(${pool.join(') (')})`);
        for (const [call, reason] of shown.entries()) {
          const used = keys.slice(0, call + 1);
          expect(reason).toBe(`(${pool.map((key) => (used.includes(key) ? redacted : key)).join(') (')})`);
        }
      }),
      { numRuns: bySize({ short: 5, all: 100 }) },
    );
  });

  it('is hidden if it has at least six characters', async () => {
    const shown = await loggedAfter(['abcde', 'fghijk', 'tea-key'], 'abcde and fghijk');
    expect(shown.at(-1)).toBe(`abcde and ${redacted}`);
  });

  it('is hidden among the last 32 keys', async () => {
    const keys = Array.from({ length: 33 }, (_, index) => `key-${String.fromCharCode(65 + index)}-${index}`);
    const [first = '', second = '', last = ''] = [keys[0], keys[1], keys[32]];
    const shown = await loggedAfter(keys, `${first} ${second} ${last}`);
    expect(shown.at(-2)).toBe(`${redacted} ${redacted} ${last}`);
    expect(shown.at(-1)).toBe(`${first} ${redacted} ${redacted}`);
  });

  it('is hidden while it is in use, however many others come between', async () => {
    const others = Array.from({ length: 36 }, (_, index) => (35 - index).toString(36).repeat(9));
    const keys = others.flatMap((other) => ['key-in-use', other]);
    const shown = await loggedAfter(keys, `key-in-use ${others[0]}`);
    expect(shown.every((reason) => String(reason).startsWith(redacted))).toBe(true);
    expect(shown.at(-1)).toBe(`${redacted} ${others[0]}`);
  });

  it('is hidden in the errors of its own call, before and after the next one is used', async () => {
    const keys = ['alphakey-of-first', 'betakeys-of-second'];
    const text = `<<${keys.join(' ')}>>`;
    const remaining = keys.values();
    const payments = clientRefusedWith(text, { securityKey: () => remaining.next().value ?? 'gammakey' });
    const shown = [
      await shownOf(sell({})(payments)),
      await shownOf(sell({})(payments)),
      await shownOf(retrieve(payments)),
    ];
    expect(shown).toEqual([`${redacted} ${keys[1]}`, `${redacted} ${redacted}`, `${redacted} ${redacted}`]);
  });
});
