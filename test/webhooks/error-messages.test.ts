/** The full text of every error message of the webhooks. */

import { ConfigurationError, WebhookVerificationError } from 'payments-client';
import { memoryStore, postgresStore, redisStore } from 'payments-client/stores';
import { bodyHmac, standardWebhooks, timestampedHmac, Webhooks } from 'payments-client/webhooks';
import { describe, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { secret } from '../support/deliveries.ts';
import { failureOf } from '../support/failure.ts';

const now = Date.UTC(2026, 0, 31, 12);
const webhooks = new Webhooks({ secret, now: () => now });
const store = memoryStore();
const createReceiver = (options: object) => () => webhooks.receiver(anything({ on: {}, store, ...options }));

describe('rejects wrong options:', () => {
  it.each<[message: string, start: () => unknown]>([
    [
      `secret: expected at least one signing secret, got none. Without it no delivery can be verified.`,
      () => new Webhooks(anything({})),
    ],
    [
      `expected either secret or secrets, got both. Without it no delivery can be verified.`,
      () => new Webhooks(anything({ secret, secrets: [secret] })),
    ],
    [
      `secret: expected the endpoint's signing secret, as the service shows it, got nothing, or a value that is not text. Without it no delivery can be verified.`,
      () => new Webhooks(anything({ secret: 7 })),
    ],
    [
      `secrets[0]: expected the endpoint's signing secret, as the service shows it, got nothing, or a value that is not text; secrets[1]: expected the endpoint's signing secret, as the service shows it, got nothing, or a value that is not text. Without it no delivery can be verified.`,
      () => new Webhooks(anything({ secrets: ['', 7] })),
    ],
    [
      `secrets.a[1]: expected the endpoint's signing secret, as the service shows it, got one that is not base64 (check that the copy is complete; for plain-text secrets, use another scheme); secrets.b: expected the endpoint's signing secret, as the service shows it, got only a prefix (check that the copy is complete). Without it no delivery can be verified.`,
      () => new Webhooks(anything({ secrets: { a: [secret, 'x'], b: 'whsec_' } })),
    ],
    [
      `secret: expected at least one signing secret, got none. Without it no delivery can be verified.`,
      () => new Webhooks(anything({ secrets: [] })),
    ],
    [
      `secret: expected at least one signing secret, got none. Without it no delivery can be verified.`,
      () => new Webhooks(anything({ secrets: null })),
    ],
    [
      `tolerance: expected an integer from 1, in ms, got the number 0. Correct the options of Webhooks.`,
      () => new Webhooks(anything({ secret, tolerance: 0 })),
    ],
    [
      `tolerance: expected an integer from 1, in ms, got a string of 1 character; maxBodyBytes: expected an integer from 1, in bytes, got the number 1.5. Correct the options of Webhooks.`,
      () => new Webhooks(anything({ secret, tolerance: '1', maxBodyBytes: 1.5 })),
    ],
    [
      `secret: expected the endpoint's signing secret, as the service shows it, got one with white space inside (a line break, or two secrets). Without it no delivery can be verified.`,
      () => new Webhooks(anything({ secret: 'whsec_ MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' })),
    ],
    [
      `secret: expected the endpoint's signing secret, as the service shows it, got one that is not base64 (check that the copy is complete; for plain-text secrets, use another scheme). Without it no delivery can be verified.`,
      () => new Webhooks(anything({ secret: 'whsec_!!!' })),
    ],
    [
      `secret: expected the endpoint's signing secret, as the service shows it, got an Ed25519 key of 3 bytes instead of 32 (check that the copy is complete). Without it no delivery can be verified.`,
      () => new Webhooks(anything({ secret: 'whpk_AAAA' })),
    ],
    [
      `secret: expected the endpoint's signing secret, as the service shows it, got an Ed25519 key of 3 bytes instead of 32 or 64 (check that the copy is complete). Without it no delivery can be verified.`,
      () => new Webhooks(anything({ secret: 'whsk_AAAA' })),
    ],
    [
      `secret: expected the endpoint's signing secret, as the service shows it, got one with leading or trailing white space: copy it without. Without it no delivery can be verified.`,
      () => new Webhooks(anything({ secret: ' x', scheme: bodyHmac({ header: 'x-sig' }) })),
    ],
    [
      `secret: expected the endpoint's signing secret, as the service shows it, got one with leading or trailing white space: copy it without. Without it no delivery can be verified.`,
      () => new Webhooks(anything({ secret: 'x\n', scheme: bodyHmac({ header: 'x-sig' }) })),
    ],
    [
      `bodyHmac.header: expected the name of a header, got nothing. Correct the options of bodyHmac.`,
      () => bodyHmac(anything({})),
    ],
    [
      `bodyHmac.header: expected the name of a header, got an empty string. Correct the options of bodyHmac.`,
      () => bodyHmac(anything({ header: '' })),
    ],
    [
      `bodyHmac.header: expected the name of a header, got 'a b'. Correct the options of bodyHmac.`,
      () => bodyHmac(anything({ header: 'a b' })),
    ],
    [
      `bodyHmac.header: expected the name of a header, got the number 7. Correct the options of bodyHmac.`,
      () => bodyHmac(anything({ header: 7 })),
    ],
    [
      `bodyHmac.encoding: expected 'hex' or 'base64', got 'hexx'. Correct the options of bodyHmac.`,
      () => bodyHmac(anything({ header: 'x', encoding: 'hexx' })),
    ],
    [
      `timestampedHmac.timestampField: expected the name of a field, without blanks, = and commas, got a string of 3 characters; timestampedHmac.signatureField: expected the name of a field, without blanks, = and commas, got an empty string. Correct the options of timestampedHmac.`,
      () => timestampedHmac(anything({ header: 'x', timestampField: 'a=b', signatureField: '' })),
    ],
    [
      `timestampedHmac.timestampField: expected the name of a field, without blanks, = and commas, got the number 7. Correct the options of timestampedHmac.`,
      () => timestampedHmac(anything({ header: 'x', timestampField: 7 })),
    ],
    [
      `timestampedHmac.signatureField: expected a name other than timestampField, got the same. Correct the options of timestampedHmac.`,
      () => timestampedHmac(anything({ header: 'x', timestampField: 't', signatureField: 't' })),
    ],
    [
      `timestampedHmac.header: expected the name of a header, got nothing. Correct the options of timestampedHmac.`,
      () => timestampedHmac(anything({})),
    ],
    [
      `standardWebhooks.headerPrefix: expected the name of a header, got 'a b'. Correct the options of standardWebhooks.`,
      () => standardWebhooks(anything({ headerPrefix: 'a b' })),
    ],
    [
      `standardWebhooks.headerPrefix: expected the name of a header, got an empty string. Correct the options of standardWebhooks.`,
      () => standardWebhooks(anything({ headerPrefix: '' })),
    ],
    [
      `on: expected handlers by the type of their event, got null. No event is handled until this is right.`,
      createReceiver({ on: null }),
    ],
    [
      `on['no.such']: expected a type of event that this version knows; onEvent is for others, got another type. No event is handled until this is right.`,
      createReceiver({ on: { 'no.such': () => 1 } }),
    ],
    [
      `on['refund.fialed']: expected a type of event that this version knows; onEvent is for others, got another type (did you mean 'refund.failed'?). No event is handled until this is right.`,
      createReceiver({ on: { 'refund.fialed': () => 1 } }),
    ],
    [
      `on['charge.refunded']: expected a type of event that this version knows; onEvent is for others, got another type (did you mean 'refund.succeeded'?). No event is handled until this is right.`,
      createReceiver({ on: { 'charge.refunded': () => 1 } }),
    ],
    [
      `on['refund.failed']: expected a function, got the number 7. No event is handled until this is right.`,
      createReceiver({ on: { 'refund.failed': 7 } }),
    ],
    [
      `onEvent: expected a function, got 'x'. No event is handled until this is right.`,
      createReceiver({ onEvent: 'x' }),
    ],
    [
      `store: expected a store, such as memoryStore(), got an object. No event is handled until this is right.`,
      createReceiver({ store: {} }),
    ],
    [
      `store: expected a store, such as memoryStore(), got nothing. No event is handled until this is right.`,
      createReceiver({ store: undefined }),
    ],
    [
      `lease: expected an integer from 1 to 2147483647, in ms, got the number 0; retention: expected an integer from 1 to 3155760000000, in ms, got the number -1. No event is handled until this is right.`,
      createReceiver({ lease: 0, retention: -1 }),
    ],
    [
      `retention: expected an integer from 1 to 3155760000000, in ms, got a number. No event is handled until this is right.`,
      createReceiver({ retention: 3_155_760_000_001 }),
    ],
    [
      `lease: expected an integer from 1 to 2147483647, in ms, got the number 2147483648. No event is handled until this is right.`,
      createReceiver({ lease: 2 ** 31 }),
    ],
    [
      `lease: expected an integer from 1 to 2147483647, in ms, got a number. No event is handled until this is right.`,
      createReceiver({ lease: 1e12 }),
    ],
    [
      `lease: expected an integer from 1 to 2147483647, in ms, got a number. No event is handled until this is right.`,
      createReceiver({ lease: -1e11 }),
    ],
    [
      `lease: expected an integer from 1 to 2147483647, in ms, got the number NaN. No event is handled until this is right.`,
      createReceiver({ lease: Number.NaN }),
    ],
    [
      `lease: expected an integer from 1 to 2147483647, in ms, got true; retention: expected an integer from 1 to 3155760000000, in ms, got an array of 0. No event is handled until this is right.`,
      createReceiver({ lease: true, retention: [] }),
    ],
    [
      `store: expected a store, such as memoryStore(), got a function. No event is handled until this is right.`,
      createReceiver({ store: memoryStore }),
    ],
    [
      `memoryStore: expected an object, got the number 7. Correct the options of memoryStore.`,
      () => memoryStore(anything(7)),
    ],
    [
      `memoryStore.maxEntries: expected an integer from 1 to 10000000, got the number 0. Correct the options of memoryStore.`,
      () => memoryStore(anything({ maxEntries: 0 })),
    ],
    [
      `memoryStore.now: expected a function, got the number 7. Correct the options of memoryStore.`,
      () => memoryStore(anything({ now: 7 })),
    ],
    [
      `memoryStore.size: expected one of maxEntries, maxOperations, logger, now, got an unknown option. Correct the options of memoryStore.`,
      () => memoryStore(anything({ size: 7 })),
    ],
    [
      `memoryStore.maxEntrys: expected a known name, got an unknown option (did you mean 'maxEntries'?). Correct the options of memoryStore.`,
      () => memoryStore(anything({ maxEntrys: 7 })),
    ],
    [
      `redisStore.prefx: expected a known name, got an unknown option (did you mean 'prefix'?). Correct the options of redisStore.`,
      () => redisStore(anything({ sendCommand() {} }), anything({ prefx: 'a' })),
    ],
    [
      `postgresStore.tabel: expected a known name, got an unknown option (did you mean 'table'?). Correct the options of postgresStore.`,
      () => postgresStore(anything({ query() {} }), anything({ tabel: 'a' })),
    ],
    [
      `livemod: expected a known name, got an unknown option (did you mean 'livemode'?). Correct the options of Webhooks.`,
      () => new Webhooks(anything({ secret, livemod: true })),
    ],
    [
      `livemode: expected true or false, got 'true'. Correct the options of Webhooks.`,
      () => new Webhooks(anything({ secret, livemode: 'true' })),
    ],
    [
      `sign.timestmp: expected a known name, got an unknown option (did you mean 'timestamp'?). Nothing was signed.`,
      () => webhooks.sign('{}', anything({ timestmp: 1 })),
    ],
    [
      `sign.body: expected a string or bytes, got an object. Nothing was signed.`,
      () => webhooks.sign(anything({ id: 'evt_1' })),
    ],
    [
      `standardWebhooks.headerPrefx: expected a known name, got an unknown option (did you mean 'headerPrefix'?). Correct the options of standardWebhooks.`,
      () => standardWebhooks(anything({ headerPrefx: 'acme' })),
    ],
    [
      `timestampedHmac.nonse: expected a known name, got an unknown option (did you mean 'nonce'?). Correct the options of timestampedHmac.`,
      () => timestampedHmac(anything({ header: 'x', nonse: true })),
    ],
    [
      `bodyHmac.encodng: expected a known name, got an unknown option (did you mean 'encoding'?). Correct the options of bodyHmac.`,
      () => bodyHmac(anything({ header: 'x', encodng: 'base64' })),
    ],
    [
      `onEror: expected a known name, got an unknown option (did you mean 'onError'?). No event is handled until this is right.`,
      createReceiver({ onEror: () => 1 }),
    ],
    [
      `onError: expected a function, got an array of 0. No event is handled until this is right.`,
      createReceiver({ onError: [] }),
    ],
    [
      `consumer: expected 1 to 64 letters, digits, dots, hyphens and underscores, got a string of 3 characters. No event is handled until this is right.`,
      createReceiver({ consumer: 'a/b' }),
    ],
    [
      `now(): expected ms since 1970, got the number NaN. Nothing was verified or signed.`,
      () => new Webhooks({ secret, now: () => Number.NaN }).verify('{}', {}),
    ],
    [
      `now(): expected ms since 1970, got an object. Nothing was verified or signed.`,
      () => new Webhooks({ secret, now: () => anything({}) }).verifySync('{}', {}),
    ],
    [
      `now(): expected ms since 1970, got nothing. Nothing was verified or signed.`,
      () => new Webhooks({ secret, now: () => anything(undefined) }).sign('{}'),
    ],
    [
      `secrets(): expected secrets of the delivery, got a number. Without it no delivery can be verified.`,
      () => new Webhooks({ secrets: () => anything(7) }).verify('{}', {}),
    ],
    [
      `secrets.a: expected the endpoint's signing secret, as the service shows it, got nothing, or a value that is not text. Without it no delivery can be verified.`,
      () => new Webhooks({ secrets: async () => ({ a: '' }) }).verify('{}', {}),
    ],
    [
      `sign.secret: expected a signing secret, since secrets is a function, got none. Nothing was signed.`,
      () => new Webhooks({ secrets: () => secret }).sign('{}'),
    ],
    [
      `verifySync: expected synchronous cryptography, got a promise of secrets, or a runtime or scheme without it. Use await verify() here.`,
      async () => new Webhooks({ secrets: async () => secret }).verifySync('{}', {}),
    ],
    [
      `on: expected handlers by the type of their event, or onEvent, got nothing; store: expected a store, such as memoryStore(), got nothing. No event is handled until this is right.`,
      () => webhooks.receiver(anything(undefined)),
    ],
    [
      `claim.key: expected 1 to 512 characters of well-formed Unicode without NUL, got an empty string. Nothing was recorded: pass the id of the event as the key.`,
      () => store.claim('', 1),
    ],
    [
      `claim.key: expected 1 to 512 characters of well-formed Unicode without NUL, got a string of 2 characters; claim.lease: expected an integer from 1 to 3155760000000, in ms, got the number 0. Nothing was recorded: pass the id of the event as the key.`,
      () => store.claim('a\0', 0),
    ],
    [
      `claim.key: expected 1 to 512 characters of well-formed Unicode without NUL, got a number; claim.lease: expected an integer from 1 to 3155760000000, in ms, got 'x'. Nothing was recorded: pass the id of the event as the key.`,
      () => store.claim(anything(7), anything('x')),
    ],
    [
      `complete.token: expected 1 to 512 characters of well-formed Unicode without NUL, got an empty string; complete.retention: expected an integer from 1 to 3155760000000, in ms, got the number 0. Nothing was recorded: pass the id of the event as the key.`,
      () => store.complete('a', '', 0),
    ],
    [
      `release.key: expected 1 to 512 characters of well-formed Unicode without NUL, got an empty string; release.token: expected 1 to 512 characters of well-formed Unicode without NUL, got null. Nothing was recorded: pass the id of the event as the key.`,
      () => store.release('', anything(null)),
    ],
    [
      `client: expected nothing, since this store has no transactions, got an object. Nothing was recorded: omit the client, or use postgresStore.`,
      () => store.claim('a', 1, { client: anything({}) }),
    ],
    [
      `claim.key: expected 1 to 512 characters of well-formed Unicode without NUL, got a string of 513 characters; claim.lease: expected an integer from 1 to 3155760000000, in ms, got a number. Nothing was recorded: pass the id of the event as the key.`,
      () => store.claim('x'.repeat(513), 4e12),
    ],
    [
      `postgresStore.pool: expected an object with query(text, values), got an object. Pass a Pool or a Client of pg, or a PGlite.`,
      () => postgresStore(anything({})),
    ],
    [
      `redisStore.client: expected a client with eval, and isOpen or status, got an object. Pass a client of the package redis (createClient, createCluster) or of ioredis.`,
      () => redisStore(anything({})),
    ],
    [
      `postgresStore.table: expected a name of letters, digits and _ (at most 52), or schema.name, got 'a b'. Use the same name as your migration; names are quoted, so they are case-sensitive.`,
      () => postgresStore({ query: async () => ({ rows: [] }) }, { table: 'a b' }),
    ],
    [
      `postgresStore.table: expected a name of letters, digits and _ (at most 52), or schema.name, got a string of 3 characters. Use the same name as your migration; names are quoted, so they are case-sensitive.`,
      () => postgresStore(anything({ query() {} }), anything({ table: 'a;b' })),
    ],
    [
      `redisStore.client: expected a client with eval, and isOpen or status, got null. Pass a client of the package redis (createClient, createCluster) or of ioredis.`,
      () => redisStore(anything(null)),
    ],
    [
      `redisStore.prefix: expected well-formed Unicode without NUL, got the number 7. Correct the options of redisStore.`,
      () => redisStore(anything({ sendCommand() {} }), anything({ prefix: 7 })),
    ],
    [
      `secret: expected a signing secret, got an empty one. Nothing was verified or signed.`,
      () => webhooks.sign('x', { secret: '' }),
    ],
    [
      `secret: expected a signing secret, got one with leading or trailing white space: copy it without. Nothing was verified or signed.`,
      () => new Webhooks({ secret, scheme: bodyHmac({ header: 'x-sig' }) }).sign('x', { secret: ' x' }),
    ],
    [
      `secret: expected a secret that can sign, whsec_ or whsk_, got a public key (whpk_…), which only verifies. Nothing was verified or signed.`,
      () => webhooks.sign('x', { secret: `whpk_${btoa('x'.repeat(32))}` }),
    ],
    [
      `id: expected the id of a delivery, got an empty string. Nothing was signed.`,
      () => webhooks.sign('x', anything({ id: '' })),
    ],
  ])('%s', async (message, start) => {
    expect(await failureOf(Promise.resolve().then(start), ConfigurationError)).toMatchObject({ message });
  });
});

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
      'too_new',
      `webhooks: expected a timestamp within 300 s of now, got one 400 s in the future, with a valid signature. This machine's clock is slow, or a test moved the clock of its sandbox: check the clock, or pass now: () => sandbox.clock.now() to Webhooks.`,
      async () => webhooks.verify('{}', await webhooks.sign('{}', { timestamp: now + 400_000 } as never)),
    ],
  ])('%s, %s', async (reason, message, start) => {
    const error = await failureOf(start(), WebhookVerificationError);
    expect(error).toMatchObject({ reason, message });
  });
});
