import { createHmac } from 'node:crypto';
import { standardWebhooks, timestampedHmac } from 'payments-client/webhooks';
import { describe, expect, test } from 'vitest';
import { type Delivery, paths, refusalOf, verdict } from './support.ts';
import { bodyVectors, standardVectors, timestampedVectors, type Vector } from './vectors.ts';

type Change = readonly [what: string, change: (delivery: Delivery) => Delivery, outcome: boolean | string];

function deliveryOf({ body, headers, secret, signedAt }: Vector): Delivery {
  return { body, headers, secret, now: signedAt };
}

function withHeader(name: string, value: string | undefined): (delivery: Delivery) => Delivery {
  return (delivery) => {
    const { [name]: _, ...others } = delivery.headers;
    return { ...delivery, headers: value === undefined ? others : { ...others, [name]: value } };
  };
}

function changedHeader(name: string, change: (value: string) => string): (delivery: Delivery) => Delivery {
  return (delivery) => withHeader(name, change(delivery.headers[name] ?? ''))(delivery);
}

const later = (seconds: number) => (delivery: Delivery) => ({
  ...delivery,
  now: delivery.now + seconds * 1000,
});

/** Every refused case of the public suites named in `vectors.ts`. */
const signature = 'webhook-signature';
const foreign = 'v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=';
/** Returns another signature of the same length. */
const altered = (value: string) => value.replace(/,./, (start) => (start === ',A' ? ',B' : ',A'));
const withSvix = (delivery: Delivery) => ({
  ...delivery,
  headers: {
    ...delivery.headers,
    'svix-id': 'msg_other',
    'svix-timestamp': '1',
    'svix-signature': foreign,
  },
});
const standardChanges: readonly Change[] = [
  ['no id', withHeader('webhook-id', undefined), 'missing_header'],
  ['no timestamp', withHeader('webhook-timestamp', undefined), 'missing_header'],
  ['no signature', withHeader(signature, undefined), 'missing_header'],
  ['an empty id', withHeader('webhook-id', ''), 'malformed_header'],
  ['an empty signature', withHeader(signature, ''), 'malformed_header'],
  ['a timestamp of letters', withHeader('webhook-timestamp', 'hello'), 'malformed_header'],
  ['a negative timestamp', withHeader('webhook-timestamp', '-1'), 'malformed_header'],
  ['a timestamp with a rest', changedHeader('webhook-timestamp', (t) => `${t}x`), 'malformed_header'],
  ['a fraction', changedHeader('webhook-timestamp', (t) => `${t}.5`), 'malformed_header'],
  ['an exponent', withHeader('webhook-timestamp', '1e9'), 'malformed_header'],
  ['a plus', changedHeader('webhook-timestamp', (t) => `+${t}`), 'malformed_header'],
  ['a blank', changedHeader('webhook-timestamp', (t) => ` ${t}`), 'malformed_header'],
  ['digits of another script', withHeader('webhook-timestamp', '١٦١٤٢٦٥٣٣٠'), 'malformed_header'],
  ['a hundred digits', withHeader('webhook-timestamp', '1'.repeat(100)), 'malformed_header'],
  ['the signature of another', withHeader(signature, foreign), false],
  ['no base64', withHeader(signature, 'v1,dawfeoifkpqwoekfpqoekf'), false],
  ['a part of the signature', changedHeader(signature, (value) => value.slice(0, 8)), false],
  ['more than the signature', changedHeader(signature, (value) => `${value}A`), false],
  [
    'the signature twice',
    changedHeader(signature, (value) => value + value.slice(value.indexOf(',') + 1)),
    false,
  ],
  ['a version and nothing', withHeader(signature, 'v1,'), false],
  ['an asymmetric version and nothing', withHeader(signature, 'v1a,'), false],
  ['only an unknown version', changedHeader(signature, (value) => value.replace(/^v1a?/, 'v2')), false],
  [
    'no version',
    changedHeader(signature, (value) => value.slice(value.indexOf(',') + 1)),
    'malformed_header',
  ],
  ['words', withHeader(signature, 'invalid signature'), 'malformed_header'],
  ['another body', (delivery) => ({ ...delivery, body: `${String(delivery.body)}\n` }), false],
  ['another id', changedHeader('webhook-id', (id) => `${id}x`), false],
  ['a later timestamp', changedHeader('webhook-timestamp', (t) => String(Number(t) + 1)), false],
  ['301 s old', later(301), 'too_old'],
  ['300 s old', later(300), true],
  ['301 s early', later(-301), 'too_new'],
  ['300 s early', later(-300), true],
  ['long ago, but forged', (delivery) => later(1e6)({ ...delivery, body: 'forged' }), false],
  [
    'one among others',
    changedHeader(signature, (v) => `${foreign} ${foreign.replace('v1', 'v2')} ${v} ${foreign}`),
    true,
  ],
  ['only others', withHeader(signature, `${foreign} ${foreign}`), false],
  ['another of its version first', changedHeader(signature, (v) => `${altered(v)} ${v}`), true],
  ['a blank before', changedHeader(signature, (value) => ` ${value}`), true],
  ['in two headers that were joined', changedHeader(signature, (value) => `${value}, ${foreign}`), true],
  ['a comma after', changedHeader(signature, (value) => `${value},`), false],
  [
    'a comma within, in two headers that were joined',
    changedHeader(signature, (value) => `${foreign}, ${value.slice(0, 12)},${value.slice(12)}`),
    false,
  ],
  ['headers of Svix that are wrong', withSvix, true],
];

const timestampedName = 'mux-signature';
const timestampedChanges: readonly Change[] = [
  ['no header', withHeader(timestampedName, undefined), 'missing_header'],
  ['an empty header', withHeader(timestampedName, ''), 'malformed_header'],
  ['no fields', withHeader(timestampedName, 'abadheadervalue'), 'malformed_header'],
  ['a sentence', withHeader(timestampedName, "i'm not even a real signature header"), 'malformed_header'],
  [
    'the signature alone',
    changedHeader(timestampedName, (v) => v.slice(v.indexOf('v1=') + 3)),
    'malformed_header',
  ],
  ['an empty timestamp', changedHeader(timestampedName, (v) => v.replace(/t=\d+/, 't=')), 'malformed_header'],
  ['a timestamp without value', withHeader(timestampedName, 't,v1=,v0='), 'malformed_header'],
  ['t and commas', withHeader(timestampedName, 't,,'), 'malformed_header'],
  ['commas', withHeader(timestampedName, ',,'), 'malformed_header'],
  ['t', withHeader(timestampedName, 't'), 'malformed_header'],
  [
    'a timestamp of letters',
    changedHeader(timestampedName, (v) => v.replace(/t=\d+/, 't=now')),
    'malformed_header',
  ],
  ['another version', changedHeader(timestampedName, (v) => v.replace('v1=', 'v2=')), false],
  ['only the timestamp', withHeader(timestampedName, 't=1565125718'), false],
  ['an empty signature', withHeader(timestampedName, 't=1565125718, v1='), false],
  ['a short signature', withHeader(timestampedName, 't=1565125718, v1=99999'), false],
  ['a longer signature', changedHeader(timestampedName, (v) => `${v}0`), false],
  ['no hex', withHeader(timestampedName, `t=1565125718,v1=${'z'.repeat(64)}`), false],
  ['another secret', (delivery) => ({ ...delivery, secret: 'wrong-secret' }), false],
  ['another body', (delivery) => ({ ...delivery, body: '{"data":"invalid"}' }), false],
  ['another timestamp', changedHeader(timestampedName, (v) => v.replace(/t=\d+/, 't=9999')), false],
  ['301 s old', later(301), 'too_old'],
  ['300 s old', later(300), true],
  ['301 s early', later(-301), 'too_new'],
  [
    'a wrong one first',
    changedHeader(timestampedName, (v) => v.replace(',v1=', ',v1=invalid-sig,v1=')),
    true,
  ],
  ['another version first', changedHeader(timestampedName, (v) => v.replace(',v1=', ',v2=00,v1=')), true],
  ['a wrong one after', changedHeader(timestampedName, (v) => `${v},v1=bad_signature`), true],
  [
    'capital hex',
    changedHeader(timestampedName, (v) =>
      v.replace(/v1=.*/, (field) => `v1=${field.slice(3).toUpperCase()}`),
    ),
    true,
  ],
  ['the other order', changedHeader(timestampedName, (v) => v.split(',').reverse().join(',')), true],
  ['in two headers that were joined', changedHeader(timestampedName, (v) => `${v} ${v}`), true],
  ['a blank between its fields', changedHeader(timestampedName, (v) => v.replace(',', ' ')), true],
  ['a tab between its fields', changedHeader(timestampedName, (v) => v.replace(',', '\t')), true],
  ['a comma before', changedHeader(timestampedName, (v) => `,${v}`), true],
];

const bodyName = 'x-hub-signature-256';
const bodyChanges: readonly Change[] = [
  ['no header', withHeader(bodyName, undefined), 'missing_header'],
  ['an empty header', withHeader(bodyName, ''), 'malformed_header'],
  ['a word', withHeader(bodyName, 'NOTVERYCONVINCING'), 'malformed_header'],
  ['no hex', withHeader(bodyName, `sha256=xxx${'c'.repeat(61)}`), 'malformed_header'],
  ['a part of the signature', changedHeader(bodyName, (value) => value.slice(0, -2)), 'malformed_header'],
  [
    'another algorithm',
    changedHeader(bodyName, (value) => value.replace('sha256', 'sha512')),
    'malformed_header',
  ],
  ['the signature of another', withHeader(bodyName, `sha256=${'c'.repeat(64)}`), false],
  ['another secret', (delivery) => ({ ...delivery, secret: 'foo' }), false],
  ['another body', (delivery) => ({ ...delivery, body: 'Hello, World' }), false],
  ['without the algorithm', changedHeader(bodyName, (value) => value.slice('sha256='.length)), true],
  ['capital hex', changedHeader(bodyName, (value) => `sha256=${value.slice(7).toUpperCase()}`), true],
  ['long ago', later(1e9), true],
];

const textSecret = 'a secret of the tests of schemes';

function first(vectors: readonly Vector[], index = 0): Vector {
  const vector = vectors[index];
  if (vector === undefined) throw new Error('no vector');
  return vector;
}

describe.each(paths)('a delivery by $path', ({ on }) => {
  const families = [
    ['Standard Webhooks', first(standardVectors), standardChanges],
    ['Standard Webhooks with Ed25519', first(standardVectors, 1), standardChanges],
    ['a timestamped HMAC', first(timestampedVectors, 1), timestampedChanges],
    ['an HMAC of the body', first(bodyVectors), bodyChanges],
  ] as const;
  for (const [family, vector, changes] of families) {
    test.each(changes)(`in ${family} with %s`, async (_, change, outcome) => {
      expect(await verdict(on(vector.make), change(deliveryOf(vector)))).toBe(outcome);
    });
  }

  test.each([
    ['01700000000', 1_700_000_000_000],
    ['1700000000000', 1_700_000_000_000],
    ['0001700000000000', 1_700_000_000_000],
    ['000000000000000', 0],
    ['100000000000', 1e11],
    ['99999999999', 99_999_999_999_000],
  ])('whose timestamp is written %s is signed over exactly that text', async (timestamp, now) => {
    const hmac = (key: string | Uint8Array, text: string) => createHmac('sha256', key).update(text);
    const key = new Uint8Array(24);
    const secret = `whsec_${Buffer.from(key).toString('base64')}`;
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${hmac(key, `msg_1.${timestamp}.{}`).digest('base64')}`,
      'x-signature': `t=${timestamp},v1=${hmac(textSecret, `${timestamp}.{}`).digest('hex')}`,
    };
    // As text it has one digit too many.
    const outcome = timestamp.length > 15 ? 'malformed_header' : true;
    const delivery = { body: '{}', headers, now, tolerance: 1 };
    expect(
      await verdict(
        on(() => standardWebhooks()),
        { ...delivery, secret },
      ),
    ).toBe(outcome);
    const timestamped = on(() => timestampedHmac({ header: 'x-signature' }));
    expect(await verdict(timestamped, { ...delivery, secret: textSecret })).toBe(outcome);
  });

  test('with an invalid hex digit is refused, not parsed up to that digit', async () => {
    const scheme = on(() => timestampedHmac({ header: 'x' }));
    for (let index = 0; index < 40; index++) {
      const body = String(index);
      const signed = await scheme.sign({ body, id: '', timestamp: 0, secret: textSecret });
      // `parseInt` reads 7g, and a blank and 7, as 07.
      for (const [pair, other] of [
        [/0(.)$/, '$1g'],
        [/0(.)$/, '+$1'],
        [/00$/, 'zz'],
      ] as const) {
        const value = signed['x']?.replace(pair, other) ?? '';
        const outcome = await verdict(scheme, { body, headers: { x: value }, secret: textSecret, now: 0 });
        expect(outcome).toBe(value === signed['x']);
      }
    }
  });

  test('in the scheme of LINE is case-sensitive', async () => {
    const vector = first(bodyVectors, bodyVectors.length - 1);
    const changed = withHeader('x-line-signature', 't7Hn4ZDHqs6e+wdvi5TyQivzie0DmMUmuXEBqyyE/tM=');
    expect(await verdict(on(vector.make), changed(deliveryOf(vector)))).toBe(false);
  });

  test('whose base64 differs only in idle bits is refused', async () => {
    const line = first(bodyVectors, bodyVectors.length - 1);
    const idle = changedHeader('x-line-signature', (value) => value.replace('M=', 'N='));
    expect(await verdict(on(line.make), idle(deliveryOf(line)))).toBe(false);
    for (const vector of standardVectors.slice(0, 2)) {
      const changed = changedHeader(signature, (v) => v.replace('E=', 'F=').replace('g==', 'h=='));
      expect(await verdict(on(vector.make), changed(deliveryOf(vector)))).toBe(false);
    }
  });

  test('in the scheme of PayMongo has its signature in the field of its mode', async () => {
    const make = () => timestampedHmac({ header: 'Paymongo-Signature', signatureField: 'te' });
    const body = '{"data":{}}';
    const signed = await on(make).sign({ body, id: '', timestamp: 1_700_000_000_000, secret: textSecret });
    const value = `${signed['paymongo-signature']},li=`;
    const delivery = {
      body,
      headers: { 'paymongo-signature': value },
      secret: textSecret,
      now: 1_700_000_000_000,
    };
    expect(value).toMatch(/^t=1700000000,te=[0-9a-f]{64},li=$/);
    expect(await verdict(on(make), delivery)).toBe(true);
  });

  test('with a nonce has no age limit', async () => {
    const make = () => timestampedHmac({ header: 'webhook-signature', signatureField: 's', nonce: true });
    const headers = await on(make).sign({ body: '{}', id: 'b6c2.x=', timestamp: 0, secret: textSecret });
    expect(headers['webhook-signature']).toMatch(/^t=b6c2\.x=,s=[0-9a-f]{64}$/);
    const delivery = { body: '{}', headers, secret: textSecret, now: 9e12 };
    expect(await verdict(on(make), delivery)).toBe(true);
    const other = changedHeader('webhook-signature', (value) => value.replace('b6c2', 'b6c3'));
    expect(await verdict(on(make), other(delivery))).toBe(false);
    expect(await verdict(on(make), withHeader('webhook-signature', 't=,s=00')(delivery))).toBe(
      'malformed_header',
    );
  });

  test('uses custom header names', async () => {
    const make = () => standardWebhooks({ headerPrefix: 'Acme-Hook' });
    const secret = first(standardVectors).secret;
    const headers = await on(make).sign({ body: '{}', id: 'msg_1', timestamp: 1_700_000_000_999, secret });
    expect(Object.keys(headers)).toEqual(['acme-hook-id', 'acme-hook-timestamp', 'acme-hook-signature']);
    expect(headers['acme-hook-timestamp']).toBe('1700000000');
    expect(await verdict(on(make), { body: '{}', headers, secret, now: 1_700_000_000_000 })).toBe(true);
    const vector = first(standardVectors);
    expect(await verdict(on(make), deliveryOf(vector))).toBe('missing_header');
  });
});

describe('a refusal', () => {
  test('never contains a secret, a signature or the body', async () => {
    for (const [family, changes] of [
      [first(standardVectors), standardChanges],
      [first(timestampedVectors, 1), timestampedChanges],
      [first(bodyVectors), bodyChanges],
    ] as const) {
      const held = Object.values(family.headers)
        .flatMap((value) => value.split(/[,= ]/))
        .filter((part) => part.length > 10);
      for (const [, change] of changes) {
        const message = await refusalOf(family.make(), change(deliveryOf(family)));
        for (const part of [...held, family.secret, family.body]) expect(message).not.toContain(part);
      }
    }
  });
});

describe('a hostile header', () => {
  const standard = first(standardVectors);
  const timestamped = first(timestampedVectors, 1);
  const size = 10_000_000;

  test.each([',', ' ', 'v1,', 'a', ' ,', ', '])('of 10 MB of "%s" is refused by its length', async (part) => {
    const value = part.repeat(size / part.length);
    for (const name of Object.keys(standard.headers)) {
      expect(await verdict(standard.make(), withHeader(name, value)(deliveryOf(standard)))).toBe(
        'malformed_header',
      );
    }
    const inOne = withHeader(timestampedName, `t=1565125718,${value}`);
    expect(await verdict(timestamped.make(), inOne(deliveryOf(timestamped)))).toBe('malformed_header');
    const body = first(bodyVectors);
    expect(await verdict(body.make(), withHeader(bodyName, value)(deliveryOf(body)))).toBe(
      'malformed_header',
    );
  });

  test.each(paths)('with more than 16 signatures is malformed by $path', async ({ on }) => {
    const right = standard.headers[signature] ?? '';
    const many = (count: number) =>
      withHeader(signature, [...Array(count - 1).fill(foreign), right].join(' '));
    expect(await verdict(on(standard.make), many(16)(deliveryOf(standard)))).toBe(true);
    expect(await verdict(on(standard.make), many(17)(deliveryOf(standard)))).toBe('malformed_header');
    const others = Array(60).fill('v9,x').join(' ');
    const withOthers = withHeader(signature, `${others} ${right}`);
    expect(await verdict(on(standard.make), withOthers(deliveryOf(standard)))).toBe(true);

    const own = timestamped.headers[timestampedName] ?? '';
    const more = (count: number) => withHeader(timestampedName, `${own}${',v1=00'.repeat(count - 1)}`);
    expect(await verdict(on(timestamped.make), more(16)(deliveryOf(timestamped)))).toBe(true);
    expect(await verdict(on(timestamped.make), more(17)(deliveryOf(timestamped)))).toBe('malformed_header');
  });

  test('of 8192 characters is read, but not of 8193', async () => {
    const right = standard.headers[signature] ?? '';
    expect(
      await verdict(standard.make(), withHeader(signature, right.padEnd(8192))(deliveryOf(standard))),
    ).toBe(true);
    expect(
      await verdict(standard.make(), withHeader(signature, right.padEnd(8193))(deliveryOf(standard))),
    ).toBe('malformed_header');
  });

  test('with multi-byte characters leaves no part of the previous signature in the buffer', async () => {
    const scheme = timestampedHmac({ header: 'x' });
    const signed = await scheme.sign({ body: 'a', id: '', timestamp: 0, secret: textSecret });
    const right = signed['x'] ?? '';
    const delivery = (value: string): Delivery => ({
      body: 'a',
      headers: { x: value },
      secret: textSecret,
      now: 0,
    });
    for (const letter of ['é', '€', '\u{1d7ce}'.slice(0, 1), '\u0130', '\u212a']) {
      // As many characters as a signature has. Those before the multi-byte character are right, and those after it are
      // not written.
      for (const kept of [60, 61, 62, 63]) {
        const forged = right.slice(0, right.length - 64 + kept) + letter.repeat(64 - kept);
        expect(await verdict(scheme, delivery(right))).toBe(true);
        expect(await verdict(scheme, delivery(forged))).toBe(false);
      }
    }
  });
});
