/** Secrets looked up for each delivery, on every kind of server. */

import { connect, createServer as createServer2 } from 'node:http2';
import { memoryStore } from 'payments-client/stores';
import { timestampedHmac, Webhooks, type WebhooksOptions } from 'payments-client/webhooks';
import { describe, expect, it } from 'vitest';
import { delivery, eventOf, otherSecret, secret, webhooksAt } from '../../support/deliveries.ts';
import { listen } from './running.ts';
import { send, summary } from './send.ts';
import { servers } from './servers.ts';

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

describe.each(Object.entries(servers))('a lookup on %s', (_name, start) => {
  it('finds the secret by the path, the query and the headers', async () => {
    const calls: unknown[] = [];
    const shop = receiverOf(async (headers, url) => {
      calls.push([url, headers.get('X-Shop'), headers.get('x-none')]);
      return url?.startsWith('/hooks/acct_1') === true ? { acct_1: secret } : { acct_2: [otherSecret] };
    });
    const url = await start(shop.receiver);
    const one = await delivery(failed);
    const other = await delivery(failed, webhooksAt({ secret: otherSecret }));
    const to = (path: string, { body, headers }: typeof one) =>
      send(`${url}/hooks/${path}`, { body, headers: { ...headers, 'x-shop': 'tea' } });
    expect(summary(await to('acct_1?v=2', one))).toBe('200 handled');
    expect(summary(await to('acct_2', other))).toBe('200 handled');
    expect(summary(await to('acct_2', one))).toBe('400 refused no_match');
    expect(shop.scopes).toEqual(['acct_1', 'acct_2']);
    expect(calls).toEqual([
      ['/hooks/acct_1?v=2', 'tea', null],
      ['/hooks/acct_2', 'tea', null],
      ['/hooks/acct_2', 'tea', null],
    ]);
  });
});

describe('a lookup', () => {
  const handle = async (secrets: SecretLookup, from = secret) => {
    const { receiver, failures } = receiverOf(secrets);
    const { outcome, status } = await receiver.handle(await delivery(failed, webhooksAt({ secret: from })));
    return { response: `${status} ${outcome}`, failures };
  };

  it.each<[what: string, lookup: SecretLookup]>([
    ['one secret', () => secret],
    ['several, of which one rotates out', () => [otherSecret, secret]],
    ['secrets by scope', () => ({ platform: otherSecret, connected: [secret] })],
    // oxlint-disable-next-line unicorn/no-thenable -- a query builder is one
    ['a thenable', () => ({ then: (next) => Promise.resolve(secret).then(next) })],
  ])('may return %s', async (_what, lookup) => {
    expect((await handle(lookup)).response).toBe('200 handled');
  });

  it.each<[what: string, lookup: SecretLookup]>([
    ['nothing', () => undefined],
    ['no secrets', async () => []],
    ['no scopes', () => ({})],
  ])('that returns %s refuses the delivery', async (_what, lookup) => {
    expect(await handle(lookup)).toMatchObject({
      response: '400 refused',
      failures: [{ reason: 'no_match' }],
    });
  });

  it.each<[what: string, lookup: SecretLookup, error: object]>([
    ['throws', () => Promise.reject(new Error('no vault')), new Error('no vault')],
    [
      'hangs until its own time limit',
      // What a vault does with `{ signal }`.
      () =>
        new Promise((_, reject) => {
          const signal = AbortSignal.timeout(1);
          signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        }),
      { name: 'TimeoutError' },
    ],
    ['returns an invalid secret', () => '', { code: 'INVALID_CONFIGURATION' }],
  ])('that %s causes a redelivery', async (_what, lookup, error) => {
    expect(await handle(lookup)).toMatchObject({ response: '500 failed', failures: [error] });
  });

  it('rotates a secret at run time', async () => {
    let current = secret;
    const webhooks = webhooksAt({ secrets: () => current });
    const { body, headers } = await delivery(failed);
    expect((await webhooks.verify(body, headers)).id).toBe('evt_1');
    expect(webhooks.verifySync(body, headers).id).toBe('evt_1');
    current = otherSecret;
    await expect(webhooks.verify(body, headers)).rejects.toMatchObject({ reason: 'no_match' });
  });

  it('receives the url of verify and of handle', async () => {
    const urls: unknown[] = [];
    const secrets: SecretLookup = (_headers, url) => {
      urls.push(url);
      return secret;
    };
    const { body, headers } = await delivery(failed);
    await webhooksAt({ secrets }).verify(body, headers, '/a');
    webhooksAt({ secrets }).verifySync(body, headers);
    await receiverOf(secrets).receiver.handle({ body, headers, url: '/b' });
    expect(urls).toEqual(['/a', undefined, '/b']);
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

describe('a delivery of another scheme', () => {
  it.each([
    ['a plain object', (headers: Record<string, string>) => headers],
    ['a Headers object', (headers: Record<string, string>) => new Headers(headers)],
  ])('is refused with the name of its signature header, in %s', async (_what, form) => {
    const sent = { 'X-Signature': 'v1=abcdef', 'x-hub-signature-256': 'sha256=00', 'x-other': 'value' };
    await expect(webhooksAt().verify('{}', form(sent))).rejects.toThrow(
      'webhooks: expected the header webhook-id, got a delivery with x-hub-signature-256, x-signature. The service uses another scheme',
    );
    const timestamped = new Webhooks({
      secret: 'x'.repeat(24),
      scheme: timestampedHmac({ header: 'x-sig' }),
    });
    await expect(timestamped.verify('{}', form({ 'webhook-signature': 'v1,secret' }))).rejects.toThrow(
      'expected the header x-sig, got a delivery with webhook-signature. The service uses another scheme',
    );
  });

  it('is refused with the usual reason if its own header is present, or if headers cannot be listed', async () => {
    const missing = /^webhooks: expected the header webhook-id, got none\. The sender/;
    const own = { 'webhook-signature': 'v1,x', 'x-signature': 'x' };
    await expect(webhooksAt().verify('{}', own)).rejects.toThrow(missing);
    await expect(webhooksAt().verify('{}', { get: () => null })).rejects.toThrow(missing);
    await expect(
      webhooksAt().verify('{}', { 'x signature': 'x', ['signature'.repeat(9)]: 'x' }),
    ).rejects.toThrow(missing);
  });

  it('is refused over HTTP/2 with the name too', async () => {
    const { receiver, failures } = receiverOf(() => secret);
    const session = connect(await listen(createServer2(receiver.node)));
    const stream = session.request({ ':method': 'POST', ':path': '/w', 'x-signature': 'v1=00' });
    const status = new Promise((resolve) =>
      stream.once('response', (response) => resolve(response[':status'])),
    );
    stream.end('{}');
    expect(await status).toBe(400);
    session.destroy();
    expect(String(failures[0])).toContain('got a delivery with x-signature.');
  });
});
