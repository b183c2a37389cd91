import { createHmac, randomBytes } from 'node:crypto';
import { ConfigurationError } from 'payments-client';
import { bodyHmac, timestampedHmac, Webhooks } from 'payments-client/webhooks';
import { describe, expect, test } from 'vitest';
import { paths, verdict } from './support.ts';

type SecretEncoding = 'text' | 'base64' | 'hex';

const header = 'x-signature';
const body = '{"id":"evt_1"}';
const now = Date.UTC(2026, 0, 1);
const t = now / 1000;
const bytes = randomBytes(32);

const rows: readonly (readonly [SecretEncoding | undefined, string, Uint8Array])[] = [
  [undefined, bytes.toString('hex'), Buffer.from(bytes.toString('hex'))],
  ['text', bytes.toString('hex'), Buffer.from(bytes.toString('hex'))],
  ['text', `whsec_${bytes.toString('base64')}`, Buffer.from(`whsec_${bytes.toString('base64')}`)],
  ['hex', bytes.toString('hex'), bytes],
  ['hex', bytes.toString('hex').toUpperCase(), bytes],
  ['base64', bytes.toString('base64'), bytes],
];

describe.each(paths)('by $path', ({ on }) => {
  test.each(rows)('signs and verifies with a secret in %s: %s', async (secretEncoding, secret, key) => {
    const signed = createHmac('sha256', key).update(body).digest('hex');
    const plain = on(() => bodyHmac({ header, secretEncoding }));
    expect(await plain.sign({ body, id: 'msg_1', timestamp: now, secret })).toEqual({ [header]: signed });
    expect(await verdict(plain, { body, headers: { [header]: signed }, secret, now })).toBe(true);
    expect(await verdict(plain, { body: `${body} `, headers: { [header]: signed }, secret, now })).toBe(
      false,
    );

    const v1 = createHmac('sha256', key).update(`${t}.${body}`).digest('hex');
    const timestamped = on(() => timestampedHmac({ header, secretEncoding }));
    const value = `t=${t},v1=${v1}`;
    expect(await timestamped.sign({ body, id: 'msg_1', timestamp: now, secret })).toEqual({
      [header]: value,
    });
    expect(await verdict(timestamped, { body, headers: { [header]: value }, secret, now })).toBe(true);
  });
});

test.each<[SecretEncoding, string, RegExp]>([
  ['hex', `${'ab'.repeat(30)}g0`, /not hex, as secretEncoding declares \(check that the copy is complete\)/],
  ['hex', `${'ab'.repeat(30)}a`, /not hex/],
  ['base64', `whsec_${'A'.repeat(42)}`, /not base64/],
  ['base64', 'A'.repeat(43), /not base64/],
  ['hex', 'ab'.repeat(23), /one of 23 bytes, but at least 24/],
  ['base64', Buffer.alloc(23).toString('base64'), /one of 23 bytes/],
  ['hex', ` ${'ab'.repeat(32)}`, /leading or trailing white space/],
])('refuses a secret that is invalid in %s, and does not quote it: %s', (secretEncoding, secret, problem) => {
  for (const scheme of [bodyHmac({ header, secretEncoding }), timestampedHmac({ header, secretEncoding })]) {
    const found = scheme.checkSecret?.(secret);
    expect(found).toMatch(problem);
    expect(found).not.toContain(secret.trim().slice(0, 12));
    expect(() => new Webhooks({ secret, scheme })).toThrow(ConfigurationError);
    expect(() => scheme.sign({ body, id: 'msg_1', timestamp: now, secret })).toThrow(problem);
  }
});

test('accepts a short secret if that is allowed', () => {
  const scheme = bodyHmac({ header, secretEncoding: 'hex', allowShortSecrets: true });
  expect(scheme.checkSecret?.('ab')).toBeUndefined();
});

test('refuses an unknown encoding', () => {
  const options = JSON.parse('{ "header": "x-signature", "secretEncoding": "base32" }');
  expect(() => bodyHmac(options)).toThrow("bodyHmac.secretEncoding: expected 'text' or 'base64' or 'hex'");
  expect(() => timestampedHmac(options)).toThrow(/timestampedHmac\.secretEncoding/);
});
