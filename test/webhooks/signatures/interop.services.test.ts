import fc from 'fast-check';
import { standardWebhooks, timestampedHmac } from 'payments-client/webhooks';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { inputOf, paths } from './support.ts';

const bodies = fc.jsonValue().map((value) => JSON.stringify({ value }));
const ids = fc.string({ minLength: 1, unit: fc.constantFrom(...'abcXYZ019_-.') });

describe.each(paths)('by $path', ({ on }) => {
  test('signs deliveries that standardwebhooks verifies, and vice versa', async () => {
    const scheme = on(() => standardWebhooks());
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 24, maxLength: 64 }),
        ids,
        bodies,
        async (key, id, body) => {
          const secret = `whsec_${Buffer.from(key).toString('base64')}`;
          const now = Date.now();
          const theirs = new Webhook(secret);
          const signed = await scheme.sign({ body, id, timestamp: now, secret });
          expect(theirs.verify(body, { ...signed })).toEqual(JSON.parse(body));

          const headers = {
            'webhook-id': id,
            'webhook-timestamp': String(Math.floor(now / 1000)),
            'webhook-signature': theirs.sign(id, new Date(now), body),
          };
          expect(headers).toEqual(signed);
          expect(await scheme.verify(inputOf({ body, headers, secret, now }))).toBe(true);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('signs deliveries that stripe verifies, and vice versa', async () => {
    const scheme = on(() => timestampedHmac({ header: 'Stripe-Signature' }));
    const { webhooks } = new Stripe('sk_test_none');
    const secrets = fc.string({ minLength: 24, unit: 'grapheme' }).filter((text) => text.trim() === text);
    await fc.assert(
      fc.asyncProperty(secrets, bodies, async (secret, body) => {
        const now = Date.now();
        const signed = await scheme.sign({ body, id: '', timestamp: now, secret });
        const header = signed['stripe-signature'] ?? '';
        expect(webhooks.constructEvent(body, header, secret)).toEqual(JSON.parse(body));

        const theirs = webhooks.generateTestHeaderString({
          payload: body,
          secret,
          timestamp: Math.floor(now / 1000),
        });
        expect(theirs).toBe(header);
        const headers = { 'stripe-signature': theirs };
        expect(await scheme.verify(inputOf({ body, headers, secret, now }))).toBe(true);
      }),
      { numRuns: 40 },
    );
  });
});
