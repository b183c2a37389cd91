/** Reaches inside: the cache of prepared keys and its limit are not visible from outside. */

import { createHmac } from 'node:crypto';
import { ConfigurationError } from 'payments-client';
import { bodyHmac, standardWebhooks, timestampedHmac, Webhooks } from 'payments-client/webhooks';
import { createSandbox } from 'payments-client-sandbox';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { keysOf } from '../../../src/webhooks/signatures/prepared-key.ts';
import { readStandardSecret } from '../../../src/webhooks/signatures/standard-secret.ts';
import { eventOf } from '../../support/deliveries.ts';
import { inputOf, paths, verdict, withoutNode } from './support.ts';
import { standardVectors } from './vectors.ts';

const signature = 'webhook-signature';
const base64Of = (length: number) => btoa('x'.repeat(length));
const validSecret = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

function standardProblem(secret: string): string | undefined {
  return standardWebhooks().checkSecret?.(secret);
}

describe('a secret of Standard Webhooks', () => {
  test.each([
    ['whsec_ and base64', `whsec_${validSecret}`],
    ['base64 alone', validSecret],
    ['base64 without its padding', `whsec_${base64Of(25).replaceAll('=', '')}`],
    ['24 bytes', `whsec_${base64Of(24)}`],
    ['a public key', `whpk_${base64Of(32)}`],
    ['a seed', `whsk_${base64Of(32)}`],
    ['a seed and its public key', `whsk_${base64Of(64)}`],
  ])('may be %s', (_, secret) => {
    expect(standardProblem(secret)).toBeUndefined();
  });

  test.each([
    ['empty', '', /empty/],
    ['leading white space', ` whsec_${validSecret}`, /leading or trailing white space/],
    ['a trailing line break', `whsec_${validSecret}\n`, /leading or trailing white space/],
    ['white space inside', `whsec_${validSecret.slice(0, 8)} ${validSecret.slice(8)}`, /white space inside/],
    ['a secret API key', 'sk_v1_test_abcdefghijklmnop', /an API key.*starts with whsec_/],
    ['a public API key', 'pk_live_abcdefghijklmnop', /an API key/],
    ['another prefix', `wh_${validSecret}`, /unknown prefix/],
    ['a prefix that ends like that of an API key', `ask_${validSecret}`, /unknown prefix/],
    ['an invalid base64 character', `whsec_${validSecret}!`, /not base64/],
    ['base64 for URLs', `whsec_${validSecret.slice(0, -1)}-`, /not base64/],
    ['an impossible length of base64', `whsec_${validSecret}a`, /not base64/],
    ['a prefix alone', 'whsec_', /only a prefix/],
    ['a secret of one byte', 'whsec_AA==', /1 byte, but at least 24/],
    ['a secret of 23 bytes', `whsec_${base64Of(23)}`, /23 bytes, but at least 24.*allowShortSecrets/],
    ['a variable that is null', 'null', /3 bytes, but at least 24/],
    ['a short public key', `whpk_${base64Of(31)}`, /31 bytes instead of 32/],
    ['a private key as public key', `whpk_${base64Of(64)}`, /64 bytes instead of 32/],
    ['a short seed', `whsk_${base64Of(33)}`, /33 bytes instead of 32 or 64/],
  ])('is refused with %s', async (_, secret, problem) => {
    const found = standardProblem(secret);
    expect(found).toMatch(problem);
    if (secret !== '') expect(found).not.toContain(secret.trim().slice(-8));
    for (const { on } of paths) {
      const scheme = on(() => standardWebhooks());
      expect(() => scheme.sign({ body: '', id: 'a', timestamp: 0, secret })).toThrow(ConfigurationError);
    }
  });

  test.each(paths)('that is a public key does not sign by $path', ({ on }) => {
    const secret = standardVectors[2]?.publicKey ?? '';
    const scheme = on(() => standardWebhooks());
    expect(() => scheme.sign({ body: '', id: 'a', timestamp: 0, secret })).toThrow(
      /public key.*only verifies/,
    );
  });

  test.each(paths)('of HMAC does not verify Ed25519, and vice versa, by $path', async ({ on }) => {
    const [hmac, ed25519] = standardVectors;
    if (hmac === undefined || ed25519 === undefined) throw new Error('no vectors');
    const scheme = on(() => standardWebhooks());
    const both = `${hmac.headers['webhook-signature']} ${ed25519.headers['webhook-signature']}`;
    const headers = { ...hmac.headers, 'webhook-signature': both };
    const { body, signedAt: now } = hmac;
    expect(await verdict(scheme, { body, headers, now, secret: hmac.secret })).toBe(true);
    expect(await verdict(scheme, { body, headers, now, secret: ed25519.secret })).toBe(true);
    expect(await verdict(scheme, { body, headers: ed25519.headers, now, secret: hmac.secret })).toBe(false);
    expect(await verdict(scheme, { body, headers: hmac.headers, now, secret: ed25519.secret })).toBe(false);
    const swapped = both.replace('v1,', 'v0,').replace('v1a,', 'v1,').replace('v0,', 'v1a,');
    const mixed = { ...hmac.headers, 'webhook-signature': swapped };
    expect(await verdict(scheme, { body, headers: mixed, now, secret: hmac.secret })).toBe(false);
    expect(await verdict(scheme, { body, headers: mixed, now, secret: ed25519.secret })).toBe(false);
  });

  test.each(paths)('is prepared once and not confused with hundreds of others, by $path', async ({ on }) => {
    const scheme = on(() => standardWebhooks());
    const secrets = Array.from(
      { length: 300 },
      (_, index) => `whsec_${btoa(`a secret of the tests, number ${index}`)}`,
    );
    for (const [index, secret] of secrets.entries()) {
      const headers = await scheme.sign({ body: '{}', id: 'a', timestamp: 0, secret });
      expect(await verdict(scheme, { body: '{}', headers, secret, now: 0 })).toBe(true);
      const other = secrets[(index + 1) % secrets.length] ?? '';
      expect(await verdict(scheme, { body: '{}', headers, secret: other, now: 0 })).toBe(false);
    }
  });
});

test.each(paths)('an HMAC secret is used completely, however long it is, by $path', async ({ on }) => {
  const key = 'x'.repeat(32) + 'y'.repeat(32);
  const { [signature]: signed } = await on(() => standardWebhooks()).sign({
    body: '{}',
    id: 'msg_1',
    timestamp: 0,
    secret: `whsec_${btoa(key)}`,
  });
  expect(signed).toBe(`v1,${createHmac('sha256', key).update('msg_1.0.{}').digest('base64')}`);
});

test('uses only the seed of a private key with its public half', () => {
  const seed = base64Of(32);
  expect(readStandardSecret(`whsk_${btoa('x'.repeat(32) + 'y'.repeat(32))}`)).toEqual(
    readStandardSecret(`whsk_${seed}`),
  );
});

describe('a key of Web Crypto', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test('can be exported only if it has a public half', async () => {
    const imports = vi.spyOn(crypto.subtle, 'importKey');
    for (const { make, secret, publicKey = secret, signedAt: now, body, headers } of standardVectors) {
      const scheme = withoutNode(make);
      expect(await verdict(scheme, { body, headers, secret, now })).toBe(true);
      expect(await verdict(scheme, { body, headers, secret: publicKey, now })).toBe(true);
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
      const headers = { 'webhook-id': 'a', 'webhook-timestamp': '0', [signature]: 'v1a,AAAA' };
      const refused =
        "secret: expected an Ed25519 key for the runtime's Web Crypto, got one it refuses. " +
        'Nothing was verified or signed. Check that the key is complete and that this runtime supports Ed25519.';
      await expect(scheme.verify(inputOf({ body: '{}', headers, secret, now: 0 }))).rejects.toThrow(refused);
      if (prefix === 'whpk_') return;
      await expect(scheme.sign({ body: '{}', id: 'a', timestamp: 0, secret })).rejects.toThrow(refused);
    },
  );
});

test('prepared keys are kept for 256 secrets, and no more', () => {
  const prepared: string[] = [];
  const { keyFor } = keysOf(
    (secret) => ({ secret }),
    ({ secret }) => {
      prepared.push(secret);
      return secret;
    },
  );
  const secrets = Array.from({ length: 256 }, (_, index) => `secret ${index}`);
  for (const secret of [...secrets, ...secrets]) expect(keyFor(secret)).toBe(secret);
  expect(prepared).toEqual(secrets);
  expect(keyFor('one more')).toBe('one more');
  expect(keyFor('secret 0')).toBe('secret 0');
  expect(prepared.slice(256)).toEqual(['one more', 'secret 0']);
});

describe('a secret that is text', () => {
  test.each([timestampedHmac({ header: 'a' }), bodyHmac({ header: 'a' })])(
    'is refused only for white space at its ends or for its length',
    (scheme) => {
      expect(scheme.checkSecret?.("It's a Secret to Everybody")).toBeUndefined();
      expect(scheme.checkSecret?.('whsec_anything of 24 bytes')).toBeUndefined();
      expect(scheme.checkSecret?.('é'.repeat(12))).toBeUndefined();
      expect(scheme.checkSecret?.('')).toMatch(/empty/);
      expect(scheme.checkSecret?.(`${'x'.repeat(24)}\n`)).toMatch(/leading or trailing white space/);
      for (const short of ['null', 'undefined', 'x'.repeat(23)]) {
        expect(scheme.checkSecret?.(short)).toMatch(/bytes, but at least 24.*allowShortSecrets/);
        expect(scheme.checkSecret?.(short)).not.toContain(short);
      }
      for (const wrong of ['', 'null']) {
        expect(() => scheme.sign({ body: '', id: '', timestamp: 0, secret: wrong })).toThrow(
          ConfigurationError,
        );
      }
    },
  );
});

describe('a short secret', () => {
  const schemes = [
    { name: 'standardWebhooks', scheme: standardWebhooks, short: 'whsec_AA==' },
    {
      name: 'timestampedHmac',
      scheme: ({ allowShortSecrets = false } = {}) => timestampedHmac({ header: 'a', allowShortSecrets }),
      short: 'undefined',
    },
    {
      name: 'bodyHmac',
      scheme: ({ allowShortSecrets = false } = {}) => bodyHmac({ header: 'a', allowShortSecrets }),
      short: 'null',
    },
  ];

  test.each(schemes)(
    'is refused by $name in the constructor of Webhooks, and when it signs',
    async (family) => {
      const { scheme, short } = family;
      expect(() => new Webhooks({ secret: short, scheme: scheme() })).toThrow(
        /^secret: expected the endpoint's signing secret.+but at least 24 are required.+allowShortSecrets: true/,
      );
      const webhooks = new Webhooks({ secret: base64Of(24), scheme: scheme() });
      const signed = Promise.resolve().then(() => webhooks.sign('{}', { secret: short }));
      await expect(signed).rejects.toThrow(
        /^secret: expected a signing secret.+but at least 24 are required/,
      );
    },
  );

  test.each(schemes)('is accepted by $name with allowShortSecrets', async ({ scheme, short }) => {
    const webhooks = new Webhooks({ secret: short, scheme: scheme({ allowShortSecrets: true }) });
    const body = JSON.stringify(eventOf('refund.failed'));
    expect(await webhooks.verify(body, await webhooks.sign(body))).toMatchObject({ type: 'refund.failed' });
  });

  test('is refused for the endpoints of a sandbox', async () => {
    const sandbox = createSandbox();
    const chosen = { url: 'http://localhost/w', secret: 'whsec_AA==' };
    const refused = /secret: expected a signing secret of the scheme, got one of 1 byte, but at least 24/;
    expect(() => sandbox.webhooks.deliverTo(chosen.url, { secret: chosen.secret })).toThrow(refused);
    expect(() => createSandbox({ webhooks: [chosen] })).toThrow(refused);
    const scheme = standardWebhooks({ allowShortSecrets: true });
    expect(createSandbox({ scheme, webhooks: [chosen] }).webhooks.endpoints()).toMatchObject([chosen]);
  });
});
