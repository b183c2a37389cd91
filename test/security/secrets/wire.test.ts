/** Secrets in the raw bytes of a broken server, in the address of a proxy, and in the objects of the SDK. */

import { ConnectionError, PaymentsClient, PaymentsError, TimeoutError } from 'payments-client';
import { describe, expect, it, vi } from 'vitest';
import { everyCollection } from '../../support/every-collection.ts';
import { product } from '../../support/fixtures.ts';
import { closedUrl, response, startWireServer, type WireConnection } from '../../support/socket-server.ts';
import { failEachKind, keysAndCards, optionsFor } from './calls.ts';
import { headerKey, proxyPassword } from './canaries.ts';
import { Outputs } from './outputs.ts';
import { noSecretComesOutOf, once, type Place } from './places.ts';

/** Writes bytes, and ends the connection. */
const only =
  (text: string) =>
  ({ write, end }: WireConnection) => {
    write(text);
    end();
  };

const slow = `set-cookie: k=${headerKey}\r\nx-request-id: ${keysAndCards}\r\nretry-after: 0\r\n`;

/** Every kind of malformed or unexpected response. */
const bytes: Readonly<Record<string, (connection: WireConnection) => void>> = {
  'a status line': ({ write }) => write(response(`400 ${keysAndCards}`, '')),
  'an invalid status line': only(`${keysAndCards}\r\n\r\n`),
  'an invalid version': only(`HTTP/${keysAndCards} 200 OK\r\n\r\n`),
  'an invalid header': only(`HTTP/1.1 200 OK\r\n${keysAndCards}\r\n\r\n`),
  'an invalid header name': only(`HTTP/1.1 200 OK\r\nx ${keysAndCards}: y\r\n\r\n`),
  'an invalid content-length': only(`HTTP/1.1 200 OK\r\ncontent-length: ${keysAndCards}\r\n\r\n`),
  'invalid chunks': only(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${keysAndCards}\r\n`),
  'an invalid compressed body': ({ write }) =>
    write(response('200 OK', keysAndCards, 'content-encoding: gzip\r\n')),
  'the request in place of a response': (connection) => only(connection.request)(connection),
  'the request as an error body': ({ request, write }) => write(response('500 Failed', request)),
  'the address of a redirect': ({ write }) =>
    write(response('307 Moved', '', `location: https://u:${encodeURIComponent(keysAndCards)}@x.test/\r\n`)),
  'cookies and ids': ({ write }) => write(response('429 Slow', '', slow)),
  'a truncated body': only(response('200 OK', keysAndCards).slice(0, -5)),
};

type Address = () => string | Promise<string>;
type ErrorClass = abstract new (...args: never[]) => PaymentsError;

/** Calls the service at an address. */
const callsTo =
  (address: Address, type: ErrorClass, timeout = 1500): Place<undefined> =>
  async (_, out) => {
    const errors = await failEachKind(out, optionsFor(out, { baseUrl: await address(), timeout }));
    expect(errors.filter((error) => error instanceof type).length).toBeGreaterThan(1);
    expect(errors.every((error) => error instanceof PaymentsError)).toBe(true);
  };
const serving = (answer: (connection: WireConnection) => void) => async () =>
  (await startWireServer(answer)).url;

describe('a server sends secrets as', () => {
  const places = Object.entries(bytes).map(([what, answer]) => [
    what,
    callsTo(serving(answer), PaymentsError),
  ]);
  noSecretComesOutOf(Object.fromEntries(places), {
    given: once,
    from: ['error', 'promise', 'log.error'],
  });
});

describe('a request with secrets', () => {
  noSecretComesOutOf(
    {
      'is not accepted': callsTo(() => closedUrl, ConnectionError),
      'is reset': callsTo(
        serving(({ reset }) => reset()),
        ConnectionError,
      ),
      'is never answered': callsTo(
        serving(() => {}),
        TimeoutError,
        20,
      ),
    },
    { given: once, from: ['error', 'promise', 'log.error'] },
  );
});

describe('a proxy has a password, and', () => {
  const withPassword = (url: string) => url.replace('//', `//merchant:${proxyPassword}@`);
  /** Another host for each call, because connections to a host are reused. */
  let hosts = 0;

  const through =
    (address: Address): Place<'http' | 'https'> =>
    async (scheme, out) => {
      hosts += 1;
      const proxy = await address();
      for (const name of ['http_proxy', 'https_proxy']) vi.stubEnv(name, proxy);
      vi.stubEnv('no_proxy', '');
      const baseUrl = `${scheme}://proxied-${hosts}.test`;
      const errors = await failEachKind(out, optionsFor(out, { baseUrl, allowInsecure: true, headers: {} }));
      expect(errors.every((error) => error instanceof PaymentsError)).toBe(true);
    };

  const refusing: Place<'http' | 'https'> = async (scheme, out) => {
    const proxy = await startWireServer((connection) =>
      only(response('407 Proxy Authentication Required', connection.request))(connection),
    );
    await through(() => withPassword(proxy.url))(scheme, out);
    const said = Buffer.from(`merchant:${proxyPassword}`).toString('base64');
    expect(proxy.requests[0]?.toLowerCase()).toContain(`proxy-authorization: basic ${said}`.toLowerCase());
  };

  const from = ['error'];
  noSecretComesOutOf(
    {
      'refuses each request, and repeats it': refusing,
      'is unreachable': through(() => withPassword(closedUrl)),
    },
    { given: ['http', 'https'], from },
  );
  noSecretComesOutOf(
    {
      'has an invalid port': through(() => withPassword('http://proxy.test:99999')),
      'has no scheme': through(() => `merchant:${proxyPassword}@proxy.test`),
      'has an unknown scheme': through(() => withPassword('socks5://127.0.0.1:1')),
      'has an invalid password': through(() => `http://merchant:${proxyPassword}%zz@127.0.0.1:1`),
    },
    { given: ['https'], from },
  );
});

it('no key is in the client, a collection, a promise or a page', async () => {
  const out = new Outputs().withProcess();
  const page = { data: [product('prod_1')], has_more: true, next_cursor: 'prod_1' };
  const fetch = async ({ url }: { readonly url: string }) =>
    Response.json(url.endsWith('/products') ? page : product('prod_1'));
  const payments = new PaymentsClient(optionsFor(out, { fetch }));
  out.add('client', payments);
  out.add('transact', payments.transact);
  for (const { of } of everyCollection) {
    const list = of(payments).list();
    out.add('collection', of(payments));
    out.add('promise', list);
    out.add('iterator', list[Symbol.asyncIterator]());
    out.add('pages', list.pages());
  }
  const call = payments.products.retrieve('prod_1');
  out.add('promise', [call, call.withResponse(), call.then(), call.finally()]);
  await call;
  out.add('page', await payments.products.list());
  expect(out.leaks()).toEqual([]);
});
