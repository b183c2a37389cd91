/** Each scheme, by both implementations of its cryptography: it verifies what it signed, and nothing that was changed since. */

import fc from 'fast-check';
import { bodyHmac, type SignatureScheme, standardWebhooks, timestampedHmac } from 'payments-client/webhooks';
import { describe, expect, test } from 'vitest';
import { anyText } from '../../support/any-text.ts';
import { bySize } from '../../support/size.ts';
import { inputOf, verdict, withoutNode } from './support.ts';

const base64 = (length: number) =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((bytes) => Buffer.from(bytes).toString('base64'));
const text = fc.string({ minLength: 24, unit: 'grapheme' }).filter((secret) => secret.trim() === secret);
const header = 'x-signature';

const families: readonly (readonly [
  name: string,
  make: () => SignatureScheme,
  secret: fc.Arbitrary<string>,
])[] = [
  ['Standard Webhooks', () => standardWebhooks(), base64(24).map((secret) => `whsec_${secret}`)],
  ['Ed25519', () => standardWebhooks(), base64(32).map((secret) => `whsk_${secret}`)],
  ['timestamped', () => timestampedHmac({ header }), text],
  ['nonce', () => timestampedHmac({ header, nonce: true }), text],
  ['body, hex', () => bodyHmac({ header }), text],
  ['body, base64', () => bodyHmac({ header, encoding: 'base64' }), text],
];

const ids = fc.string({ minLength: 1, maxLength: 40, unit: fc.constantFrom(...'abcXYZ019_-+/=.:') });
const bodies = fc.oneof(anyText(), fc.uint8Array({ maxLength: 200 }));
const timestamps = fc.integer({ min: 0, max: 4e12 }).map((ms) => ms - (ms % 1000));
const parts = [
  't',
  '=',
  'v',
  '1',
  'a',
  ',',
  ' ',
  '0',
  '\t',
  'sha256=',
  'v1=',
  'v1,',
  'v1a,',
  't=1',
  'AAAA',
  '🂡',
];
const garbage = fc.oneof(anyText(), fc.string({ unit: fc.constantFrom(...parts) }));
const runs = (all: number) => ({ numRuns: bySize({ short: Math.ceil(all / 10), all }) });

/** Every form in which a body may be passed, among them a view into a larger buffer, like small buffers of Node. */
function formsOf(body: string | Uint8Array): readonly (string | Uint8Array)[] {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const view = Uint8Array.of(1, ...bytes, 2).subarray(1, -1);
  return [body, bytes, view, Buffer.from(bytes)];
}

/** Changes one bit of a text or of bytes. */
function flipped(value: string, position: number, bit: number): string {
  const index = position % value.length;
  const changed = String.fromCharCode(value.charCodeAt(index) ^ (1 << bit));
  return value.slice(0, index) + changed + value.slice(index + 1);
}

describe.each(families)('a delivery in %s', (_name, make, secrets) => {
  const schemes = [make(), withoutNode(make)];
  const [sync = make()] = schemes;

  test('is signed alike and verified by both, in every form of its body, and not as other text', async () => {
    await fc.assert(
      fc.asyncProperty(bodies, ids, timestamps, secrets, async (body, id, timestamp, secret) => {
        const headers = await sync.sign({ body, id, timestamp, secret });
        const otherText = typeof body === 'string' ? `${body}\0` : new TextDecoder().decode(body);
        const isOther = !Buffer.from(otherText).equals(Buffer.from(body));
        for (const scheme of schemes) {
          expect(await scheme.sign({ body, id, timestamp, secret })).toEqual(headers);
          for (const form of formsOf(body)) {
            expect(await scheme.verify(inputOf({ body: form, headers, secret, now: timestamp }))).toBe(true);
          }
          if (!isOther) continue;
          expect(await verdict(scheme, { body: otherText, headers, secret, now: timestamp })).toBe(false);
        }
      }),
      runs(60),
    );
  });

  test('is refused if a bit of its body differs, or with another secret', async () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(bytes, fc.nat(), fc.nat(7), secrets, secrets, async (body, at, bit, secret, other) => {
        // HMAC pads a key with zeros.
        fc.pre(secret.replace(/\0+$/, '') !== other.replace(/\0+$/, ''));
        const headers = await sync.sign({ body, id: 'a', timestamp: 0, secret });
        const changed = body.map((byte, index) => (index === at % body.length ? byte ^ (1 << bit) : byte));
        for (const scheme of schemes) {
          expect(await verdict(scheme, { body: changed, headers, secret, now: 0 })).toBe(false);
          expect(await verdict(scheme, { body, headers, secret: other, now: 0 })).toBe(false);
        }
      }),
      runs(60),
    );
  });

  test('is refused if a bit of a header differs, by both for the same reason', async () => {
    const now = 1_700_000_000_000;
    await fc.assert(
      fc.asyncProperty(ids, fc.nat(), fc.nat(2), fc.nat(15), secrets, async (id, at, which, bit, secret) => {
        const headers = await sync.sign({ body: '{"a":1}', id, timestamp: now, secret });
        const names = Object.keys(headers);
        const name = names[which % names.length] ?? '';
        const value = flipped(headers[name] ?? '', at, bit);
        // Hex is the same in either case.
        fc.pre(value.toLowerCase() !== headers[name]?.toLowerCase() || name !== header);
        const delivery = { body: '{"a":1}', headers: { ...headers, [name]: value }, secret, now };
        const outcomes = await Promise.all(schemes.map((scheme) => verdict(scheme, delivery)));
        expect(outcomes[0]).not.toBe(true);
        expect(outcomes[1]).toBe(outcomes[0]);
      }),
      runs(300),
    );
  });

  test('with random headers fails only with a WebhookVerificationError', async () => {
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature', header, 'svix-signature'];
    const given = fc.record(Object.fromEntries(names.map((name) => [name, garbage])), { requiredKeys: [] });
    await fc.assert(
      fc.asyncProperty(given, bodies, secrets, async (headers, body, secret) => {
        const delivery = { body, headers, secret, now: 1000, tolerance: Number.POSITIVE_INFINITY };
        const outcomes = await Promise.all(schemes.map((scheme) => verdict(scheme, delivery)));
        expect(outcomes[0]).not.toBe(true);
        expect(outcomes[1]).toBe(outcomes[0]);
      }),
      runs(300),
    );
  });
});
