/** Wrong options and arguments: each is refused before anything happens, with its place, what was expected, and the cure. */

import { ConfigurationError, WebhookVerificationError } from 'payments-client';
import { memoryStore } from 'payments-client/stores';
import {
  bodyHmac,
  standardWebhooks,
  timestampedHmac,
  Webhooks,
  WebhookVerifier,
} from 'payments-client/webhooks';
import { describe, expect, it, vi } from 'vitest';
import { anything } from '../support/anything.ts';
import { secret } from '../support/deliveries.ts';
import { failureOf } from '../support/failure.ts';

async function expectRefused(call: () => unknown, message: RegExp, cure: RegExp) {
  const error = await failureOf(Promise.resolve().then(call), ConfigurationError);
  expect(error.message).toMatch(message);
  expect(error.message).toMatch(cure);
  expect(error.outcome).toBe('not_an_operation');
  for (const one of ['hunter2', secret]) expect(error.message).not.toContain(one);
}

/** What came in place of a secret that is text. */
const noText = 'expected the endpoint.s signing secret.+, got nothing, or a value that is not text';
const none =
  /^secret: expected at least one signing secret, got nothing \(pass it, or set PAYMENTS_WEBHOOK_SECRET\)\./;
const both = /^expected either secret or secrets, got both\./;

it.each<[options: object, message: RegExp]>([
  [{}, none],
  [{ secrets: [] }, none],
  [{ secrets: null }, none],
  [{ secrets: {} }, none],
  [{ secret, secrets: [secret] }, both],
  [{ secret, secrets: () => secret }, both],
  [{ secret: 7 }, new RegExp(`^secret: ${noText}`)],
  [{ secrets: ['', 7] }, new RegExp(`^secrets\\[0]: ${noText}; secrets\\[1]: ${noText}`)],
  [{ secrets: [secret, 'whsec_hunter2'] }, /^secrets\[1]: .+not base64/],
  [{ secrets: { a: [secret, 'x'], b: 'whsec_' } }, /^secrets\.a\[1]: .+not base64.+; secrets\.b: .+only a/],
  [{ secrets: { a: secret, b: undefined } }, new RegExp(`^secrets\\.b: ${noText}`)],
])('new Webhooks: secrets %j', (options, message) =>
  expectRefused(() => new Webhooks(anything(options)), message, /Without it no delivery can be verified\.$/),
);

it.each<[found: unknown, message: RegExp]>([
  [7, /^secrets\(\): expected secrets of the delivery, got a number/],
  [{ a: '' }, new RegExp(`^secrets\\.a: ${noText}`)],
  [['hunter2'], /^secrets\[0]: .+not base64/],
])('a lookup of secrets that returns %j', async (found, message) => {
  for (const secrets of [() => anything(found), async () => anything(found)]) {
    await expectRefused(() => new Webhooks({ secrets }).verify('{}', {}), message, /Without it no delivery/);
  }
});

it.each<[options: object, message: RegExp]>([
  [{ tolerance: 0 }, /^tolerance: expected an integer from 1, in ms, got the number 0\./],
  [{ tolerance: '1', maxBodyBytes: 1.5 }, /^tolerance: .+a string.+; maxBodyBytes: .+in bytes, got .+1\.5/],
  [{ validation: 'strict' }, /^validation: expected 'warn' or 'throw' or 'off', got 'strict'/],
  [{ scheme: { verify: () => true } }, /^scheme: expected a scheme, such as standardWebhooks\(\), got/],
  [{ now: 7 }, /^now: expected a function, got the number 7/],
  [{ instrument: {} }, /^instrument: expected a function, got an object/],
  [{ livemod: true }, /^livemod: .+\(did you mean 'livemode'\?\)/],
  [{ livemode: 'true' }, /^livemode: expected true or false, got 'true'/],
])('new Webhooks: %j', (options, message) =>
  expectRefused(() => new Webhooks(anything({ secret, ...options })), message, /options of Webhooks\.$/),
);

const schemes = { bodyHmac, timestampedHmac, standardWebhooks };
type Scheme = keyof typeof schemes;
const ofHeader = ['bodyHmac', 'timestampedHmac'] as const;
const header = 'x';

it.each<[scheme: Scheme, options: object, message: RegExp]>([
  ...ofHeader.flatMap((scheme): [Scheme, object, RegExp][] => [
    [scheme, {}, /\.header: expected the name of a header, got nothing/],
    [scheme, { header: '' }, /\.header: expected the name of a header, got an empty string/],
    [scheme, { header: 'a\n' }, /\.header: expected the name of a header, got a string of 2/],
    [scheme, { header, secretEncoding: 'b32' }, /Encoding: expected 'text' or 'base64' or 'hex'/],
    [scheme, { header, allowShortSecrets: 1 }, /\.allowShortSecrets: expected true or false, got/],
  ]),
  ['bodyHmac', { header, encoding: 'hexx' }, /\.encoding: expected 'hex' or 'base64', got 'hexx'/],
  ['bodyHmac', { header, encodng: 'hex' }, /\.encodng: .+\(did you mean 'encoding'\?\)/],
  ['timestampedHmac', { header, timestampField: 'a=b' }, /\.timestampField: .+without blanks, = and commas/],
  ['timestampedHmac', { header, signatureField: '' }, /\.signatureField: .+got an empty string/],
  ['timestampedHmac', { header, signatureField: 't' }, /\.signatureField: .+other than timestampField, got/],
  ['timestampedHmac', { header, timestampField: 'v1' }, /\.signatureField: .+other than timestampField/],
  ['timestampedHmac', { header, nonse: true }, /\.nonse: .+\(did you mean 'nonce'\?\)/],
  ['standardWebhooks', { headerPrefix: 'a b' }, /\.headerPrefix: expected the name of a header, got 'a b'/],
  ['standardWebhooks', { headerPrefx: 'acme' }, /\.headerPrefx: .+\(did you mean 'headerPrefix'\?\)/],
])('%s: %j', (name, options, message) => {
  const cure = new RegExp(`^${name}\\..+Correct the options of ${name}\\.$`);
  return expectRefused(() => schemes[name](anything(options)), message, cure);
});

const store = memoryStore();
const on = {};
const events = (type: string, handler: unknown = () => 1) => ({ store, on: { [type]: handler } });
const noClaims = { ...store, claim: undefined };
const noOption = (name: string) =>
  new RegExp(`^${name}: expected new Webhooks\\({ ${name} }\\), got an option of the receiver`);

it.each<[options: object | undefined, message: RegExp]>([
  [undefined, /^on: expected handlers by the type .+, or onEvent, got nothing; store: expected a store/],
  [{ store }, /^on: expected handlers by the type of their event, or onEvent, got nothing\./],
  [{ store, on: null }, /^on: expected handlers by the type of their event, got null\./],
  [events('no.such'), /^on\['no\.such']: .+; onEvent is for others, got another type\./],
  [events('refund.fialed'), /^on\['refund\.fialed']: .+\(did you mean 'refund\.failed'\?\)/],
  // The name that other services use.
  [events('charge.refunded'), /^on\['charge\.refunded']: .+\(did you mean 'refund\.succeeded'\?\)/],
  [events('refund.failed', 7), /^on\['refund\.failed']: expected a function, got the number 7/],
  [{ store, onEvent: 'x' }, /^onEvent: expected a function, got 'x'/],
  [{ store, enqueue: 'webhooks' }, /^enqueue: expected a function, got/],
  [{ store, on, onUnreadable: 7 }, /^onUnreadable: expected a function, got the number 7/],
  [{ store, on, onError: [] }, /^onError: expected a function, got an array of 0/],
  [{ store, on, onDelivery: {} }, /^onDelivery: expected a function, got an object/],
  [{ store: noClaims, on }, /^store: expected a store, such as memoryStore\(\), got an object/],
  [{ on }, /^store: expected a store, such as memoryStore\(\), got nothing/],
  [{ store, on, lease: 0, retention: -1 }, /^lease: .+ 1 to 2147483647, in ms, got .+ 0; retention: .+-1/],
  [{ store, on, lease: 2 ** 31 }, /^lease: .+got the number 2147483648/],
  [{ store, on, retention: 3_155_760_000_001 }, /^retention: .+from 1 to 3155760000000, in ms/],
  [{ store, on, consumer: 'a/b' }, /^consumer: expected 1 to 64 letters, digits, dots, hyphens and/],
  [{ store, on, consumer: 'a'.repeat(65) }, /^consumer: expected 1 to 64 letters/],
  [{ store, on, transaction: true }, /^transaction: .+that runs another in a transaction, got true/],
  [{ store, on, transaction: () => {} }, /^store: .+with record, such as postgresStore, for 'transaction'/],
  [{ store, on, onEror: () => 1 }, /^onEror: .+\(did you mean 'onError'\?\)/],
  [{ store, on, logger: console }, noOption('logger')],
  [{ store, on, now: Date.now }, noOption('now')],
])('webhooks.receiver: %j', (options, message) =>
  expectRefused(
    () => new Webhooks({ secret }).receiver(anything(options)),
    message,
    /No event is handled until this is right\.$/,
  ),
);

it('accepts the largest values, and a receiver that only enqueues', () => {
  const webhooks = new Webhooks({ secret });
  const largest = { lease: 2 ** 31 - 1, retention: 3_155_760_000_000, consumer: `A.b_c-${'9'.repeat(58)}` };
  expect(webhooks.receiver({ store, on, ...largest }).consumer).toBe(largest.consumer);
  expect(webhooks.receiver({ store, enqueue: () => {} }).consumer).toBe('default');
});

const webhooks = new Webhooks({ secret });
const at = (time: unknown) => new Webhooks({ secret, now: () => anything(time) });
const lookup = new Webhooks({ secrets: () => secret });
const later = new Webhooks({ secrets: async () => secret });
const unsigned = /Nothing was signed\.$/;
const neither = /Nothing was verified or signed\.$/;

it.each<[call: () => unknown, message: RegExp, cure: RegExp]>([
  [() => webhooks.sign('{}', anything({ timestmp: 1 })), /^sign\.timestmp: .+'timestamp'/, unsigned],
  [() => webhooks.sign(anything({})), /^sign\.body: expected a string or bytes, got an object/, unsigned],
  [() => webhooks.sign('x', { id: '' }), /^id: expected the id of a delivery, got an empty/, unsigned],
  [() => lookup.sign('{}'), /^sign\.secret: .+since secrets is a function, got none/, unsigned],
  [() => at(Number.NaN).verify('{}', {}), /^now\(\): expected ms since 1970, got the number NaN/, neither],
  [() => at('7').verify('{}', {}), /^now\(\): expected ms since 1970, got /, neither],
  [() => at(1e20).verify('{}', {}), /^now\(\): expected ms since 1970, got /, neither],
  [() => at({}).verifySync('{}', {}), /^now\(\): expected ms since 1970, got an object/, neither],
  [() => at(undefined).sign('{}'), /^now\(\): expected ms since 1970, got nothing/, neither],
  [() => later.verifySync('{}', {}), /^verifySync: .+got a promise of secrets/, /await verify\(\) here\.$/],
])('%s', (call, message, cure) => expectRefused(call, message, cure));

it('new Webhooks: no object', async () => {
  const wrong = () => new Webhooks(anything('whsec_hunter2'));
  await expectRefused(
    wrong,
    /^options: expected an object, got a string/,
    /Write new Webhooks\(\{ secret \}\)\.$/,
  );
});

describe('without a secret, the environment', () => {
  const variable = 'PAYMENTS_WEBHOOK_SECRET';
  /** Why a delivery is refused: its payload is no event, so only a matching signature gets that far. */
  const refusalOf = async (webhooks: WebhookVerifier) => {
    const headers = await new Webhooks({ secret }).sign('{}');
    return (await failureOf(webhooks.verify('{}', headers), WebhookVerificationError)).reason;
  };

  it('has it', async () => {
    vi.stubEnv(variable, secret);
    const all = [
      new Webhooks(),
      new Webhooks({}),
      new Webhooks({ secret: undefined }),
      new WebhookVerifier(),
    ];
    expect(await Promise.all(all.map(refusalOf))).toEqual(all.map(() => 'invalid_payload'));
  });

  it('does not replace one that is given', async () => {
    vi.stubEnv(variable, 'whsec_b3RoZXItc2VjcmV0LW9mLXRoZS1lbmRwb2ludA==');
    expect(await refusalOf(new Webhooks())).toBe('no_match');
    const given = [{ secret }, { secrets: [secret] }, { secrets: () => secret }];
    const reasons = await Promise.all(given.map((one) => refusalOf(new Webhooks(one))));
    expect(reasons).toEqual(given.map(() => 'invalid_payload'));
    expect(() => new Webhooks({ secrets: [] })).toThrow(none);
  });

  it.each([undefined, ''])('is named where it has %j', (value) => {
    vi.stubEnv(variable, value);
    expect(() => new Webhooks()).toThrow(none);
  });
});
