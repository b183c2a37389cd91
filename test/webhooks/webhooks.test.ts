/** `new Webhooks(…)`: secrets, rotation, raw bodies, and errors. `error-messages.test.ts` has each message. */

import { inspect } from 'node:util';
import { PaymentsError, WebhookVerificationError } from 'payments-client';
import type { SignatureScheme } from 'payments-client/webhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { delivery, eventOf, otherSecret, secret, webhooksAt } from '../support/deliveries.ts';

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

  it('counts a body that is text in bytes of UTF-8', async () => {
    const body = JSON.stringify({ id: 'evt_1', type: 'account.updated', note: '€'.repeat(12) });
    const webhooks = webhooksAt({ maxBodyBytes: Buffer.byteLength(body) - 1 });
    for (const sent of [body, Buffer.from(body)]) {
      await expect(webhooks.verify(sent, {})).rejects.toMatchObject({ reason: 'invalid_payload' });
    }
    const roomy = webhooksAt({ maxBodyBytes: Buffer.byteLength(body) });
    for (const sent of [body, Buffer.from(body)]) {
      expect(await roomy.verify(sent, await roomy.sign(body))).toMatchObject({ id: 'evt_1' });
    }
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

  it('are not printed', () => {
    expect(inspect(webhooksAt(), { depth: 9, showHidden: true })).not.toContain(secret.slice(8));
    expect(JSON.stringify(webhooksAt())).toBe('{}');
  });
});

describe('schemes', () => {
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
