/** `new Webhooks(…)`: secrets, rotation, scopes, raw bodies, and errors. */

import { inspect } from 'node:util';
import { ConfigurationError, PaymentsError, WebhookVerificationError } from 'payments-client';
import {
  bodyHmac,
  type SignatureScheme,
  standardWebhooks,
  timestampedHmac,
  Webhooks,
} from 'payments-client/webhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { delivery, eventOf, now, otherSecret, secret, webhooksAt } from '../support/deliveries.ts';

const event = eventOf('refund.failed');
const minute = 60_000;

describe('verify', () => {
  it('returns the event from text, bytes and an ArrayBuffer', async () => {
    const { body, headers } = await delivery(event);
    const bytes = new TextEncoder().encode(body);
    for (const raw of [body, bytes, Buffer.from(body), bytes.buffer]) {
      expect(await webhooksAt().verify(raw, headers)).toEqual(event);
      expect(webhooksAt().verifySync(raw, headers)).toEqual(event);
    }
  });

  it('reads headers of every form', async () => {
    const { body, headers } = await delivery(event);
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    );
    const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
    for (const form of [headers, upper, lists, new Headers(headers)]) {
      expect(await webhooksAt().verify(body, form)).toEqual(event);
    }
  });

  it('joins the signatures of two headers', async () => {
    const { body, headers } = await delivery(event);
    const name = 'webhook-signature';
    const twice = { ...headers, [name]: ['v1,AAAA', String(headers[name])] };
    expect(await webhooksAt().verify(body, twice)).toEqual(event);
  });

  it.each([
    [
      'an object, which a parser made',
      { id: 'evt_1' },
      /expected the raw body, a string or bytes, got an object\. A body parser/,
    ],
    ['nothing', undefined, /got nothing\. A body parser has read it\. Pass the bytes as received/],
    ['null', null, /got null/],
  ])('explains that the body is %s', async (_name, body, message) => {
    const { headers } = await delivery(event);
    // As an untyped program would.
    const verify = webhooksAt().verify.bind(webhooksAt()) as (
      body: unknown,
      headers: object,
    ) => Promise<unknown>;
    await expect(verify(body, headers)).rejects.toMatchObject({
      reason: 'invalid_payload',
      message: expect.stringMatching(message),
    });
  });

  it.each([
    ['', /expected JSON in UTF-8, got an empty body/],
    ['{"id":', /expected JSON in UTF-8, got something else/],
    [new Uint8Array([0x22, 0xff, 0x22]), /expected JSON in UTF-8/],
  ])('refuses a signed body that is not JSON (%j)', async (body, message) => {
    const webhooks = webhooksAt();
    await expect(webhooks.verify(body, await webhooks.sign(body))).rejects.toMatchObject({
      reason: 'invalid_payload',
      message: expect.stringMatching(message),
    });
  });

  it('refuses a body above its limit before verifying it', async () => {
    const { body } = await delivery(event);
    const webhooks = webhooksAt({ maxBodyBytes: body.length - 1 });
    await expect(webhooks.verify(body, {})).rejects.toMatchObject({
      reason: 'invalid_payload',
      message: expect.stringContaining(`expected a body of at most ${body.length - 1} bytes`),
    });
    expect(await webhooksAt({ maxBodyBytes: body.length }).verify(body, await webhooks.sign(body))).toEqual(
      event,
    );
  });

  it('counts a body that is text in bytes of UTF-8', async () => {
    const body = JSON.stringify({ id: 'evt_1', type: 'account.updated', note: '€'.repeat(12) });
    const webhooks = webhooksAt({ maxBodyBytes: Buffer.byteLength(body) - 1 });
    for (const sent of [body, Buffer.from(body)]) {
      await expect(webhooks.verify(sent, {})).rejects.toMatchObject({ reason: 'invalid_payload' });
    }
    const roomy = webhooksAt({ maxBodyBytes: Buffer.byteLength(body) });
    expect(await roomy.verify(body, await roomy.sign(body))).toMatchObject({ id: 'evt_1' });
  });

  it.each([
    [-5 * minute, undefined],
    [-5 * minute - 1000, 'too_old'],
    [5 * minute, undefined],
    [5 * minute + 1000, 'too_new'],
  ])('of a delivery sent %i ms from now: %s', async (offset, reason) => {
    const webhooks = webhooksAt();
    const body = JSON.stringify(event);
    const headers = await webhooks.sign(body, { timestamp: now + offset });
    const got = await webhooks.verify(body, headers).then(
      () => undefined,
      (error: unknown) => error instanceof WebhookVerificationError && error.reason,
    );
    expect(got).toBe(reason);
  });

  it('uses the configured tolerance', async () => {
    const webhooks = webhooksAt({ tolerance: 1000 });
    const body = JSON.stringify(event);
    const headers = await webhooks.sign(body, { timestamp: now - 2000 });
    await expect(webhooks.verify(body, headers)).rejects.toMatchObject({ reason: 'too_old' });
  });
});

describe('secrets', () => {
  it('are all valid during a rotation', async () => {
    const rotating = webhooksAt({ secrets: [otherSecret, secret] });
    for (const from of [secret, otherSecret]) {
      const { body, headers } = await delivery(event, webhooksAt({ secret: from }));
      expect(await rotating.verify(body, headers)).toEqual(event);
      expect(rotating.verifySync(body, headers)).toEqual(event);
    }
  });

  it('of another endpoint may look like a changed body, so the message names both causes', async () => {
    const { body, headers } = await delivery(event);
    await expect(webhooksAt({ secret: otherSecret }).verify(body, headers)).rejects.toMatchObject({
      reason: 'no_match',
      message: expect.stringMatching(
        /expected a signature made with the secret, got no match\. The secret belongs to another endpoint, or the body was changed/,
      ),
    });
    await expect(webhooksAt({ secrets: [otherSecret, otherSecret] }).verify(body, headers)).rejects.toThrow(
      /one of the 2 secrets/,
    );
  });

  it.each([
    ['none', {}, /^secret: expected at least one signing secret, got none/],
    ['a variable that is not set', { secret: undefined }, /^secret: expected at least one signing secret/],
    ['an empty string', { secret: '' }, /^secret: expected the endpoint's signing secret/],
    ['not a string', { secret: 5 }, /^secret: expected the endpoint's signing secret/],
    ['an empty list', { secrets: [] }, /^secret: expected at least one/],
    ['a list with an undefined secret', { secrets: [secret, undefined] }, /^secrets\[1\]: expected/],
    ['an empty scope', { secrets: { platform: secret, connected: '' } }, /^secrets\.connected: expected/],
    ['both', { secret, secrets: [secret] }, /expected either secret or secrets, got both/],
    ['white space', { secret: `${secret}\n` }, /^secret: expected/],
    ['an API key', { secret: 'sk_v1_test_1234567890' }, /^secret: expected/],
  ])('that are wrong (%s) are refused immediately, and not quoted', (_name, options, message) => {
    const make = () => new Webhooks(options as never);
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(message);
    expect(make).not.toThrow(/MfKQ9|1234567890/);
  });

  it('are not printed', () => {
    expect(inspect(webhooksAt(), { depth: 9, showHidden: true })).not.toContain(secret.slice(8));
    expect(JSON.stringify(webhooksAt())).toBe('{}');
  });

  it.each([{ tolerance: 0 }, { tolerance: Number.NaN }, { maxBodyBytes: 1.5 }])(
    'are rejected with %j',
    (options) => {
      expect(() => webhooksAt(options)).toThrow(ConfigurationError);
    },
  );
});

describe('schemes', () => {
  const text = 'a random secret of the service';

  it.each([
    ['standardWebhooks', standardWebhooks(), secret],
    ['timestampedHmac', timestampedHmac({ header: 'x-signature' }), text],
    ['bodyHmac', bodyHmac({ header: 'x-signature' }), text],
  ])('%s verifies its own signatures', async (_name, scheme, own) => {
    const webhooks = webhooksAt({ scheme, secret: own });
    const { body, headers } = await delivery(event, webhooks);
    expect(await webhooks.verify(body, headers)).toEqual(event);
    await expect(webhooks.verify(`${body} `, headers)).rejects.toMatchObject({ reason: 'no_match' });
    await expect(webhooks.verify(body, {})).rejects.toMatchObject({ reason: 'missing_header' });
  });

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

  it('that are asynchronous leave no unhandled rejection in verifySync', async () => {
    const unhandled: unknown[] = [];
    const recordUnhandled = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', recordUnhandled);
    onTestFinished(() => void process.off('unhandledRejection', recordUnhandled));
    const webhooks = webhooksAt({ scheme: own, secret: 'first key' });
    for (const key of ['first key', 'third key']) {
      expect(() => webhooks.verifySync('{}', { 'x-key': key })).toThrow(
        'verifySync: expected synchronous cryptography, got a runtime or scheme without it. Use await verify() here.',
      );
    }
    // An unhandled rejection is reported before the next turn of the event loop.
    await new Promise(setImmediate);
    expect(unhandled).toEqual([]);
  });
});

describe('a WebhookVerificationError', () => {
  it('is an error of this package with a reason', async () => {
    const error: unknown = await webhooksAt()
      .verify('{}', {})
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(PaymentsError);
    expect(error).toBeInstanceOf(WebhookVerificationError);
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: 'WebhookVerificationError',
      code: 'WEBHOOK_MISSING_HEADER',
      reason: 'missing_header',
      retryable: false,
      outcome: 'not_executed',
      message: expect.stringMatching(/^webhooks: /),
    });
  });
});
