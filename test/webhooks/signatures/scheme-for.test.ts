/** The scheme that the interface of a service names. */

import { ConfigurationError, type ServiceInterface } from 'payments-client';
import {
  bodyHmac,
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
const fields = { header, timestampField: 'ts', signatureField: 's', secretEncoding: 'hex' } as const;

const signed = (options: WebhooksOptions): unknown =>
  new Webhooks(options).sign('{}', { id: 'msg_1', timestamp: Date.UTC(2026, 0, 1) });

test.each<[ServiceInterface['webhooks'], WebhooksOptions]>([
  [undefined, { secret: base64, scheme: standardWebhooks() }],
  [{ scheme: 'standardWebhooks' }, { secret: base64, scheme: standardWebhooks() }],
  [
    { scheme: 'standardWebhooks', headerPrefix: 'shop' },
    { secret: base64, scheme: standardWebhooks({ headerPrefix: 'shop' }) },
  ],
  [
    { scheme: 'timestampedHmac', header },
    { secret: hex, scheme: timestampedHmac({ header }) },
  ],
  [
    { scheme: 'timestampedHmac', ...fields },
    { secret: hex, scheme: timestampedHmac(fields) },
  ],
  [
    { scheme: 'bodyHmac', header },
    { secret: hex, scheme: bodyHmac({ header }) },
  ],
  [
    { scheme: 'bodyHmac', header, encoding: 'base64', secretEncoding: 'base64' },
    { secret: base64, scheme: bodyHmac({ header, encoding: 'base64', secretEncoding: 'base64' }) },
  ],
])(
  'signs with the scheme that the interface names, typed or as JSON: %j',
  async (webhooks, { secret, scheme }) => {
    const expected = await signed({ secret, scheme });
    const named = { version: 1, webhooks } as const;
    expect(await signed({ secret, interface: named })).toEqual(expected);
    expect(await signed({ secret, interface: JSON.parse(JSON.stringify(named)) })).toEqual(expected);
    // The option comes first.
    const other = { webhooks: { scheme: 'bodyHmac', header: 'x-other' } };
    expect(await signed({ secret, scheme, interface: other })).toEqual(expected);
  },
);

const schemes = "'standardWebhooks' or 'timestampedHmac' or 'bodyHmac'";

test.each<[unknown, string]>([
  [{ scheme: 'rot13' }, `interface.webhooks.scheme: expected ${schemes}, got a string`],
  [{ scheme: 'bodyHmac' }, 'interface.webhooks.header: expected the name of a header, got nothing'],
  [
    { scheme: 'bodyHmac', header, encoding: 'utf8' },
    "interface.webhooks.encoding: expected 'hex' or 'base64'",
  ],
  [{ scheme: 'timestampedHmac', header, signaturField: 's' }, 'signatureField'],
  [{ scheme: 'timestampedHmac', header, signatureField: 't' }, 'a name other than timestampField'],
])('refuses %j, as the schemes do', (webhooks, message) => {
  const create = () => new Webhooks({ secret: base64, interface: anything({ webhooks }) });
  expect(create).toThrow(ConfigurationError);
  expect(create).toThrow(message);
});
