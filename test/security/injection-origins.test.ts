/**
 * Credentials are sent only to the host that the merchant configured. No lookalike base URL, redirect or path sends them
 * elsewhere, and no lookalike of localhost receives them unencrypted.
 */

import { ApiError, ConfigurationError, PaymentsClient, Transact } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { intentParams, refund, saleParams } from '../support/fixtures.ts';
import { response, startWireServer } from '../support/socket-server.ts';
import { clientOf, transports } from '../support/transports.ts';

const secretKey = 'sk_v1_test_origins0001';
const securityKey = 'security-key-origins';
const by = { operationId: 'order-1' };

/** Creates each kind of client with this base URL. */
const clients: readonly (readonly [
  name: string,
  make: (baseUrl: string, allowInsecure?: boolean) => unknown,
])[] = [
  ['PaymentsClient', (baseUrl, allowInsecure) => new PaymentsClient({ baseUrl, secretKey, allowInsecure })],
  ['Transact', (baseUrl, allowInsecure) => new Transact({ baseUrl, securityKey, allowInsecure })],
];

describe.each(clients)('%s: the base URL', (_name, createClient) => {
  it.each([
    'http://127.0.0.1.evil.test',
    'http://localhost.evil.test',
    'http://evil.test',
    'http://localhost.',
    'http://127.evil',
    'http://localhost%2eevil.test',
    'http://localhost。evil.test',
    'http://127.0.0.1\u3002evil.test',
    'http://[::ffff:127.0.0.1]',
    'http://[::127.0.0.1]',
    'http://[::2]',
    'http://[::ffff:7f00:1]',
    'http://[fe80::1]',
    'http://0.0.0.0',
    'http://0',
    'http://128.0.0.1',
    'http://126.255.255.255',
    'http://10.0.0.1',
    'http://169.254.169.254',
    'http://2147483649',
    'http://0200.0.0.1',
    'http://metadata.google.internal',
    'http://LOCALHOST.test',
    'http://xn--localhost-',
  ])('%s is not a loopback address and is refused without encryption', (baseUrl) => {
    expect(() => createClient(baseUrl)).toThrow(ConfigurationError);
  });

  it.each([
    'http://2130706433',
    'http://0x7f000001',
    'http://0177.0.0.1',
    'http://127.1',
    'http://0x7f.1',
    'http://127.0.0.1.',
    'http://127.0.0.1',
    'http://127.255.255.254',
    'http://[::1]',
    'http://[0:0:0:0:0:0:0:1]',
    'http://LocalHost',
    'http://①②⑦.0.0.1',
  ])('%s is another form of a loopback address', (baseUrl) => {
    expect(['127.', '[::1', 'loca']).toContain(new URL(baseUrl).hostname.slice(0, 4));
    expect(() => createClient(baseUrl)).not.toThrow();
  });

  it.each([
    'https://user@evil.test',
    'https://user:pass@evil.test',
    'https://:pass@evil.test',
    'https://payments.test@evil.test',
    'https://payments.test%40evil.test',
    'http://localhost@evil.test',
    'https://payments.test:443@evil.test',
    'https://evil.test?x',
    'https://evil.test/#x',
    'https://payments.test#@evil.test',
    'ftp://payments.test',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,x',
    'ws://payments.test',
    'blob:https://payments.test/x',
    'gopher://127.0.0.1',
    'httpss://payments.test',
    'unix:/run/x.sock',
    '//payments.test',
    'payments.test',
    '/v1',
    'https:',
    'https://',
    'https:///',
    'https://pay ments.test',
    'https://[::1',
    'https://payments.test:99999',
    'https://payments.test:x',
    'https://%00',
    ' ',
    '\u0000',
  ])('%j is refused, even with allowInsecure', (baseUrl) => {
    expect(() => createClient(baseUrl, true)).toThrow(ConfigurationError);
  });

  it('does not appear in an error with its user name or password', () => {
    const secret = 'CANARYPASSWORD';
    for (const baseUrl of [
      `https://u:${secret}@evil.test`,
      `https://${secret}@evil.test`,
      `https://evil.test/?k=${secret}`,
      `https://evil.test/#${secret}`,
    ]) {
      expect(() => createClient(baseUrl)).toThrow(
        expect.not.objectContaining({ message: expect.stringContaining(secret) }),
      );
    }
  });
});

const redirects = [301, 302, 303, 307, 308, 300, 305];
const places = (target: string) => [
  `location: ${target}/v1\r\n`,
  `location: ${target.replace('http:', '')}/v1\r\n`,
  `refresh: 0; url=${target}/v1\r\n`,
  `content-location: ${target}/v1\r\nalt-svc: h2="${target.slice('http://'.length)}"\r\n`,
  'location: /elsewhere\r\n',
  'location: ../elsewhere\r\n',
];

describe.each(transports)('over %s, a redirect', (_name, transport) => {
  it.each(redirects)('with the status %i is not followed, and the error says so', async (status) => {
    const target = await startWireServer(({ write }) => write(response('200 OK', JSON.stringify(refund))));
    for (const header of places(target.url)) {
      const { url, requests } = await startWireServer(({ write }) =>
        write(response(`${status} Moved`, '', header)),
      );
      const payments = clientOf(url, { ...transport, maxRetries: 2 });
      const reading = await failureOf(payments.refunds.retrieve('rf_1'), ApiError);
      expect(reading).toMatchObject({ status, outcome: 'not_executed', attempts: 1 });
      expect(reading.message).toContain('Redirects are not followed');
      for (const call of [
        () => payments.paymentIntents.create(intentParams, by),
        () => payments.transact.sale(saleParams),
      ]) {
        expect(await failureOf(call(), ApiError)).toMatchObject({ status, outcome: 'unknown', attempts: 1 });
      }
      expect(requests).toHaveLength(3);
      for (const request of requests) expect(request).not.toContain('elsewhere');
    }
    expect(target.requests).toEqual([]);
  });
});

describe.each(transports)('over %s, credentials', (_name, transport) => {
  it('are sent to the host of the base URL, with any headers, ids and routes', async () => {
    const evil = await startWireServer(({ write }) => write(response('200 OK', JSON.stringify(refund))));
    const { url, requests } = await startWireServer(({ write }) =>
      write(response('200 OK', JSON.stringify(refund))),
    );
    const host = evil.url.slice('http://'.length);
    const payments = clientOf(url, {
      ...transport,
      headers: { 'x-forwarded-host': host, forwarded: `host=${host}`, origin: evil.url, referer: evil.url },
      routes: { 'refunds.retrieve': 'GET /v1/@evil/{id}' },
    });
    for (const id of [`@${host}/`, evil.url, `//${host}`, `\\\\${host}`]) {
      await payments.refunds.retrieve(id);
    }
    expect(requests).toHaveLength(4);
    for (const request of requests) expect(request).toMatch(/^host: 127\.0\.0\.1:\d+\r$/im);
    expect(evil.requests).toEqual([]);
  });

  it('of one client are not sent by another client of the same host', async () => {
    const { url, requests } = await startWireServer(({ write }) =>
      write(response('200 OK', JSON.stringify(refund))),
    );
    const clients = ['sk_v1_test_first0001', 'sk_v1_test_second002'].map((key) =>
      clientOf(url, { ...transport, secretKey: key }),
    );
    await Promise.all([...clients, ...clients].map((client) => client.refunds.retrieve('rf_1')));
    const sent = requests.map((request) => /^authorization: (.+)\r$/im.exec(request)?.[1]).sort();
    const [first, second] = ['Bearer sk_v1_test_first0001', 'Bearer sk_v1_test_second002'];
    expect(sent).toEqual([first, first, second, second]);
  });
});
