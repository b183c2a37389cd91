/** `verify` and `sign`: forms of a delivery, rotation, schemes of one's own, and refusals. */

import { inspect } from 'node:util';
import { runInNewContext } from 'node:vm';
import { PaymentsError, WebhookVerificationError } from 'payments-client';
import {
  bodyHmac,
  type SignatureScheme,
  timestampedHmac,
  type WebhooksOptions,
} from 'payments-client/webhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { anything } from '../support/anything.ts';
import { delivery, eventOf, now, otherSecret, secret, webhooksAt } from '../support/deliveries.ts';
import { failureOf } from '../support/failure.ts';

const event = eventOf('refund.failed');

describe('verify', () => {
  it('returns the event from text, bytes and an ArrayBuffer', async () => {
    const { body, headers } = await delivery(event);
    const bytes = new TextEncoder().encode(body);
    for (const raw of [body, bytes, Buffer.from(body), bytes.buffer]) {
      expect(await webhooksAt().verify(raw, headers)).toEqual(event);
      expect(webhooksAt().verifySync(raw, headers)).toEqual(event);
    }
  });

  it('drops a byte order mark after verification', async () => {
    const webhooks = webhooksAt();
    const marked = `\ufeff${JSON.stringify(event)}`;
    for (const body of [marked, Buffer.from(marked)]) {
      expect(await webhooks.verify(body, await webhooks.sign(body))).toEqual(event);
    }
  });

  it('reads headers of every form, and joins the signatures of two headers', async () => {
    const { body, headers } = await delivery(event);
    const mapped = (change: (name: string, value: string) => [string, unknown]) =>
      Object.fromEntries(Object.entries(headers).map(([name, value]) => change(name, value)));
    const forms = [
      headers,
      new Headers(headers),
      mapped((name, value) => [name.toUpperCase(), value]),
      mapped((name, value) => [name, [value]]),
      { ...headers, 'webhook-signature': ['v1,AAAA', headers['webhook-signature']] },
      { get: (name: string) => headers[name] ?? null },
    ];
    for (const form of forms) expect(await webhooksAt().verify(body, anything(form))).toEqual(event);
  });

  it('counts a body that is text in bytes of UTF-8', async () => {
    const body = JSON.stringify({ id: 'evt_1', type: 'account.updated', note: '€'.repeat(12) });
    const bytes = Buffer.byteLength(body);
    for (const sent of [body, Buffer.from(body)]) {
      const tooLarge = webhooksAt({ maxBodyBytes: bytes - 1 }).verify(sent, {});
      await expect(tooLarge).rejects.toThrow(`at most ${bytes - 1} bytes (maxBodyBytes), got more`);
      const roomy = webhooksAt({ maxBodyBytes: bytes });
      expect(await roomy.verify(sent, await roomy.sign(body))).toMatchObject({ id: 'evt_1' });
    }
  });

  it('accepts 1 MiB and 5 minutes, and not more, unless it is told otherwise', async () => {
    const webhooks = webhooksAt();
    const sized = (bytes: number) => JSON.stringify(event).padEnd(bytes);
    const sign = (body: string, age = 0) => webhooks.sign(body, { timestamp: now - age });
    const largest = sized(1_048_576);
    expect(await webhooks.verify(largest, await sign(largest, 300_000))).toEqual(event);
    await expect(webhooks.verify(sized(1_048_577), {})).rejects.toMatchObject({ reason: 'invalid_payload' });
    const old = webhooks.verify(largest, await sign(largest, 301_000));
    await expect(old).rejects.toMatchObject({ reason: 'too_old' });
  });

  it('returns differences from the interface as issues, which JSON does not contain, or throws them', async () => {
    const drifted = { ...event, created: 1_790_000_000, livemode: 'false' };
    const { body, headers } = await delivery(drifted);
    const webhooks = webhooksAt();
    for (const one of [await webhooks.verify(body, headers), webhooks.verifySync(body, headers)]) {
      expect(one.issues.map(({ path }) => path)).toEqual(['created', 'livemode']);
      expect(one).toEqual(drifted);
      expect({ ...one }).not.toHaveProperty('issues');
    }
    const strict = webhooksAt({ validation: 'throw' });
    await expect(strict.verify(body, headers)).rejects.toThrow(/created: .+It was not handled: update/);
    expect(() => strict.verifySync(body, headers)).toThrow(/created: .+It was not handled: update/);
    expect((await webhooksAt({ validation: 'off' }).verify(body, headers)).issues).toEqual([]);
  });
});

describe('secrets', () => {
  it('are all valid during a rotation, by list and by scope', async () => {
    for (const secrets of [[otherSecret, secret], { a: [otherSecret], b: [otherSecret, secret] }]) {
      const rotating = webhooksAt({ secrets });
      for (const from of [secret, otherSecret]) {
        const { body, headers } = await delivery(event, webhooksAt({ secret: from }));
        expect(await rotating.verify(body, headers)).toEqual(event);
        expect(rotating.verifySync(body, headers)).toEqual(event);
      }
    }
  });

  it('sign with the first of them, or with a given one', async () => {
    const webhooks = webhooksAt({ secrets: { a: [otherSecret, secret] } });
    const { body, headers } = await delivery(event, webhooks);
    expect(await webhooksAt({ secret: otherSecret }).verify(body, headers)).toEqual(event);
    const given = await webhooks.sign(body, { secret });
    expect(await webhooksAt().verify(body, given)).toEqual(event);
    // Each delivery has an id of its own, unless it is given.
    expect(given['webhook-id']).not.toBe(headers['webhook-id']);
    expect(await webhooks.sign(body, { id: 'msg_1' })).toMatchObject({ 'webhook-id': 'msg_1' });
  });

  it('are not printed', () => {
    expect(inspect(webhooksAt(), { depth: 9, showHidden: true })).not.toContain(secret.slice(8));
    expect(JSON.stringify(webhooksAt())).toBe('{}');
  });
});

describe('schemes', () => {
  type VerifyInput = Parameters<SignatureScheme['verify']>[0];
  /** Returns a promise of another realm, which is no instance of `Promise` here, as those of other libraries are not. */
  const elsewhere: (result: unknown) => Promise<boolean> = runInNewContext('async (result) => result');
  /** Signs with the secret itself, for this test only. */
  const own: SignatureScheme = {
    verify: async ({ header, secret: key }) => header('x-key') === key,
    sign: ({ secret: key }) => ({ 'x-key': key }),
    checkSecret: (key) => (key.length < 4 ? 'a short one' : undefined),
  };

  it('may be custom and asynchronous', async () => {
    const webhooks = webhooksAt({ scheme: own, secrets: ['first key', 'second key'] });
    const body = JSON.stringify(event);
    expect(await webhooks.verify(body, { 'x-key': 'second key' })).toEqual(event);
    await expect(webhooks.verify(body, { 'x-key': 'third key' })).rejects.toMatchObject({
      reason: 'no_match',
    });
    expect(() => webhooksAt({ scheme: own, secret: 'key' })).toThrow('got a short one');
  });

  it('may return any thenable, and what it resolves to counts', async () => {
    const later = { ...own, verify: (input: VerifyInput) => elsewhere(own.verify(input)) };
    const webhooks = webhooksAt({ scheme: later, secret: 'first key' });
    const body = JSON.stringify(event);
    expect(await webhooks.verify(body, { 'x-key': 'first key' })).toEqual(event);
    const forged = webhooks.verify(body, { 'x-key': 'third key' });
    await expect(forged).rejects.toMatchObject({ reason: 'no_match' });
    expect(() => webhooks.verifySync(body, { 'x-key': 'third key' })).toThrow(/^verifySync: /);
  });

  it('that are asynchronous leave no unhandled rejection in verifySync', async () => {
    const unhandled: unknown[] = [];
    const recordUnhandled = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', recordUnhandled);
    onTestFinished(() => void process.off('unhandledRejection', recordUnhandled));
    const webhooks = webhooksAt({ scheme: own, secret: 'first key' });
    for (const key of ['first key', 'third key']) {
      expect(() => webhooks.verifySync('{}', { 'x-key': key })).toThrow(
        /^verifySync: .+got a runtime or scheme without it\. Use await verify\(\) here\./,
      );
    }
    // An unhandled rejection is reported before the next turn of the event loop.
    await new Promise(setImmediate);
    expect(unhandled).toEqual([]);
  });
});

describe('a refusal', () => {
  const id = 'webhook-id';
  const signature = 'webhook-signature';
  const valid = { [id]: 'x', 'webhook-timestamp': '1', [signature]: 'v1,eA==' };
  const wrongTime = { ...valid, 'webhook-timestamp': 'z' };
  const ofBody = (encoding?: 'base64') => ({ scheme: bodyHmac({ header: 'x', encoding }) });
  const timestamped = (nonce: boolean) => ({ scheme: timestampedHmac({ header: 'x', nonce }) });
  const strict = { tolerance: 1000, now: () => now + 1001 };
  /** Returns valid headers of a body. */
  const sign = (body: string, age = 0) => webhooksAt().sign(body, { timestamp: now - age });

  type Row = [reason: string, got: RegExp, body: unknown, headers: unknown, Partial<WebhooksOptions>?];
  it.each<Row>([
    ['invalid_payload', /a string or bytes, got an object\. A body parser has read it/, {}, {}],
    ['invalid_payload', /a string or bytes, got nothing\. A body parser has read it/, undefined, {}],
    // The whole request in place of its body.
    ['invalid_payload', /got an object\. Pass the raw body and the headers as two/, { headers: {} }, {}],
    ['invalid_payload', /at most 3 bytes.+, got more\. Raise/, '12345', {}, { maxBodyBytes: 3 }],
    ['missing_header', /webhook-id, got none\. The sender is not the service, it uses/, '', {}],
    ['missing_header', /webhook-id, got none/, '', { [id]: 7 }],
    ['missing_header', /request's headers, got null\. Pass request\.headers/, '', null],
    ['missing_header', /request's headers, got a string of 3 characters\. Pass/, '{}', 'v1,'],
    ['missing_header', /request's headers, got nothing\. Pass/, '{}', undefined],
    ['malformed_header', /webhook-id: expected a value, got an empty one\. Check/, '{}', { [id]: '' }],
    ['malformed_header', /timestamp: .+15 digits, got a text of 1 character\. Check/, '{}', wrongTime],
    ['malformed_header', /signature: .+got none in that form/, '{}', { ...valid, [signature]: 'zz' }],
    ['malformed_header', /id: .+8192 characters, got 9000/, '{}', { ...valid, [id]: 'x'.repeat(9000) }],
    ['malformed_header', /v1,… at most 16 times/, '{}', { ...valid, [signature]: 'v1,x '.repeat(17) }],
    ['malformed_header', /x: expected 64 hex digits, after sha256=/, '{}', { x: 'sha512=00' }, ofBody()],
    ['malformed_header', /x: expected the base64 of 32 bytes, after/, '{}', { x: '0' }, ofBody('base64')],
    ['malformed_header', /x: expected a field t=…, got none/, '{}', { x: 'v1=00' }, timestamped(false)],
    ['malformed_header', /x: expected a field t=…, got none/, '{}', { x: 'v1=00' }, timestamped(true)],
    ['no_match', /the secret, got no match\. .+another endpoint, or the body was changed/, '{}', valid],
    ['no_match', /one of the 2 secrets, got no match/, '{}', valid, { secrets: [secret, otherSecret] }],
    ['no_match', /secrets\(\) to return a secret/, '', {}, { secrets: () => undefined }],
    ['invalid_payload', /JSON in UTF-8, got something else\. Check/, '{', sign('{')],
    ['invalid_payload', /JSON in UTF-8, got an empty body/, '', sign('')],
    ['invalid_payload', /'id' of at most 255 .+got something else\. .+which program/, '[]', sign('[]')],
    ['invalid_payload', /'id' of at most 255 .+got another object/, '{"id":"x"}', sign('{"id":"x"}')],
    ['too_old', /300 s of now, got one 400 s old.+before you raise/, '{}', sign('{}', 400_000)],
    ['too_old', /within 1 s of now, got one 2 s old/, '{}', sign('{}'), strict],
    ['too_new', /one 400 s in the future.+sandbox\.clock\.now\(\)/, '{}', sign('{}', -400_000)],
  ])('%s says what came and what to do: %s', async (reason, message, body, headers, settings) => {
    const verifying = webhooksAt(settings).verify(anything(body), anything(await headers));
    const error = await failureOf(verifying, WebhookVerificationError);
    expect(error).toMatchObject({
      reason,
      code: `WEBHOOK_${reason.toUpperCase()}`,
      outcome: 'not_an_operation',
    });
    expect(error.message).toMatch(/^webhooks: /);
    expect(error.message).toMatch(message);
  });

  it('is an error of this package, as data too', async () => {
    const error = await failureOf(webhooksAt().verify('{}', {}), WebhookVerificationError);
    expect(error).toBeInstanceOf(PaymentsError);
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      paymentsError: 1,
      name: 'WebhookVerificationError',
      code: 'WEBHOOK_MISSING_HEADER',
      reason: 'missing_header',
      retryable: false,
      outcome: 'not_an_operation',
      message: error.message,
    });
  });

  it.each([
    [{}, 'no_match', 'WEBHOOK_NO_MATCH'],
    [{ reason: 'too_old' }, 'too_old', 'WEBHOOK_TOO_OLD'],
    [{ reason: 'too_new', code: 'MINE' }, 'too_new', 'MINE'],
  ] as const)('of a scheme of your own has a reason and a code: %j', (fields, reason, code) => {
    expect(new WebhookVerificationError('expected another', fields)).toMatchObject({ reason, code });
  });
});
