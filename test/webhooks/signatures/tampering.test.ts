import fc from 'fast-check';
import type { SignatureScheme } from 'payments-client/webhooks';
import { bodyHmac, standardWebhooks, timestampedHmac } from 'payments-client/webhooks';
import { describe, expect, test } from 'vitest';
import { anyText } from '../../support/any-text.ts';
import { bySize } from '../../support/size.ts';
import { type Delivery, inputOf, verdict, withoutNode } from './support.ts';

const base64Secret = (length: number) =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((bytes) => Buffer.from(bytes).toString('base64'));
const textSecret = fc.string({ minLength: 24, unit: 'grapheme' }).filter((text) => text.trim() === text);
const visible = fc.string({ minLength: 1, maxLength: 40, unit: fc.constantFrom(...'abcXYZ019_-+/=.:') });

interface Family {
  readonly name: string;
  readonly make: () => SignatureScheme;
  readonly secret: fc.Arbitrary<string>;
}

const families: readonly Family[] = [
  {
    name: 'Standard Webhooks',
    make: () => standardWebhooks(),
    secret: base64Secret(24).map((text) => `whsec_${text}`),
  },
  { name: 'Ed25519', make: () => standardWebhooks(), secret: base64Secret(32).map((text) => `whsk_${text}`) },
  { name: 'timestamped', make: () => timestampedHmac({ header: 'x-signature' }), secret: textSecret },
  { name: 'nonce', make: () => timestampedHmac({ header: 'x-signature', nonce: true }), secret: textSecret },
  { name: 'body, hex', make: () => bodyHmac({ header: 'x-signature' }), secret: textSecret },
  {
    name: 'body, base64',
    make: () => bodyHmac({ header: 'x-signature', encoding: 'base64' }),
    secret: textSecret,
  },
];

const bodies = fc.oneof(anyText(), fc.uint8Array({ maxLength: 200 }));
const timestamps = fc.integer({ min: 0, max: 4e12 }).map((ms) => ms - (ms % 1000));

/** The number of runs of a property. */
const runs = (all: number) => bySize({ short: Math.ceil(all / 10), all });

/** Changes one character of a text, also one of several bytes. */
function flipped(text: string, position: number, bit: number): string {
  const index = position % text.length;
  return (
    text.slice(0, index) + String.fromCharCode(text.charCodeAt(index) ^ (1 << bit)) + text.slice(index + 1)
  );
}

describe.each(families)('every delivery in $name', ({ make, secret }) => {
  const sync = make();
  const web = withoutNode(make);

  test('is verified by node:crypto and by Web Crypto, whichever signed it', async () => {
    await fc.assert(
      fc.asyncProperty(bodies, visible, timestamps, secret, async (body, id, timestamp, key) => {
        const headers = await sync.sign({ body, id, timestamp, secret: key });
        expect(await web.sign({ body, id, timestamp, secret: key })).toEqual(headers);
        const delivery: Delivery = { body, headers, secret: key, now: timestamp };
        expect(sync.verify(inputOf(delivery))).toBe(true);
        expect(await web.verify(inputOf(delivery))).toBe(true);
      }),
      { numRuns: runs(60) },
    );
  });

  test('verifies the same as text and as bytes', async () => {
    await fc.assert(
      fc.asyncProperty(anyText(), visible, secret, async (text, id, key) => {
        const bytes = new TextEncoder().encode(text);
        // A view into a larger buffer, like small buffers of Node.
        const part = Uint8Array.of(1, ...bytes, 2).subarray(1, -1);
        const headers = await sync.sign({ body: text, id, timestamp: 0, secret: key });
        for (const scheme of [sync, web]) {
          for (const body of [text, bytes, part, Buffer.from(bytes)]) {
            expect(await scheme.verify(inputOf({ body, headers, secret: key, now: 0 }))).toBe(true);
          }
        }
      }),
      { numRuns: runs(30) },
    );
  });

  test('may have a body that is not text', async () => {
    const secrets = fc.sample(secret, { numRuns: 1, seed: 1 });
    for (const key of secrets) {
      const invalid = Uint8Array.of(0xff, 0xfe, 0x00, 0xc3, 0x28);
      const readAsText = new TextEncoder().encode(new TextDecoder().decode(invalid));
      const headers = await sync.sign({ body: invalid, id: 'a', timestamp: 0, secret: key });
      for (const scheme of [sync, web]) {
        expect(await verdict(scheme, { body: invalid, headers, secret: key, now: 0 })).toBe(true);
        expect(await verdict(scheme, { body: readAsText, headers, secret: key, now: 0 })).toBe(false);
      }
      expect([...invalid]).toEqual([0xff, 0xfe, 0x00, 0xc3, 0x28]);
    }
  });

  test('is refused if a bit of its body differs', async () => {
    const someBytes = fc.uint8Array({ minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(someBytes, fc.nat(), secret, async (body, position, key) => {
        const headers = await sync.sign({ body, id: 'a', timestamp: 0, secret: key });
        const changed = body.slice();
        const index = (position >> 3) % changed.length;
        changed[index] = (changed[index] ?? 0) ^ (1 << (position & 7));
        for (const scheme of [sync, web]) {
          expect(await verdict(scheme, { body: changed, headers, secret: key, now: 0 })).toBe(false);
        }
      }),
      { numRuns: runs(60) },
    );
  });

  test('is refused if a bit of a header differs', async () => {
    await fc.assert(
      fc.asyncProperty(
        visible,
        fc.nat(),
        fc.nat(9),
        fc.nat(15),
        secret,
        async (id, position, which, bit, key) => {
          const timestamp = 1_700_000_000_000;
          const headers = await sync.sign({ body: '{"a":1}', id, timestamp, secret: key });
          const names = Object.keys(headers);
          const name = names[which % names.length] ?? '';
          const value = flipped(headers[name] ?? '', position, bit);
          // Hex is the same in either case.
          fc.pre(value.toLowerCase() !== headers[name]?.toLowerCase() || name !== 'x-signature');
          const delivery = {
            body: '{"a":1}',
            headers: { ...headers, [name]: value },
            secret: key,
            now: timestamp,
          };
          const outcome = await verdict(sync, delivery);
          expect(outcome).not.toBe(true);
          expect(await verdict(web, delivery)).toBe(outcome);
        },
      ),
      { numRuns: runs(300) },
    );
  });

  test('is refused with another secret', async () => {
    await fc.assert(
      fc.asyncProperty(secret, secret, async (key, other) => {
        fc.pre(key !== other);
        // HMAC pads a key with zeros.
        fc.pre(key.replace(/\0+$/, '') !== other.replace(/\0+$/, ''));
        const headers = await sync.sign({ body: '{}', id: 'a', timestamp: 0, secret: key });
        for (const scheme of [sync, web]) {
          expect(await verdict(scheme, { body: '{}', headers, secret: other, now: 0 })).toBe(false);
        }
      }),
      { numRuns: runs(30) },
    );
  });

  const garbage = fc.oneof(
    anyText(),
    fc.string({
      unit: fc.constantFrom(
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
      ),
    }),
  );
  test('with random headers fails only with a WebhookVerificationError', async () => {
    const [key = ''] = fc.sample(secret, { numRuns: 1, seed: 7 });
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'x-signature', 'svix-signature'];
    const headers = fc.record(Object.fromEntries(names.map((name) => [name, garbage])), { requiredKeys: [] });
    await fc.assert(
      fc.asyncProperty(headers, bodies, async (given, body) => {
        const delivery = {
          body,
          headers: given,
          secret: key,
          now: 1000,
          tolerance: Number.POSITIVE_INFINITY,
        };
        const outcome = await verdict(sync, delivery);
        expect(outcome).not.toBe(true);
        expect(await verdict(web, delivery)).toBe(outcome);
      }),
      { numRuns: runs(300) },
    );
  });
});
