/** The full text of every error message of the webhooks. */

import { WebhookVerificationError } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import { bodyHmac, standardWebhooks, timestampedHmac, Webhooks } from 'payments-client/webhooks';
import { describe, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { otherSecret, secret } from '../support/deliveries.ts';
import { failureOf } from '../support/failure.ts';
import { refuses } from '../support/refuses.ts';

const now = Date.UTC(2026, 0, 31, 12);
const webhooks = new Webhooks({ secret, now: () => now });
const store = memoryStore();
const secretShown = "the endpoint's signing secret, as the service shows it";
const createReceiver = (options: object) => () => webhooks.receiver(anything({ on: {}, store, ...options }));

refuses('secrets', 'Without it no delivery can be verified.', [
  [
    'secret: expected at least one signing secret, got none',
    () => new Webhooks(anything({ secret: undefined })),
  ],
  [
    'expected either secret or secrets, got both',
    () => new Webhooks(anything({ secret, secrets: [secret] })),
  ],
  [
    `secret: expected ${secretShown}, got nothing, or a value that is not text`,
    () => new Webhooks(anything({ secret: 7 })),
  ],
  [
    `secrets[0]: expected ${secretShown}, got nothing, or a value that is not text; secrets[1]: expected ${secretShown}, got nothing, or a value that is not text`,
    () => new Webhooks(anything({ secrets: ['', 7] })),
  ],
  [
    `secrets.a[1]: expected ${secretShown}, got one that is not base64 (check that the copy is complete; for plain-text secrets, use another scheme); secrets.b: expected ${secretShown}, got only a prefix (check that the copy is complete)`,
    () => new Webhooks(anything({ secrets: { a: [secret, 'x'], b: 'whsec_' } })),
  ],
  ['secret: expected at least one signing secret, got none', () => new Webhooks(anything({ secrets: [] }))],
  ['secret: expected at least one signing secret, got none', () => new Webhooks(anything({ secrets: null }))],
  [
    `secret: expected ${secretShown}, got one with white space inside (a line break, or two secrets)`,
    () => new Webhooks(anything({ secret: 'whsec_ MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' })),
  ],
  [
    `secret: expected ${secretShown}, got one that is not base64 (check that the copy is complete; for plain-text secrets, use another scheme)`,
    () => new Webhooks(anything({ secret: 'whsec_!!!' })),
  ],
  [
    `secret: expected ${secretShown}, got an Ed25519 key of 3 bytes instead of 32 (check that the copy is complete)`,
    () => new Webhooks(anything({ secret: 'whpk_AAAA' })),
  ],
  [
    `secret: expected ${secretShown}, got an Ed25519 key of 3 bytes instead of 32 or 64 (check that the copy is complete)`,
    () => new Webhooks(anything({ secret: 'whsk_AAAA' })),
  ],
  [
    `secret: expected ${secretShown}, got one with leading or trailing white space: copy it without`,
    () => new Webhooks(anything({ secret: ' x', scheme: bodyHmac({ header: 'x-sig' }) })),
  ],
  [
    `secret: expected ${secretShown}, got one with leading or trailing white space: copy it without`,
    () => new Webhooks(anything({ secret: 'x\n', scheme: bodyHmac({ header: 'x-sig' }) })),
  ],
  [
    'secrets(): expected secrets of the delivery, got a number',
    () => new Webhooks({ secrets: () => anything(7) }).verify('{}', {}),
  ],
  [
    `secrets.a: expected ${secretShown}, got nothing, or a value that is not text`,
    () => new Webhooks({ secrets: async () => ({ a: '' }) }).verify('{}', {}),
  ],
]);

refuses('options of Webhooks', 'Correct the options of Webhooks.', [
  [
    'tolerance: expected an integer from 1, in ms, got the number 0',
    () => new Webhooks(anything({ secret, tolerance: 0 })),
  ],
  [
    'tolerance: expected an integer from 1, in ms, got the number NaN',
    () => new Webhooks(anything({ secret, tolerance: Number.NaN })),
  ],
  [
    'tolerance: expected an integer from 1, in ms, got a string of 1 character; maxBodyBytes: expected an integer from 1, in bytes, got the number 1.5',
    () => new Webhooks(anything({ secret, tolerance: '1', maxBodyBytes: 1.5 })),
  ],
  [
    "livemod: expected a known name, got an unknown option (did you mean 'livemode'?)",
    () => new Webhooks(anything({ secret, livemod: true })),
  ],
  [
    "livemode: expected true or false, got 'true'",
    () => new Webhooks(anything({ secret, livemode: 'true' })),
  ],
]);

refuses('options of bodyHmac', 'Correct the options of bodyHmac.', [
  ['bodyHmac.header: expected the name of a header, got nothing', () => bodyHmac(anything({}))],
  [
    'bodyHmac.header: expected the name of a header, got an empty string',
    () => bodyHmac(anything({ header: '' })),
  ],
  ["bodyHmac.header: expected the name of a header, got 'a b'", () => bodyHmac(anything({ header: 'a b' }))],
  [
    'bodyHmac.header: expected the name of a header, got a string of 2 characters',
    () => bodyHmac(anything({ header: 'a\n' })),
  ],
  [
    'bodyHmac.header: expected the name of a header, got the number 7',
    () => bodyHmac(anything({ header: 7 })),
  ],
  [
    "bodyHmac.encoding: expected 'hex' or 'base64', got 'hexx'",
    () => bodyHmac(anything({ header: 'x', encoding: 'hexx' })),
  ],
  [
    "bodyHmac.encodng: expected a known name, got an unknown option (did you mean 'encoding'?)",
    () => bodyHmac(anything({ header: 'x', encodng: 'base64' })),
  ],
]);

refuses('options of timestampedHmac', 'Correct the options of timestampedHmac.', [
  [
    'timestampedHmac.timestampField: expected the name of a field, without blanks, = and commas, got a string of 3 characters; timestampedHmac.signatureField: expected the name of a field, without blanks, = and commas, got an empty string',
    () => timestampedHmac(anything({ header: 'x', timestampField: 'a=b', signatureField: '' })),
  ],
  [
    'timestampedHmac.timestampField: expected the name of a field, without blanks, = and commas, got the number 7',
    () => timestampedHmac(anything({ header: 'x', timestampField: 7 })),
  ],
  [
    'timestampedHmac.signatureField: expected a name other than timestampField, got the same',
    () => timestampedHmac(anything({ header: 'x', timestampField: 't', signatureField: 't' })),
  ],
  ['timestampedHmac.header: expected the name of a header, got nothing', () => timestampedHmac(anything({}))],
  [
    "timestampedHmac.nonse: expected a known name, got an unknown option (did you mean 'nonce'?)",
    () => timestampedHmac(anything({ header: 'x', nonse: true })),
  ],
]);

refuses('options of standardWebhooks', 'Correct the options of standardWebhooks.', [
  [
    "standardWebhooks.headerPrefix: expected the name of a header, got 'a b'",
    () => standardWebhooks(anything({ headerPrefix: 'a b' })),
  ],
  [
    'standardWebhooks.headerPrefix: expected the name of a header, got an empty string',
    () => standardWebhooks(anything({ headerPrefix: '' })),
  ],
  [
    "standardWebhooks.headerPrefx: expected a known name, got an unknown option (did you mean 'headerPrefix'?)",
    () => standardWebhooks(anything({ headerPrefx: 'acme' })),
  ],
]);

refuses('options of a receiver', 'No event is handled until this is right.', [
  ['on: expected handlers by the type of their event, got null', createReceiver({ on: null })],
  [
    "on['no.such']: expected a type of event that this version knows; onEvent is for others, got another type",
    createReceiver({ on: { 'no.such': () => 1 } }),
  ],
  [
    "on['refund.fialed']: expected a type of event that this version knows; onEvent is for others, got another type (did you mean 'refund.failed'?)",
    createReceiver({ on: { 'refund.fialed': () => 1 } }),
  ],
  [
    "on['charge.refunded']: expected a type of event that this version knows; onEvent is for others, got another type (did you mean 'refund.succeeded'?)",
    createReceiver({ on: { 'charge.refunded': () => 1 } }),
  ],
  [
    "on['refund.failed']: expected a function, got the number 7",
    createReceiver({ on: { 'refund.failed': 7 } }),
  ],
  ["onEvent: expected a function, got 'x'", createReceiver({ onEvent: 'x' })],
  ['store: expected a store, such as memoryStore(), got an object', createReceiver({ store: {} })],
  ['store: expected a store, such as memoryStore(), got nothing', createReceiver({ store: undefined })],
  [
    'lease: expected an integer from 1 to 2147483647, in ms, got the number 0; retention: expected an integer from 1 to 3155760000000, in ms, got the number -1',
    createReceiver({ lease: 0, retention: -1 }),
  ],
  [
    'retention: expected an integer from 1 to 3155760000000, in ms, got a number',
    createReceiver({ retention: 3_155_760_000_001 }),
  ],
  [
    'lease: expected an integer from 1 to 2147483647, in ms, got the number 2147483648',
    createReceiver({ lease: 2 ** 31 }),
  ],
  [
    "onEror: expected a known name, got an unknown option (did you mean 'onError'?)",
    createReceiver({ onEror: () => 1 }),
  ],
  [
    'logger: expected new Webhooks({ logger }), got an option of the receiver',
    createReceiver({ logger: console }),
  ],
  ['onError: expected a function, got an array of 0', createReceiver({ onError: [] })],
  [
    'consumer: expected 1 to 64 letters, digits, dots, hyphens and underscores, got a string of 3 characters',
    createReceiver({ consumer: 'a/b' }),
  ],
  [
    'on: expected handlers by the type of their event, or onEvent, got nothing; store: expected a store, such as memoryStore(), got nothing',
    () => webhooks.receiver(anything(undefined)),
  ],
]);

refuses('a signature', 'Nothing was signed.', [
  [
    "sign.timestmp: expected a known name, got an unknown option (did you mean 'timestamp'?)",
    () => webhooks.sign('{}', anything({ timestmp: 1 })),
  ],
  ['sign.body: expected a string or bytes, got an object', () => webhooks.sign(anything({ id: 'evt_1' }))],
  [
    'sign.secret: expected a signing secret, since secrets is a function, got none',
    () => new Webhooks({ secrets: () => secret }).sign('{}'),
  ],
  ['id: expected the id of a delivery, got an empty string', () => webhooks.sign('x', anything({ id: '' }))],
]);

refuses('a clock, or a secret that cannot sign', 'Nothing was verified or signed.', [
  [
    'now(): expected ms since 1970, got the number NaN',
    () => new Webhooks({ secret, now: () => Number.NaN }).verify('{}', {}),
  ],
  [
    'now(): expected ms since 1970, got an object',
    () => new Webhooks({ secret, now: () => anything({}) }).verifySync('{}', {}),
  ],
  [
    'now(): expected ms since 1970, got nothing',
    () => new Webhooks({ secret, now: () => anything(undefined) }).sign('{}'),
  ],
  ['secret: expected a signing secret, got an empty one', () => webhooks.sign('x', { secret: '' })],
  [
    'secret: expected a signing secret, got one with leading or trailing white space: copy it without',
    () => new Webhooks({ secret, scheme: bodyHmac({ header: 'x-sig' }) }).sign('x', { secret: ' x' }),
  ],
  [
    'secret: expected a secret that can sign, whsec_ or whsk_, got a public key (whpk_…), which only verifies',
    () => webhooks.sign('x', { secret: `whpk_${btoa('x'.repeat(32))}` }),
  ],
]);

refuses('a promise of secrets in verifySync', 'Use await verify() here.', [
  [
    'verifySync: expected synchronous cryptography, got a promise of secrets, or a runtime or scheme without it',
    async () => new Webhooks({ secrets: async () => secret }).verifySync('{}', {}),
  ],
]);

describe('refuses a delivery:', () => {
  it.each<[reason: string, message: string, start: () => PromiseLike<unknown>]>([
    [
      'invalid_payload',
      `webhooks: expected the raw body, a string or bytes, got an object. A body parser has read it. Pass the bytes as received, for example from express.raw({ type: () => true }) or request.arrayBuffer().`,
      () => webhooks.verify(anything({}), {}),
    ],
    [
      'invalid_payload',
      `webhooks: expected the raw body, a string or bytes, got nothing. A body parser has read it. Pass the bytes as received, for example from express.raw({ type: () => true }) or request.arrayBuffer().`,
      () => webhooks.verify(anything(undefined), {}),
    ],
    [
      'missing_header',
      `webhooks: expected the header webhook-id, got none. The sender is not the service, it uses another scheme, or a proxy removed the header.`,
      () => webhooks.verify('', {}),
    ],
    [
      'missing_header',
      `webhooks: expected the header webhook-id, got a delivery with x-signature. The service uses another scheme: pass the scheme of that header to Webhooks.`,
      () => webhooks.verify('', { 'X-Signature': 'a secret value' }),
    ],
    [
      'no_match',
      `webhooks: expected secrets() to return a secret for the delivery, but it returned none. Its URL or headers name no known merchant, or the secret of the merchant is missing.`,
      () => new Webhooks({ secrets: () => undefined }).verify('', {}),
    ],
    [
      'missing_header',
      `webhooks: expected the header webhook-id, got none. The sender is not the service, it uses another scheme, or a proxy removed the header.`,
      () => webhooks.verify('', anything({ 'webhook-id': 7 })),
    ],
    [
      'missing_header',
      `webhooks: expected the request's headers, got null. Pass request.headers.`,
      () => webhooks.verify('', anything(null)),
    ],
    [
      'malformed_header',
      `webhooks: webhook-id: expected a value, got an empty one. Check that this is the service's scheme and that no proxy changes headers.`,
      () => webhooks.verify('{}', { 'webhook-id': '' }),
    ],
    [
      'malformed_header',
      `webhooks: webhook-timestamp: expected a Unix timestamp of 1 to 15 digits, got a text of 1 character. Check that this is the service's scheme.`,
      () =>
        webhooks.verify('{}', { 'webhook-id': 'x', 'webhook-timestamp': 'z', 'webhook-signature': 'v1,x' }),
    ],
    [
      'malformed_header',
      `webhooks: webhook-signature: expected signatures such as v1,<base64>, got none in that form. Check that this is the service's scheme and that no proxy changes headers.`,
      () => webhooks.verify('{}', { 'webhook-id': 'x', 'webhook-timestamp': '1', 'webhook-signature': 'zz' }),
    ],
    [
      'malformed_header',
      `webhooks: webhook-id: expected at most 8192 characters, got 9000. Check that this is the service's scheme and that no proxy changes headers.`,
      () =>
        webhooks.verify('{}', {
          'webhook-id': 'x'.repeat(9000),
          'webhook-timestamp': '1',
          'webhook-signature': 'v1,x',
        }),
    ],
    [
      'malformed_header',
      `webhooks: webhook-signature: expected v1,… at most 16 times, got more. Check that this is the service's scheme and that no proxy changes headers.`,
      () =>
        webhooks.verify('{}', {
          'webhook-id': 'x',
          'webhook-timestamp': '1',
          'webhook-signature': 'v1,x '.repeat(17),
        }),
    ],
    ...(['hex', 'base64'] as const).map((encoding): [string, string, () => PromiseLike<unknown>] => [
      'malformed_header',
      `webhooks: x-sig: expected ${encoding === 'hex' ? '64 hex digits' : 'the base64 of 32 bytes'}, after sha256= or alone, got something else. Check that this is the service's scheme and that no proxy changes headers.`,
      () =>
        new Webhooks({ secret, scheme: bodyHmac({ header: 'x-sig', encoding }) }).verify('{}', {
          'x-sig': 'sha512=00',
        }),
    ]),
    ...[false, true].map((nonce): [string, string, () => PromiseLike<unknown>] => [
      'malformed_header',
      `webhooks: x-sig: expected a field t=…, got none, or an empty one. Check that this is the service's scheme and that no proxy changes headers.`,
      () =>
        new Webhooks({ secret, scheme: timestampedHmac({ header: 'x-sig', nonce }) }).verify('{}', {
          'x-sig': 'v1=00',
        }),
    ]),
    [
      'no_match',
      `webhooks: expected a signature made with the secret, got no match. The secret belongs to another endpoint, or the body was changed: pass it byte for byte, before any parser.`,
      () =>
        webhooks.verify('{}', {
          'webhook-id': 'x',
          'webhook-timestamp': '1',
          'webhook-signature': 'v1,eA==',
        }),
    ],
    [
      'no_match',
      `webhooks: expected a signature made with one of the 2 secrets, got no match. The secret belongs to another endpoint, or the body was changed: pass it byte for byte, before any parser.`,
      async () =>
        new Webhooks({ secrets: [otherSecret, otherSecret] }).verify('{}', await webhooks.sign('{}')),
    ],
    [
      'invalid_payload',
      `webhooks: expected JSON in UTF-8, got something else. Check that the service delivers to this address and that the body is not compressed.`,
      async () => webhooks.verify('{', await webhooks.sign('{')),
    ],
    [
      'invalid_payload',
      `webhooks: expected JSON in UTF-8, got an empty body. Check that the service delivers to this address and that the body is not compressed.`,
      async () => webhooks.verify('', await webhooks.sign('')),
    ],
    [
      'invalid_payload',
      `webhooks: the event differs from the interface: expected an event: an object with an 'id' of at most 255 characters and a 'type', got something else. It was not handled: find out which program sends it.`,
      async () => webhooks.verify('[]', await webhooks.sign('[]')),
    ],
    [
      'invalid_payload',
      `webhooks: the event differs from the interface: expected an event: an object with an 'id' of at most 255 characters and a 'type', got another object. It was not handled: find out which program sends it.`,
      async () => webhooks.verify('{"id":"x"}', await webhooks.sign('{"id":"x"}')),
    ],
    [
      'invalid_payload',
      `webhooks: expected a body of at most 3 bytes (maxBodyBytes), got more. Raise maxBodyBytes if the service sends larger bodies.`,
      async () => new Webhooks({ secret, maxBodyBytes: 3 }).verify('12345', await webhooks.sign('12345')),
    ],
    [
      'missing_header',
      `webhooks: expected the request's headers, got a string of 3 characters. Pass request.headers.`,
      async () => webhooks.verify('{}', anything('v1,')),
    ],
    [
      'missing_header',
      `webhooks: expected the request's headers, got nothing. Pass request.headers.`,
      async () => webhooks.verify('{}', anything(undefined)),
    ],
    [
      'too_old',
      `webhooks: expected a timestamp within 300 s of now, got one 400 s old, with a valid signature. It is a replay or a late delivery, or this machine's clock is fast: check the clock before you raise the tolerance.`,
      async () => webhooks.verify('{}', await webhooks.sign('{}', { timestamp: now - 400_000 } as never)),
    ],
    [
      'too_old',
      `webhooks: expected a timestamp within 1 s of now, got one 2 s old, with a valid signature. It is a replay or a late delivery, or this machine's clock is fast: check the clock before you raise the tolerance.`,
      async () =>
        new Webhooks({ secret, tolerance: 1000, now: () => now + 1001 }).verify(
          '{}',
          await webhooks.sign('{}'),
        ),
    ],
    [
      'too_new',
      `webhooks: expected a timestamp within 300 s of now, got one 400 s in the future, with a valid signature. This machine's clock is slow, or a sandbox signs with its own: check the clock, or pass now: () => sandbox.clock.now() to Webhooks.`,
      async () => webhooks.verify('{}', await webhooks.sign('{}', { timestamp: now + 400_000 } as never)),
    ],
  ])('%s, %s', async (reason, message, start) => {
    const error = await failureOf(start(), WebhookVerificationError);
    expect(error).toMatchObject({ reason, message });
  });
});
