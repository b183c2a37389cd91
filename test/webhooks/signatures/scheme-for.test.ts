import { ConfigurationError, type ServiceInterface } from 'payments-client';
import {
  bodyHmac,
  type SignatureScheme,
  standardWebhooks,
  timestampedHmac,
  Webhooks,
  type WebhooksOptions,
} from 'payments-client/webhooks';
import { expect, test } from 'vitest';
import { anything } from '../../support/anything.ts';

const header = 'X-Signature';
const hex = 'ab'.repeat(32);
const base64 = Buffer.alloc(32, 7).toString('base64');

function signed(options: WebhooksOptions): unknown {
  return new Webhooks(options).sign('{}', { id: 'msg_1', timestamp: Date.UTC(2026, 0, 1) });
}

test.each<[ServiceInterface['webhooks'], SignatureScheme, string]>([
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
])('signs with the scheme that the interface names: %j', async (webhooks, scheme, secret) => {
  const expected = await signed({ secret, scheme });
  const named = { version: 1, webhooks } as const;
  expect(await signed({ secret, interface: named })).toEqual(expected);
  expect(await signed({ secret, interface: JSON.parse(JSON.stringify(named)) })).toEqual(expected);
});

test('prefers the option scheme to the interface', async () => {
  const scheme = standardWebhooks();
  const options = { secret: base64, scheme, interface: { webhooks: { scheme: 'bodyHmac', header } } };
  expect(await signed(options)).toEqual(await signed({ secret: base64, scheme }));
});

test.each<[Readonly<Record<string, unknown>>, string]>([
  [
    {},
    "interface.webhooks.scheme: expected 'standardWebhooks' or 'timestampedHmac' or 'bodyHmac', got nothing",
  ],
  [{ scheme: 'rot13' }, "'bodyHmac', got a string of 5 characters"],
  [{ scheme: 'bodyHmac' }, 'interface.webhooks.header: expected the name of a header, got nothing'],
  [{ scheme: 'bodyHmac', header: 'a b' }, 'interface.webhooks.header: expected the name of a header'],
  [
    { scheme: 'bodyHmac', header, encoding: 'utf8' },
    "interface.webhooks.encoding: expected 'hex' or 'base64'",
  ],
  [{ scheme: 'timestampedHmac', header, signaturField: 's' }, 'signatureField'],
  [{ scheme: 'timestampedHmac', header, signatureField: 't' }, 'a name other than timestampField'],
])('refuses %j', (webhooks, message) => {
  const create = () => new Webhooks({ secret: base64, interface: { webhooks } });
  expect(create).toThrow(ConfigurationError);
  expect(create).toThrow(message);
});

test('refuses an interface that is no object', () => {
  const create = () => new Webhooks({ secret: base64, interface: anything('payments.interface.json') });
  expect(create).toThrow('interface: expected an object, got a string of 23 characters');
});
