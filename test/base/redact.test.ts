/** Redaction: what a message, a path, a header and an issue show, and what they replace. docs/errors.md promises it. */

import fc from 'fast-check';
import { ApiError, type Hooks, type PaymentsClientOptions } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { encodings } from '../security/secrets/encodings.ts';
import { failureOf } from '../support/failure.ts';
import { createClient, secretKey } from '../support/mock-service.ts';
import { bySize } from '../support/size.ts';

const redacted = '[redacted]';
const numRuns = bySize({ short: 10, all: 300 });

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

/** What is shown of a message of the service, after a call without card data. */
function shownFor(text: string, options: PaymentsClientOptions = {}): Promise<string> {
  return shownOf(clientRefusedWith(`<<${text}>>`, options).refunds.retrieve('rf_1'));
}

/** What is shown of a message of the service, after a sale with these fields. */
function shownOfSale(fields: Readonly<Record<string, string>>, text: string): Promise<string> {
  const { transact } = clientRefusedWith(`<<${text}>>`);
  return shownOf(transact.submit({ type: 'sale', amount: '12.00', ...fields }));
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

  it.each([
    ['the key of the JSON API', { secretKey: 'brownfoxjumps' }],
    ['a header of the call', { headers: { 'x-gateway': 'brownfoxjumps' } }],
    ['the key of the form endpoint', { securityKey: 'brownfoxjumps' }],
  ])('is %s', async (_name, options) => {
    const { transact, refunds } = clientRefusedWith('<<not brownfoxjumps>>', options);
    const call = 'securityKey' in options ? transact.void({ transactionid: '1' }) : refunds.retrieve('rf_1');
    expect(await shownOf(call)).toBe(`not ${redacted}`);
  });

  it.each(['ccnumber', 'payment_token', 'cavv', 'xid', 'client_secret'])('is the field %s', async (name) => {
    const value = name === 'ccnumber' ? '501234678909' : 'brownfoxjumps';
    expect(await shownOfSale({ [name]: value }, `wrong: ${value.slice(1, 11)}`)).toBe(`wrong: ${redacted}`);
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

  it('of fewer than 10 characters is replaced where it stands alone', async () => {
    const options = { headers: { 'x-own': 'foxfox', 'x-env': 'test' } };
    expect(await shownFor('foxfox, xfoxfox test', options)).toBe(`${redacted}, xfoxfox test`);
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
    ['at 7 Elm Road, not Elm Road', `at ${redacted}, not Elm Road`],
  ])('is replaced as a whole: %s', async (text, expected) => {
    expect(await shownOfSale(fields, text)).toBe(expected);
  });

  it('is replaced in a JSON call too, and a word is none', async () => {
    const { customers } = clientRefusedWith('<<no ada@shop.example, 7 Elm Road, auto>>');
    const params = { email: 'ada@shop.example', phone: 'auto', billing_address: { line1: '7 Elm Road' } };
    expect(await shownOf(customers.create(params as never))).toBe(`no ${redacted}, ${redacted}, auto`);
  });
});

describe('a card number', () => {
  const numbers = [
    '4111111111111111',
    '4222222222222',
    '5555555555554444',
    '2223003122003222',
    '378282246310005',
    '30569309025904',
    '38520000023237',
    '3530111333300000',
    '6011111111111117',
    '6200000000000005',
    '6759649826438453',
    '2200000000000053',
    '6304917082640395711',
  ];
  const separators = [
    '',
    ' ',
    '-',
    '  ',
    '.',
    '_',
    ':',
    ',',
    '|',
    '*',
    '–',
    '·',
    '\u00a0',
    '\u200b',
    '/',
    ' / ',
    '\u2003\u2003',
    '----',
    '%20',
    '+',
  ];

  it.each(numbers)('is replaced with any separator: %s', async (number) => {
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
    '154ef667-0005-1000-8000-000000000000',
    '00000000-0000-8fa6-9687-3981043812a0',
  ])('is not %s', async (id) => {
    expect(await shownFor(id)).toBe(id);
  });

  it('is not a time in ms', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1e12, max: 2e12 - 1 }), async (time) => {
        expect(await shownFor(`order-${time}`)).toBe(`order-${time}`);
      }),
      { numRuns },
    );
  });

  it('of the call is replaced in groups, whatever its brand', async () => {
    expect(await shownOfSale({ ccnumber: '501234678909' }, '5012 3467 8909')).toBe(redacted);
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
        const { refunds } = clientRefusedWith(`<<${said}>>`);
        expect(await shownOf(refunds.retrieve(orderId))).toBe(said);
      }),
      { numRuns },
    );
  });

  it.each([
    [
      "amount: at most 500000 (see 'line_items[0].amount')",
      "amount: at most 500000 (see 'line_items[0].amount')",
    ],
    ['Betrag zu groß für «Änderung»: 日本', 'Betrag zu groß für «Änderung»: 日本'],
    ['one\r\n\u001b[31mtwo\u202ethree', 'one [31mtwothree'],
  ])('is shown on one line, without what changes a terminal: %j', async (text, expected) => {
    expect(await shownFor(text)).toBe(expected);
  });

  it('has at most 300 characters', async () => {
    const { refunds } = clientRefusedWith('x'.repeat(400));
    expect(await shownOf(refunds.retrieve('rf_1'))).toContain(` ${'x'.repeat(299)}…`);
  });

  it('is searched before it is cut', async () => {
    const { refunds } = clientRefusedWith(`${'x'.repeat(290)} sk_v1_live_abcdefgh`);
    expect(await shownOf(refunds.retrieve('rf_1'))).toContain(`x [redacte…`);
  });
});

describe('a code and an id of the service', () => {
  const secret = { secretKey: 'brownfoxjumps' };

  it.each([
    ['card_declined', 'card_declined'],
    ['brownfoxjumps', undefined],
    ['card_4111111111111111', undefined],
  ])('are no secret: the code %s', async (code, expected) => {
    const fetch = async () => Response.json({ code }, { status: 400 });
    const error = await failureOf(createClient({ fetch, ...secret }).refunds.retrieve('rf_1'), ApiError);
    expect(error.code).toBe(expected);
  });

  it.each([
    ['req_8f14e45f-ceea-467a:1', 'req_8f14e45f-ceea-467a:1'],
    ['x'.repeat(128), 'x'.repeat(128)],
    ['x'.repeat(129), undefined],
    ['two words', undefined],
    ['brownfoxjumps', undefined],
    ['4111-1111_1111:1111', undefined],
    ['sk_v1_live_abcdefgh', undefined],
  ])('are no secret: the request id %s', async (id, expected) => {
    const fetch = async () => new Response('', { status: 400, headers: { 'request-id': id } });
    const { refunds } = createClient({ fetch, ...secret });
    expect((await failureOf(refunds.retrieve('rf_1'), ApiError)).requestId).toBe(expected);
  });
});

describe('the path of an event', () => {
  async function pathOf(id: string): Promise<unknown> {
    const paths: unknown[] = [];
    const hooks: Hooks = { request: ({ path }) => paths.push(path) };
    const options = { hooks, secretKey: 'Tea&b/c+d"e<10>', validation: 'off' as const };
    const { refunds } = clientRefusedWith('no', options);
    await failureOf(refunds.retrieve(id), ApiError);
    return paths[0];
  }

  it.each([
    ['rf_8f14e45f', 'rf_8f14e45f'],
    ['order-1732381234567', 'order-1732381234567'],
    ['Tea&b/c+d"e<10>', redacted],
    ['xTea&b/c+d"e<10>9', `x${redacted}9`],
    ['sk_v1_live_abcdefgh', redacted],
    ['order-17-4111111111111111', `order-17-${redacted}`],
    ['4111 1111 1111 1111', redacted],
  ])('shows the id %s as it is, or replaces what it holds', async (id, expected) => {
    expect(await pathOf(id)).toBe(`/v1/refunds/${expected}`);
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
    expect(await loggedAfter(['alphakey', 'betakeys'], 'with alphakey and betakeys')).toBe(
      `with ${redacted} and ${redacted}`,
    );
  });

  it('is redacted if it has at least six characters', async () => {
    expect(await loggedAfter(['abcde', 'fghijk', 'tea-key'], 'abcde and fghijk')).toBe(
      `abcde and ${redacted}`,
    );
  });

  it('is remembered among the last 32 keys', async () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz'];
    const keys = [...letters, ...letters.slice(0, 7).map((letter) => `${letter}z`)].map((unit) =>
      unit.repeat(6),
    );
    expect(keys).toHaveLength(33);
    expect(await loggedAfter(keys, `aaaaaa bbbbbb ${'gz'.repeat(6)}`)).toBe(`aaaaaa ${redacted} ${redacted}`);
  });

  it('is remembered however often the new one is used', async () => {
    const keys = ['alphakey', ...Array.from({ length: 40 }, () => 'betakeys')];
    expect(await loggedAfter(keys, 'with alphakey')).toBe(`with ${redacted}`);
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
