/** Secrets that are looked up for each delivery; `suite.ts` has what a lookup gets on each server. */

import { connect, createServer as createServer2 } from 'node:http2';
import { memoryStore } from 'payments-client/stores';
import { timestampedHmac, Webhooks, type WebhooksOptions } from 'payments-client/webhooks';
import { describe, expect, it } from 'vitest';
import { delivery, eventOf, otherSecret, secret, webhooksAt } from '../../support/deliveries.ts';
import { listen } from './running.ts';

const failed = eventOf('refund.failed');

type SecretLookup = Extract<WebhooksOptions['secrets'], (...given: never[]) => unknown>;

function receiverOf(secrets: SecretLookup) {
  const scopes: (string | undefined)[] = [];
  const failures: unknown[] = [];
  const receiver = webhooksAt({ secrets }).receiver({
    store: memoryStore(),
    on: { 'refund.failed': (_event, { scope }) => scopes.push(scope) },
    onError: ({ error }) => failures.push(error),
  });
  return { receiver, scopes, failures };
}

describe('a lookup', () => {
  it.each<[what: string, lookup: SecretLookup, response: string, scope?: string]>([
    ['one secret', () => secret, '200 handled'],
    ['several, of which one rotates out', () => [otherSecret, secret], '200 handled'],
    ['secrets by scope', () => ({ platform: otherSecret, connected: [secret] }), '200 handled', 'connected'],
    // oxlint-disable-next-line unicorn/no-thenable -- a query builder is one
    ['a thenable', () => ({ then: (next) => Promise.resolve(secret).then(next) }), '200 handled'],
    ['nothing', () => undefined, '400 refused no_match'],
    ['no secrets', async () => [], '400 refused no_match'],
    ['no scopes', () => ({}), '400 refused no_match'],
    ['the secret of another merchant', () => ({ acct_2: otherSecret }), '400 refused no_match'],
    ['an error', () => Promise.reject(new Error('no vault')), '500 failed'],
    ['an invalid secret', () => '', '500 failed'],
  ])('may return %s', async (_what, lookup, response, scope) => {
    const { receiver, scopes, failures } = receiverOf(lookup);
    const { status, body } = await receiver.handle(await delivery(failed));
    const { outcome, reason } = JSON.parse(body);
    expect([status, outcome, reason].filter(Boolean).join(' ')).toBe(response);
    expect(scopes).toEqual(outcome === 'handled' ? [scope] : []);
    expect(failures).toHaveLength(outcome === 'handled' ? 0 : 1);
  });

  it('is asked for each delivery, so that a secret rotates at run time, and one of a time is no longer valid', async () => {
    let current = secret;
    const webhooks = webhooksAt({ secrets: () => current });
    const { body, headers } = await delivery(failed);
    expect((await webhooks.verify(body, headers)).id).toBe('evt_1');
    expect(webhooks.verifySync(body, headers).id).toBe('evt_1');
    current = otherSecret;
    await expect(webhooks.verify(body, headers)).rejects.toMatchObject({ reason: 'no_match' });
  });

  it('receives the url of verify and of handle, and the headers in any case', async () => {
    const calls: unknown[] = [];
    const secrets: SecretLookup = (headers, url) => {
      calls.push([url, headers.get('WEBHOOK-ID')]);
      return secret;
    };
    const { body, headers } = await delivery(failed);
    await webhooksAt({ secrets }).verify(body, headers, '/a');
    webhooksAt({ secrets }).verifySync(body, new Headers(headers));
    await receiverOf(secrets).receiver.handle({ body, headers, url: '/b' });
    const id = headers['webhook-id'];
    expect(calls).toEqual([
      ['/a', id],
      [undefined, id],
      ['/b', id],
    ]);
  });

  it('needs one verification for a forged delivery, however many merchants there are', async () => {
    let verifications = 0;
    const scheme = {
      verify: () => {
        verifications += 1;
        return false;
      },
      sign: () => ({}),
    };
    const all = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`acct_${index}`, secret]));
    const webhooks = webhooksAt({ scheme, secrets: (_headers, url) => all[url?.slice(1) ?? ''] });
    await expect(webhooks.verify('{}', {}, '/acct_999')).rejects.toMatchObject({ reason: 'no_match' });
    expect(verifications).toBe(1);
  });
});

describe('a delivery of another scheme is refused', () => {
  const timestamped = new Webhooks({ secret: 'x'.repeat(24), scheme: timestampedHmac({ header: 'x-sig' }) });
  const names = ['X-Signature', 'x-hub-signature-256', 'x-other', 'y-signature', 'y-hmac'];
  const many = Object.fromEntries(names.map((name) => [name, 'v1=abcdef']));
  const none = 'got none. The sender';

  it.each<[webhooks: Webhooks, headers: Record<string, string>, message: string]>([
    [
      webhooksAt(),
      many,
      // At most three.
      'webhook-id, got a delivery with x-hub-signature-256, x-signature, y-hmac. The service uses',
    ],
    [timestamped, { 'webhook-signature': 'v1,secret' }, 'x-sig, got a delivery with webhook-signature.'],
    // Its own header is there, so the scheme is right.
    [webhooksAt(), { 'webhook-signature': 'v1,x', 'x-signature': 'x' }, none],
    // A name may be an attack on the log.
    [webhooksAt(), { ['signature'.repeat(9)]: 'x' }, none],
  ])(
    'with the names of its signature headers, or the usual reason: %#',
    async (webhooks, headers, message) => {
      for (const form of [headers, new Headers(headers)]) {
        await expect(webhooks.verify('{}', form)).rejects.toThrow(message);
      }
    },
  );

  it('with the usual reason if headers cannot be listed', async () => {
    await expect(webhooksAt().verify('{}', { get: () => null })).rejects.toThrow(none);
    await expect(webhooksAt().verify('{}', { 'x signature': 'x' })).rejects.toThrow(none);
  });

  it('over HTTP/2 too', async () => {
    const { receiver, failures } = receiverOf(() => secret);
    const session = connect(await listen(createServer2(receiver.node)));
    const stream = session.request({ ':method': 'POST', ':path': '/w', 'x-signature': 'v1=00' });
    const status = new Promise((resolve) => stream.once('response', (head) => resolve(head[':status'])));
    stream.end('{}');
    expect(await status).toBe(400);
    session.destroy();
    expect(String(failures[0])).toContain('got a delivery with x-signature.');
  });
});
