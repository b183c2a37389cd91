/** Reaches inside: the cache of prepared keys and its limit are not visible from outside. */

import { createHmac } from 'node:crypto';
import { ConfigurationError } from 'payments-client';
import {
  bodyHmac,
  type SignatureScheme,
  standardWebhooks,
  timestampedHmac,
  Webhooks,
} from 'payments-client/webhooks';
import { createSandbox } from 'payments-client-sandbox';
import { describe, expect, test, vi } from 'vitest';
import { keepKey } from '../../../src/webhooks/signatures/secret.ts';
import { eventOf } from '../../support/deliveries.ts';
import { inputOf, paths, verdict, withoutNode } from './support.ts';
import { standardVectors } from './vectors.ts';

const header = 'x-signature';
const name = 'webhook-signature';
const base64Of = (length: number) => btoa('x'.repeat(length));
const valid = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const bytes = Buffer.from('00112233445566778899aabbccddeeff0123456789abcdeff0e1d2c3', 'hex');
const hex = bytes.toString('hex');
const base64 = bytes.toString('base64');

type SecretEncoding = 'text' | 'base64' | 'hex';
type Options = { readonly secretEncoding?: SecretEncoding; readonly allowShortSecrets?: boolean };

/** The schemes whose secret need not be base64. */
const textSchemes: readonly (readonly [name: string, make: (options?: Options) => SignatureScheme])[] = [
  ['timestampedHmac', (options) => timestampedHmac({ header, ...options })],
  ['bodyHmac', (options) => bodyHmac({ header, ...options })],
];

const sample = { body: '{"id":"evt_1"}', id: 'msg_1', timestamp: Date.UTC(2026, 0, 1) };

/** Expects that the scheme refuses a secret wherever it gets it, and does not quote it. */
async function expectRefused(scheme: SignatureScheme, secret: string, problem: RegExp) {
  const found = scheme.checkSecret?.(secret);
  expect(found).toMatch(problem);
  if (secret.trim().length > 8) expect(found).not.toContain(secret.trim().slice(-8));
  expect(() => scheme.sign({ ...sample, secret })).toThrow(ConfigurationError);
  if (secret === '') return;
  expect(() => new Webhooks({ secret, scheme })).toThrow(/^secret: expected the endpoint's signing secret/);
  const signing = Promise.resolve().then(() =>
    new Webhooks({ secret: valid, scheme }).sign('{}', { secret }),
  );
  await expect(signing).rejects.toThrow(/^secret: expected a signing secret/);
}

describe('a secret of Standard Webhooks', () => {
  test.each([
    ['whsec_ and base64', `whsec_${valid}`],
    ['base64 alone', valid],
    ['base64 without its padding', `whsec_${base64Of(25).replaceAll('=', '')}`],
    ['24 bytes', `whsec_${base64Of(24)}`],
    ['a public key', `whpk_${base64Of(32)}`],
    ['a seed', `whsk_${base64Of(32)}`],
    ['a seed and its public key', `whsk_${base64Of(64)}`],
  ])('may be %s', (_, secret) => {
    expect(standardWebhooks().checkSecret?.(secret)).toBeUndefined();
  });

  test.each([
    ['empty', '', /empty/],
    ['leading white space', ` whsec_${valid}`, /leading or trailing white space/],
    ['a trailing line break', `whsec_${valid}\n`, /leading or trailing white space/],
    ['white space inside', `whsec_${valid.slice(0, 8)} ${valid.slice(8)}`, /white space inside/],
    ['a secret API key', 'sk_v1_test_abcdefghijklmnop', /an API key.*starts with whsec_/],
    ['a public API key', 'pk_live_abcdefghijklmnop', /an API key/],
    ['another prefix', `wh_${valid}`, /unknown prefix/],
    ['a prefix that ends like that of an API key', `ask_${valid}`, /unknown prefix/],
    ['an invalid base64 character', `whsec_${valid}!`, /not base64/],
    ['base64 for URLs', `whsec_${valid.slice(0, -1)}-`, /not base64/],
    ['an impossible length of base64', `whsec_${valid}a`, /not base64/],
    ['a prefix alone', 'whsec_', /only a prefix/],
    ['one byte', 'whsec_AA==', /1 byte, but at least 24/],
    ['23 bytes', `whsec_${base64Of(23)}`, /23 bytes, but at least 24.*allowShortSecrets/],
    ['a variable that is null', 'null', /3 bytes, but at least 24/],
    ['a short public key', `whpk_${base64Of(31)}`, /31 bytes instead of 32/],
    ['a private key as public key', `whpk_${base64Of(64)}`, /64 bytes instead of 32/],
    ['a seed of 33 bytes', `whsk_${base64Of(33)}`, /33 bytes instead of 32 or 64/],
  ])('is refused with %s, and not quoted', async (_, secret, problem) => {
    for (const { on } of paths)
      await expectRefused(
        on(() => standardWebhooks()),
        secret,
        problem,
      );
  });

  test.each(paths)('of one kind does not verify the other, by $path', async ({ on }) => {
    const [hmac, ed25519] = standardVectors;
    if (hmac === undefined || ed25519 === undefined) throw new Error('no vectors');
    const scheme = on(() => standardWebhooks());
    const both = `${hmac.headers[name]} ${ed25519.headers[name]}`;
    const swapped = both.replace('v1,', 'v0,').replace('v1a,', 'v1,').replace('v0,', 'v1a,');
    const verdicts = (value: string | undefined) =>
      Promise.all(
        [hmac.secret, ed25519.secret].map((secret) =>
          verdict(scheme, {
            ...hmac,
            headers: { ...hmac.headers, [name]: value },
            now: hmac.signedAt,
            secret,
          }),
        ),
      );
    expect(await verdicts(both)).toEqual([true, true]);
    expect(await verdicts(hmac.headers[name])).toEqual([true, false]);
    expect(await verdicts(ed25519.headers[name])).toEqual([false, true]);
    expect(await verdicts(swapped)).toEqual([false, false]);
  });

  test.each(paths)('that is a public key only verifies, by $path', ({ on }) => {
    const secret = standardVectors[2]?.publicKey ?? '';
    expect(() => on(() => standardWebhooks()).sign({ ...sample, secret })).toThrow(
      /public key.*only verifies/,
    );
  });

  test.each(paths)('of HMAC is used completely, and of Ed25519 the seed alone, by $path', async ({ on }) => {
    const scheme = on(() => standardWebhooks());
    const key = 'x'.repeat(32) + 'y'.repeat(32);
    const signed = await scheme.sign({ body: '{}', id: 'msg_1', timestamp: 0, secret: `whsec_${btoa(key)}` });
    expect(signed[name]).toBe(`v1,${createHmac('sha256', key).update('msg_1.0.{}').digest('base64')}`);
    const seed = await scheme.sign({ ...sample, secret: `whsk_${base64Of(32)}` });
    expect(await scheme.sign({ ...sample, secret: `whsk_${btoa(key)}` })).toEqual(seed);
  });

  test('is not confused with hundreds of others', async () => {
    const scheme = standardWebhooks();
    const secrets = Array.from(
      { length: 260 },
      (_, index) => `whsec_${btoa(`a secret of the tests, no. ${index}`)}`,
    );
    const given = { body: '{}', now: 0 };
    for (const [index, secret] of secrets.entries()) {
      const headers = await scheme.sign({ body: '{}', id: 'a', timestamp: 0, secret });
      const other = secrets[index - 1] ?? secrets.at(-1) ?? '';
      expect(await verdict(scheme, { ...given, headers, secret })).toBe(true);
      expect(await verdict(scheme, { ...given, headers, secret: other })).toBe(false);
    }
  });
});

describe.each(textSchemes)('a secret of %s', (scheme, make) => {
  const rows: readonly (readonly [SecretEncoding | undefined, string, Uint8Array])[] = [
    [undefined, hex, Buffer.from(hex)],
    ['text', hex, Buffer.from(hex)],
    ['text', `whsec_${base64}`, Buffer.from(`whsec_${base64}`)],
    ['text', 'é'.repeat(12), Buffer.from('é'.repeat(12))],
    ['hex', hex, bytes],
    ['hex', hex.toUpperCase(), bytes],
    ['base64', base64, bytes],
  ];
  test.each(rows)('in %s is the key of its bytes: %s', async (secretEncoding, secret, key) => {
    const t = sample.timestamp / 1000;
    const isBody = scheme === 'bodyHmac';
    const signed = createHmac('sha256', key)
      .update(isBody ? sample.body : `${t}.${sample.body}`)
      .digest('hex');
    const headers = { [header]: isBody ? signed : `t=${t},v1=${signed}` };
    for (const { on } of paths) {
      const own = on(() => make(secretEncoding && { secretEncoding }));
      expect(await own.sign({ ...sample, secret })).toEqual(headers);
      expect(await verdict(own, { body: sample.body, headers, secret, now: sample.timestamp })).toBe(true);
    }
  });

  test.each<[SecretEncoding, string, RegExp]>([
    ['text', '', /empty/],
    ['text', `${'x'.repeat(24)}\n`, /leading or trailing white space/],
    ['text', 'x'.repeat(23), /one of 23 bytes, but at least 24.*allowShortSecrets/],
    ['text', 'undefined', /one of 9 bytes, but at least 24/],
    [
      'hex',
      `${'ab'.repeat(30)}g0`,
      /not hex, as secretEncoding declares \(check that the copy is complete\)/,
    ],
    ['hex', `${'ab'.repeat(30)}a`, /not hex/],
    ['hex', 'ab'.repeat(23), /one of 23 bytes, but at least 24/],
    ['hex', ` ${'ab'.repeat(32)}`, /leading or trailing white space/],
    ['base64', `whsec_${'A'.repeat(42)}`, /not base64/],
    ['base64', 'A'.repeat(43), /not base64/],
    ['base64', base64Of(23), /one of 23 bytes/],
  ])('that is invalid in %s is refused, and not quoted: %s', async (secretEncoding, secret, problem) => {
    const own = make({ secretEncoding });
    expect(own.checkSecret?.(secret)).toMatch(problem);
    expect(() => own.sign({ ...sample, secret })).toThrow(ConfigurationError);
    if (secretEncoding === 'text') await expectRefused(own, secret, problem);
  });
});

describe('a short secret', () => {
  test.each<[string, (options?: Options) => SignatureScheme, string]>([
    ['standardWebhooks', (options) => standardWebhooks(options), 'whsec_AA=='],
    ...textSchemes.map(([scheme, make]): [string, typeof make, string] => [scheme, make, 'null']),
  ])('is refused by %s, and accepted with allowShortSecrets', async (_scheme, make, secret) => {
    await expectRefused(make(), secret, /but at least 24 are required/);
    const webhooks = new Webhooks({ secret, scheme: make({ allowShortSecrets: true }) });
    const body = JSON.stringify(eventOf('refund.failed'));
    expect(await webhooks.verify(body, await webhooks.sign(body))).toMatchObject({ type: 'refund.failed' });
  });

  test('is refused for the endpoints of a sandbox', () => {
    const sandbox = createSandbox();
    const chosen = { url: 'http://localhost/w', secret: 'whsec_AA==' };
    const refused = /secret: expected a signing secret of the scheme, got one of 1 byte, but at least 24/;
    expect(() => sandbox.webhooks.deliverTo(chosen.url, { secret: chosen.secret })).toThrow(refused);
    expect(() => createSandbox({ webhooks: [chosen] })).toThrow(refused);
    const scheme = standardWebhooks({ allowShortSecrets: true });
    expect(createSandbox({ scheme, webhooks: [chosen] }).webhooks.endpoints()).toMatchObject([chosen]);
  });
});

describe('a key of Web Crypto', () => {
  test('can be exported only if it has a public half', async () => {
    const imports = vi.spyOn(crypto.subtle, 'importKey');
    for (const { make, secret, publicKey = secret, signedAt: now, body, headers } of standardVectors) {
      for (const key of [secret, publicKey]) {
        expect(await verdict(withoutNode(make), { body, headers, secret: key, now })).toBe(true);
      }
    }
    const kinds = imports.mock.calls.map(([format, , , extractable]) => `${format} ${extractable}`);
    expect(new Set(kinds)).toEqual(new Set(['raw false', 'pkcs8 true', 'jwk false']));
  });

  test.each(['whsk_', 'whpk_'])(
    'that the runtime refuses (%s) is reported, but not quoted',
    async (prefix) => {
      const secret = prefix + base64Of(32);
      // As a runtime without Ed25519 does; its message may contain the key.
      vi.spyOn(crypto.subtle, 'importKey').mockRejectedValue(new Error(secret));
      const scheme = withoutNode(() => standardWebhooks());
      const headers = { 'webhook-id': 'a', 'webhook-timestamp': '0', [name]: 'v1a,AAAA' };
      const refused =
        /^secret: expected an Ed25519 key .+got one it refuses\. Nothing was verified or signed\./;
      await expect(scheme.verify(inputOf({ body: '{}', headers, secret, now: 0 }))).rejects.toThrow(refused);
      if (prefix === 'whpk_') return;
      await expect(scheme.sign({ body: '{}', id: 'a', timestamp: 0, secret })).rejects.toThrow(refused);
    },
  );
});

test('prepared keys are kept for 256 secrets, and no more', () => {
  const prepared: string[] = [];
  const keys = new Map<string, string>();
  const keyFor = (secret: string) => {
    const known = keys.get(secret);
    if (known !== undefined) return known;
    prepared.push(secret);
    return keepKey(keys, secret, secret);
  };
  const secrets = Array.from({ length: 256 }, (_, index) => `secret ${index}`);
  for (const secret of [...secrets, ...secrets]) expect(keyFor(secret)).toBe(secret);
  expect(prepared).toEqual(secrets);
  expect([keyFor('one more'), keyFor('secret 0')]).toEqual(['one more', 'secret 0']);
  expect(prepared.slice(256)).toEqual(['one more', 'secret 0']);
});
