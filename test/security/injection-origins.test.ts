/**
 * Credentials are sent only to the host that the merchant configured. No lookalike base URL, redirect or path sends them
 * elsewhere, and no lookalike of localhost receives them unencrypted.
 */

import { ApiError, ConfigurationError, PaymentsClient, Transact } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { intentParams, refund, saleParams } from '../support/fixtures.ts';
import { everyNth } from '../support/size.ts';
import { response, startWireServer } from '../support/socket-server.ts';
import { clientOf, transports } from '../support/transports.ts';

const by = { operationId: 'order-1' };

/** Each kind of client with a base URL. */
const clients: readonly (readonly [
  name: string,
  make: (baseUrl: string, allowInsecure?: boolean) => unknown,
])[] = [
  [
    'PaymentsClient',
    (baseUrl, allowInsecure) => new PaymentsClient({ baseUrl, secretKey: 'sk_v1_test_x', allowInsecure }),
  ],
  ['Transact', (baseUrl, allowInsecure) => new Transact({ baseUrl, securityKey: 'key', allowInsecure })],
];

const hosts: Readonly<Record<string, string>> = {
  'no loopback address':
    '127.0.0.1.evil.test localhost.evil.test evil.test localhost. 127.evil localhost%2eevil.test ' +
    'localhost。evil.test 127.0.0.1\u3002evil.test [::ffff:127.0.0.1] [::127.0.0.1] [::2] [::ffff:7f00:1] ' +
    '[fe80::1] 0.0.0.0 0 128.0.0.1 126.255.255.255 10.0.0.1 169.254.169.254 2147483649 0200.0.0.1 ' +
    'metadata.google.internal LOCALHOST.test xn--localhost-',
  'another form of a loopback address':
    '2130706433 0x7f000001 0177.0.0.1 127.1 0x7f.1 127.0.0.1. 127.0.0.1 127.255.255.254 [::1] ' +
    '[0:0:0:0:0:0:0:1] LocalHost ①②⑦.0.0.1',
};

const notBaseUrls = [
  ['https://user@evil.test', 'https://user:pass@evil.test', 'https://:pass@evil.test', 'https://%00'],
  ['/v1', 'https://payments.test@evil.test', 'https://payments.test%40evil.test'],
  ['http://localhost@evil.test', 'https://payments.test:443@evil.test', 'https://evil.test?x'],
  ['https://evil.test/#x', 'https:', ' ', 'https://payments.test#@evil.test', 'ftp://payments.test'],
  ['file:///etc/passwd', 'javascript:alert(1)', 'data:text/plain,x', 'ws://payments.test'],
  ['blob:https://payments.test/x', 'gopher://127.0.0.1', 'httpss://payments.test', 'unix:/run/x.sock'],
  ['//payments.test', 'payments.test', 'https://', 'https:///', 'https://pay ments.test'],
  ['https://[::1', 'https://payments.test:99999', 'https://payments.test:x', '\u0000'],
].flat();

describe.each(clients)('%s: the base URL', (_name, createClient) => {
  it.each(Object.entries(hosts))('without encryption may be loopback alone, and is %s', (kind, names) => {
    for (const host of names.split(' ')) {
      const make = () => createClient(`http://${host}`);
      if (kind.startsWith('no ')) expect(make, host).toThrow(ConfigurationError);
      else expect(make, host).not.toThrow();
    }
  });

  it.each(notBaseUrls)('%j is refused, even with allowInsecure', (baseUrl) => {
    expect(() => createClient(baseUrl, true)).toThrow(ConfigurationError);
  });
});

/** What a redirect says, in each way that a client might follow. */
const places = (target: string) => [
  `location: ${target}/v1\r\n`,
  `location: ${target.replace('http:', '')}/v1\r\n`,
  `refresh: 0; url=${target}/v1\r\n`,
  `content-location: ${target}/v1\r\nalt-svc: h2="${target.slice('http://'.length)}"\r\n`,
  'location: /elsewhere\r\n',
  'location: ../elsewhere\r\n',
];

const startTarget = () => startWireServer(({ write }) => write(response('200 OK', JSON.stringify(refund))));

describe.each(transports)('over %s, a redirect', (_name, transport) => {
  it.each([301, 302, 303, 307, 308, 300, 305])(
    'with the status %i is not followed, and the error says so',
    async (status) => {
      const target = await startTarget();
      let header = '';
      const { url, requests } = await startWireServer(({ write }) =>
        write(response(`${status} Moved`, '', header)),
      );
      const payments = clientOf(url, { ...transport, maxRetries: 2 });
      const calls = [
        { call: () => payments.refunds.retrieve('rf_1'), outcome: 'not_an_operation' },
        { call: () => payments.paymentIntents.create(intentParams, by), outcome: 'unknown' },
        { call: () => payments.transact.sale(saleParams), outcome: 'unknown' },
      ];
      const chosen = everyNth(places(target.url), 3, status);
      for (const place of chosen) {
        header = place;
        for (const { call, outcome } of calls) {
          const error = await failureOf(call(), ApiError);
          expect(error).toMatchObject({ status, outcome, attempts: 1 });
          expect(error.message).toContain('Redirects are not followed');
        }
      }
      expect(requests).toHaveLength(calls.length * chosen.length);
      expect(requests.join()).not.toContain('elsewhere');
      expect(target.requests).toEqual([]);
    },
  );
});

describe.each(transports)('over %s, credentials', (_name, transport) => {
  it('are sent to the host of the base URL, with any headers, ids and routes', async () => {
    const [evil, { url, requests }] = [await startTarget(), await startTarget()];
    const host = evil.url.slice('http://'.length);
    const payments = clientOf(url, {
      ...transport,
      headers: { 'x-forwarded-host': host, forwarded: `host=${host}`, origin: evil.url, referer: evil.url },
      routes: { 'refunds.retrieve': 'GET /v1/@evil/{id}' },
    });
    for (const id of [`@${host}/`, evil.url, `//${host}`, `\\\\${host}`]) await payments.refunds.retrieve(id);
    expect(requests).toHaveLength(4);
    for (const request of requests) expect(request).toMatch(/^host: 127\.0\.0\.1:\d+\r$/im);
    expect(evil.requests).toEqual([]);
  });

  it('of one client are not sent by another client of the same host', async () => {
    const { url, requests } = await startTarget();
    const keys = ['sk_v1_test_first0001', 'sk_v1_test_second002'];
    const own = keys.map((secretKey) => clientOf(url, { ...transport, secretKey }));
    await Promise.all([...own, ...own].map((client) => client.refunds.retrieve('rf_1')));
    const sent = requests.map((request) => /^authorization: Bearer (.+)\r$/im.exec(request)?.[1]);
    expect(sent.sort()).toEqual([...keys, ...keys].sort());
  });
});
