import { ConfigurationError } from 'payments-client';
import {
  bodyHmac,
  type SignatureScheme,
  schemeFor,
  standardWebhooks,
  timestampedHmac,
} from 'payments-client/webhooks';
import { expect, test } from 'vitest';

const header = 'X-Signature';
const hex = 'ab'.repeat(32);
const base64 = Buffer.alloc(32, 7).toString('base64');

function signed(scheme: SignatureScheme, secret: string): unknown {
  return scheme.sign({ body: '{}', id: 'msg_1', timestamp: Date.UTC(2026, 0, 1), secret });
}

test.each<[Parameters<typeof schemeFor>[0], SignatureScheme, string]>([
  [undefined, standardWebhooks(), base64],
  [{ scheme: 'standardWebhooks' }, standardWebhooks(), base64],
  [{ scheme: 'standardWebhooks', headerPrefix: 'shop' }, standardWebhooks({ headerPrefix: 'shop' }), base64],
  [{ scheme: 'timestampedHmac', header }, timestampedHmac({ header }), hex],
  [
    {
      scheme: 'timestampedHmac',
      header,
      timestampField: 'ts',
      signatureField: 's',
      secretEncoding: 'hex',
    },
    timestampedHmac({ header, timestampField: 'ts', signatureField: 's', secretEncoding: 'hex' }),
    hex,
  ],
  [{ scheme: 'bodyHmac', header }, bodyHmac({ header }), hex],
  [
    { scheme: 'bodyHmac', header, encoding: 'base64', secretEncoding: 'base64' },
    bodyHmac({ header, encoding: 'base64', secretEncoding: 'base64' }),
    base64,
  ],
])('creates the scheme of %j', (form, scheme, secret) => {
  expect(signed(schemeFor(form), secret)).toEqual(signed(scheme, secret));
  const parsed = form === undefined ? undefined : JSON.parse(JSON.stringify(form));
  expect(signed(schemeFor(parsed), secret)).toEqual(signed(scheme, secret));
});

test.each<[Readonly<Record<string, unknown>>, string]>([
  [{}, "schemeFor.scheme: expected 'standardWebhooks' or 'timestampedHmac' or 'bodyHmac', got nothing"],
  [{ scheme: 'rot13' }, "'bodyHmac', got a string of 5 characters"],
  [{ scheme: 'bodyHmac' }, 'schemeFor.header: expected the name of a header, got nothing'],
  [{ scheme: 'bodyHmac', header: 'a b' }, 'schemeFor.header: expected the name of a header'],
  [{ scheme: 'bodyHmac', header, encoding: 'utf8' }, "schemeFor.encoding: expected 'hex' or 'base64'"],
  [{ scheme: 'timestampedHmac', header, signaturField: 's' }, 'signatureField'],
  [{ scheme: 'timestampedHmac', header, signatureField: 't' }, 'a name other than timestampField'],
])('refuses %j', (form, message) => {
  expect(() => schemeFor(form)).toThrow(ConfigurationError);
  expect(() => schemeFor(form)).toThrow(message);
});
