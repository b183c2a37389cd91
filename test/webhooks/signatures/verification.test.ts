/** The forms of signature headers: which are read, which are refused, and with which reason. */

import { createHmac } from 'node:crypto';
import { standardWebhooks, timestampedHmac } from 'payments-client/webhooks';
import { describe, expect, test } from 'vitest';
import { type Delivery, paths, verdict } from './support.ts';
import { bodyVectors, standardVectors, timestampedVectors, type Vector } from './vectors.ts';

type Outcome = boolean | 'malformed_header' | 'too_old' | 'too_new';

function nth(vectors: readonly Vector[], index: number): Vector {
  const vector = vectors.at(index);
  if (vector === undefined) throw new Error('no vector');
  return vector;
}

function deliveryOf({ body, headers, secret, signedAt }: Vector): Delivery {
  return { body, headers, secret, now: signedAt };
}

/** Returns the delivery with another value of a header, or without it. */
function withHeader(name: string, value: string | undefined, delivery: Delivery): Delivery {
  return { ...delivery, headers: { ...delivery.headers, [name]: value } };
}

/** What becomes of the value of a header: replaced, changed, or removed. */
type Change = string | ((value: string) => string) | undefined;
type HeaderRow = readonly [what: string, change: Change, outcome: Outcome];

function changed(name: string, change: Change, delivery: Delivery): Delivery {
  const value = typeof change === 'function' ? change(delivery.headers[name] ?? '') : change;
  return withHeader(name, value, delivery);
}

const foreign = 'v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=';
/** Returns another signature of the same length. */
const altered = (value: string) => value.replace(/,./, (start) => (start === ',A' ? ',B' : ',A'));
const base64In = (value: string) => value.slice(value.indexOf(',') + 1);

/**
 * What the corpus of `test/bytes/parsers/deliveries.ts` does not have: both keys of Standard Webhooks, and the signatures that the public
 * suites named in `vectors.ts` refuse.
 */
const timestampRows: readonly HeaderRow[] = [
  ['with a rest', (t) => `${t}x`, 'malformed_header'],
  ['with a plus', (t) => `+${t}`, 'malformed_header'],
  ['after a blank', (t) => ` ${t}`, 'malformed_header'],
  ['of digits of another script', '١٦١٤٢٦٥٣٣٠', 'malformed_header'],
];
const signatureRows: readonly HeaderRow[] = [
  ['of another', foreign, false],
  ['no base64', 'v1,dawfeoifkpqwoekfpqoekf', false],
  ['longer', (value) => `${value}A`, false],
  ['twice in one', (value) => value + base64In(value), false],
  ['of a version alone', 'v1,', false],
  ['of an asymmetric version alone', 'v1a,', false],
  ['of an unknown version', (value) => value.replace(/^v1a?/, 'v2'), false],
  ['without version', base64In, 'malformed_header'],
  ['with other idle bits', (value) => value.replace('E=', 'F=').replace('g==', 'h=='), false],
  ['one among others', (v) => `${foreign} ${foreign.replace('v1', 'v2')} ${v} ${foreign}`, true],
  ['after another of its version', (value) => `${altered(value)} ${value}`, true],
  ['after a blank', (value) => ` ${value}`, true],
  ['before that of another header, joined', (value) => `${value}, ${foreign}`, true],
  ['before a comma', (value) => `${value},`, false],
  ['with a comma within, joined', (value) => `${foreign}, ${value.slice(0, 12)},${value.slice(12)}`, false],
];
const timestampedRows: readonly HeaderRow[] = [
  ['a sentence', "i'm not even a real signature header", 'malformed_header'],
  ['the signature alone', (v) => v.slice(v.indexOf('v1=') + 3), 'malformed_header'],
  ['a timestamp without value', 't,v1=,v0=', 'malformed_header'],
  ['an empty timestamp', (v) => v.replace(/t=\d+/, 't='), 'malformed_header'],
  ['commas', ',,', 'malformed_header'],
  ['an empty signature', 't=1565125718, v1=', false],
  ['a longer signature', (v) => `${v}0`, false],
  ['no hex', `t=1565125718,v1=${'z'.repeat(64)}`, false],
  ['a wrong one first', (v) => v.replace(',v1=', ',v1=invalid-sig,v1='), true],
  ['a wrong one after', (v) => `${v},v1=bad_signature`, true],
  ['the other order', (v) => v.split(',').toReversed().join(','), true],
  ['two headers, joined', (v) => `${v} ${v}`, true],
  ['a comma before', (v) => `,${v}`, true],
];
const bodyRows: readonly HeaderRow[] = [
  ['empty', '', 'malformed_header'],
  ['no hex', `sha256=xxx${'c'.repeat(61)}`, 'malformed_header'],
  ['cut off', (value) => value.slice(0, -2), 'malformed_header'],
  ['of another', `sha256=${'c'.repeat(64)}`, false],
  ['capital hex', (value) => `sha256=${value.slice(7).toUpperCase()}`, true],
];
const base64Rows: readonly HeaderRow[] = [
  ['of another', 't7Hn4ZDHqs6e+wdvi5TyQivzie0DmMUmuXEBqyyE/tM='.replace('zie', 'zIe'), false],
  ['in the other case', (value) => value.toLowerCase(), false],
  ['with other idle bits', (value) => value.replace('M=', 'N='), false],
  ['in hex', (value) => Buffer.from(value, 'base64').toString('hex'), 'malformed_header'],
  ['after the algorithm', (value) => `sha256=${value}`, true],
];

const standard = nth(standardVectors, 0);
const timestamped = nth(timestampedVectors, 0);
const families: readonly (readonly [
  scheme: string,
  vector: Vector,
  name: string,
  rows: readonly HeaderRow[],
])[] = [
  ...[standard, nth(standardVectors, 1)].flatMap((vector, index) =>
    Object.entries({ timestamp: timestampRows, signature: signatureRows }).map(
      ([name, rows]) => [index === 0 ? 'HMAC' : 'Ed25519', vector, `webhook-${name}`, rows] as const,
    ),
  ),
  ['timestamped HMAC', timestamped, 'mux-signature', timestampedRows],
  ['HMAC of the body', nth(bodyVectors, 0), 'x-hub-signature-256', bodyRows],
  ['HMAC of the body in base64', nth(bodyVectors, -1), 'x-line-signature', base64Rows],
];

describe.each(paths)('by $path', ({ on }) => {
  describe.each(families)('%s', (_scheme, vector, name, rows) => {
    test.each(rows)(`${name}: %s`, async (_what, change, outcome) => {
      expect(await verdict(on(vector.make), changed(name, change, deliveryOf(vector)))).toBe(outcome);
    });
  });

  const seconds = 1000;
  test.each<[age: number, tolerance: number, outcome: Outcome]>([
    [301 * seconds, 300 * seconds, 'too_old'],
    [300 * seconds, 300 * seconds, true],
    [-301 * seconds, 300 * seconds, 'too_new'],
    [-300 * seconds, 300 * seconds, true],
    [2, 1, 'too_old'],
    [1, 1, true],
  ])('a delivery %i ms old, with a tolerance of %i ms', async (age, tolerance, outcome) => {
    for (const vector of [standard, nth(standardVectors, 1), timestamped]) {
      const delivery = { ...deliveryOf(vector), now: vector.signedAt + age, tolerance };
      expect(await verdict(on(vector.make), delivery)).toBe(outcome);
      // Only a valid signature proves its age.
      expect(await verdict(on(vector.make), { ...delivery, body: 'forged' })).toBe(false);
    }
    const { make, ...unsigned } = nth(bodyVectors, 0);
    expect(await verdict(on(make), { ...unsigned, now: age, tolerance })).toBe(true);
  });

  test.each([
    ['before', false],
    ['after', 'too_old'],
  ] satisfies [where: string, outcome: Outcome][])(
    'a fresh timestamp %s makes an old delivery no younger',
    async (where, outcome) => {
      const now = timestamped.signedAt + 301 * seconds;
      const fresh = `t=${Math.floor(now / 1000)}`;
      const change = (value: string) => (where === 'after' ? `${value},${fresh}` : `${fresh},${value}`);
      const delivery = changed('mux-signature', change, { ...deliveryOf(timestamped), now });
      expect(await verdict(on(timestamped.make), delivery)).toBe(outcome);
    },
  );

  test.each([
    ['01700000000', 1_700_000_000_000],
    ['1700000000000', 1_700_000_000_000],
    ['0001700000000000', 1_700_000_000_000],
    ['000000000000000', 0],
    ['100000000000', 1e11],
    ['99999999999', 99_999_999_999_000],
  ])('the timestamp %s is signed over exactly that text', async (timestamp, now) => {
    const hmac = (key: string | Uint8Array, text: string) => createHmac('sha256', key).update(text);
    const key = new Uint8Array(24);
    const textSecret = 'a secret of the tests of schemes';
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${hmac(key, `msg_1.${timestamp}.{}`).digest('base64')}`,
      'x-signature': `t=${timestamp},v1=${hmac(textSecret, `${timestamp}.{}`).digest('hex')}`,
    };
    // As text it has one digit too many.
    const outcome: Outcome = timestamp.length > 15 ? 'malformed_header' : true;
    const delivery = { body: '{}', headers, now, tolerance: 1 };
    const secret = `whsec_${Buffer.from(key).toString('base64')}`;
    expect(
      await verdict(
        on(() => standardWebhooks()),
        { ...delivery, secret },
      ),
    ).toBe(outcome);
    const own = on(() => timestampedHmac({ header: 'x-signature' }));
    expect(await verdict(own, { ...delivery, secret: textSecret })).toBe(outcome);
  });

  test('headers of Svix that are wrong do not matter beside those of Standard Webhooks', async () => {
    const svix = { 'svix-id': 'msg_other', 'svix-timestamp': '1', 'svix-signature': foreign };
    const delivery = deliveryOf(standard);
    const both = { ...delivery, headers: { ...delivery.headers, ...svix } };
    expect(await verdict(on(standard.make), both)).toBe(true);
  });

  test('a scheme of other names reads only these, and signs whole seconds', async () => {
    const make = () => standardWebhooks({ headerPrefix: 'Acme-Hook' });
    const { secret } = standard;
    const headers = await on(make).sign({ body: '{}', id: 'msg_1', timestamp: 1_700_000_000_999, secret });
    expect(Object.keys(headers)).toEqual(['acme-hook-id', 'acme-hook-timestamp', 'acme-hook-signature']);
    expect(headers['acme-hook-timestamp']).toBe('1700000000');
    expect(await verdict(on(make), { body: '{}', headers, secret, now: 1_700_000_000_000 })).toBe(true);
    expect(await verdict(on(make), deliveryOf(standard))).toBe('missing_header');
  });

  test('a field of another name has the signature, beside an empty one, as PayMongo sends it', async () => {
    const make = () =>
      timestampedHmac({ header: 'Paymongo-Signature', signatureField: 'te', timestampField: 'ts' });
    const given = { body: '{}', secret: 'a secret of the tests of schemes' };
    const now = 1_700_000_000_000;
    const { 'paymongo-signature': value } = await on(make).sign({ ...given, id: '', timestamp: now });
    expect(value).toMatch(/^ts=1700000000,te=[0-9a-f]{64}$/);
    const delivery = { ...given, headers: { 'paymongo-signature': `${value},li=` }, now };
    expect(await verdict(on(make), delivery)).toBe(true);
  });

  test('a nonce is signed, and has no age', async () => {
    const name = 'webhook-signature';
    const make = () => timestampedHmac({ header: name, signatureField: 's', nonce: true });
    const given = { body: '{}', secret: 'a secret of the tests of schemes' };
    const headers = await on(make).sign({ ...given, id: 'b6c2.x=', timestamp: 0 });
    expect(headers[name]).toMatch(/^t=b6c2\.x=,s=[0-9a-f]{64}$/);
    const delivery = { ...given, headers, now: 9e12 };
    expect(await verdict(on(make), delivery)).toBe(true);
    const other = changed(name, (value) => value.replace('b6c2', 'b6c3'), delivery);
    expect(await verdict(on(make), other)).toBe(false);
    expect(await verdict(on(make), withHeader(name, 't=,s=00', delivery))).toBe('malformed_header');
  });

  test('an invalid hex digit is refused, not parsed up to that digit', async () => {
    const scheme = on(() => timestampedHmac({ header: 'x' }));
    const secret = 'a secret of the tests of schemes';
    // `parseInt` reads 7g, and a blank and 7, as 07.
    const changes: readonly (readonly [RegExp, string])[] = [
      [/0(.)$/, '$1g'],
      [/0(.)$/, '+$1'],
      [/00$/, 'zz'],
    ];
    let tried = 0;
    for (let index = 0; index < 40; index++) {
      const body = String(index);
      const { x = '' } = await scheme.sign({ body, id: '', timestamp: 0, secret });
      for (const [pair, other] of changes) {
        const value = x.replace(pair, other);
        expect(await verdict(scheme, { body, headers: { x: value }, secret, now: 0 })).toBe(value === x);
        if (value !== x) tried += 1;
      }
    }
    expect(tried).toBeGreaterThan(0);
  });

  test('with more than 16 signatures of its version a header is malformed; others do not count', async () => {
    const name = 'webhook-signature';
    const right = standard.headers[name] ?? '';
    const ofStandard = (list: string[]) =>
      verdict(on(standard.make), withHeader(name, [...list, right].join(' '), deliveryOf(standard)));
    expect(await ofStandard(Array(15).fill(foreign))).toBe(true);
    expect(await ofStandard(Array(16).fill(foreign))).toBe('malformed_header');
    expect(await ofStandard(Array(60).fill('v9,x'))).toBe(true);
    const ofTimestamped = (count: number) =>
      verdict(
        on(timestamped.make),
        changed('mux-signature', (own) => `${own}${',v1=00'.repeat(count)}`, deliveryOf(timestamped)),
      );
    expect([await ofTimestamped(15), await ofTimestamped(16)]).toEqual([true, 'malformed_header']);
  });
});

describe('a hostile header', () => {
  test.each([',', ' ', 'v1,', 'a', ' ,', ', '])('of 1 MB of "%s" is refused by its length', async (part) => {
    const value = part.repeat(1_000_000 / part.length);
    for (const [, { make, ...vector }, name] of families) {
      const long = name === 'mux-signature' ? `t=1565125718,${value}` : value;
      const delivery = withHeader(name, long, { ...vector, now: vector.signedAt });
      expect(await verdict(make(), delivery)).toBe('malformed_header');
    }
  });

  test('of 8192 characters is read, and of 8193 is not', async () => {
    const padded = (length: number) =>
      changed('webhook-signature', (value) => value.padEnd(length), deliveryOf(standard));
    expect(await verdict(standard.make(), padded(8192))).toBe(true);
    expect(await verdict(standard.make(), padded(8193))).toBe('malformed_header');
  });

  test('with characters of several bytes leaves no part of the previous signature in the buffer', async () => {
    const scheme = timestampedHmac({ header: 'x' });
    const given = { body: 'a', secret: 'a secret of the tests of schemes', now: 0 };
    const { x: right = '' } = await scheme.sign({ ...given, id: '', timestamp: 0 });
    for (const letter of ['é', '€', '\ud835', '\u0130', '\u212a']) {
      // As many characters as a signature has; those before the letter are right, and those after it are not written.
      for (const kept of [60, 61, 62, 63]) {
        const forged = right.slice(0, right.length - 64 + kept) + letter.repeat(64 - kept);
        expect(await verdict(scheme, { ...given, headers: { x: right } })).toBe(true);
        expect(await verdict(scheme, { ...given, headers: { x: forged } })).toBe(false);
      }
    }
  });
});
