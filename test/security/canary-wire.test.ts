/**
 * What is not a method's argument and not a response's body: the raw bytes of a broken server, proxies, redirects, keys that
 * change with each call, the reason of a signal; and the objects of the SDK themselves, looked into.
 */

import {
  ApiError,
  ConnectionError,
  deriveIdempotencyKey,
  PaymentsClient,
  type PaymentsClientOptions,
  PaymentsError,
  RequestAbortedError,
  TimeoutError,
  Transact,
} from 'payments-client';
import { describe, expect, it, vi } from 'vitest';
import { everyCollection } from '../support/every-collection.ts';
import { failureOf } from '../support/failure.ts';
import { product, saleParams } from '../support/fixtures.ts';
import { skipBackOff } from '../support/mock-service.ts';
import { closedUrl, response, startWireServer, type WireConnection } from '../support/socket-server.ts';
import { allowances } from './canary/allowed.ts';
import {
  cardNumber,
  everyCanary,
  expiry,
  headerKey,
  proxyPassword,
  secretKey,
  securityCode,
  securityKey,
} from './canary/canaries.ts';
import { Watch } from './canary/watch.ts';

const card = { amount: '12.00', ccnumber: cardNumber, ccexp: expiry, cvv: securityCode };
const repeated = `${secretKey} ${securityKey} ${headerKey} ${cardNumber}`;

function optionsOf(watch: Watch, baseUrl: string): PaymentsClientOptions {
  const headers = { 'x-api-key': headerKey, cookie: `session=${headerKey}` };
  return { ...watch.options, baseUrl, secretKey, securityKey, headers, timeout: 1500, maxRetries: 1 };
}

/** Every kind of call, and what is shown of each. */
async function watchCalls(watch: Watch, options: PaymentsClientOptions): Promise<unknown[]> {
  const payments = new PaymentsClient(options);
  const calls = [
    payments.refunds.create({ charge_id: 'ch_1' }, { operationId: 'order-1042' }),
    payments.products.list(),
    payments.transact.sale(card),
  ];
  const errors: unknown[] = [];
  for (const call of calls) {
    watch.see('promise', call);
    const error = await Promise.resolve(call).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    watch.see('error', error);
    errors.push(error);
  }
  watch.see('client', payments);
  return errors;
}

/** Every way in which bytes are no good response. */
const bytes: Readonly<Record<string, (connection: WireConnection) => void>> = {
  'a status line that tells': ({ write }) => write(response(`400 ${repeated}`, '')),
  'a status line that is none': ({ write, end }) => {
    write(`${repeated}\r\n\r\n`);
    end();
  },
  'a version that is none': ({ write, end }) => {
    write(`HTTP/${repeated} 200 OK\r\n\r\n`);
    end();
  },
  'a header that is none': ({ write, end }) => {
    write(`HTTP/1.1 200 OK\r\n${repeated}\r\n\r\n`);
    end();
  },
  'a name of a header that is none': ({ write, end }) => {
    write(`HTTP/1.1 200 OK\r\nx ${repeated}: y\r\n\r\n`);
    end();
  },
  'a length that is none': ({ write, end }) => {
    write(`HTTP/1.1 200 OK\r\ncontent-length: ${repeated}\r\n\r\n`);
    end();
  },
  'chunks that are none': ({ write, end }) => {
    write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${repeated}\r\n`);
    end();
  },
  'a packed body that is none': ({ write }) =>
    write(response('200 OK', repeated, 'content-encoding: gzip\r\n')),
  'the request itself': ({ request, write, end }) => {
    write(request);
    end();
  },
  'the request as an error': ({ request, write }) => write(response('500 Failed', request)),
  'a redirect with keys in its address': ({ write }) =>
    write(response('307 Moved', '', `location: https://u:${encodeURIComponent(repeated)}@x.test/\r\n`)),
  'cookies and ids': ({ write }) =>
    write(
      response(
        '429 Slow',
        '',
        `set-cookie: k=${headerKey}\r\nx-request-id: ${repeated}\r\nretry-after: 0\r\n`,
      ),
    ),
  'half a body': ({ write, end }) => {
    write(response('200 OK', repeated).slice(0, -5));
    end();
  },
  'a reset': ({ reset }) => reset(),
};

describe('over the wire, nothing is shown of', () => {
  it.each(Object.entries(bytes))('%s', async (_what, answer) => {
    skipBackOff();
    const watch = new Watch().processToo();
    const server = await startWireServer(answer);
    const errors = await watchCalls(watch, optionsOf(watch, server.url));
    for (const error of errors) expect(error).toBeInstanceOf(PaymentsError);
    expect(watch.leaks()).toEqual([]);
  });

  it('a server that is not there', async () => {
    skipBackOff();
    const watch = new Watch().processToo();
    const errors = await watchCalls(watch, optionsOf(watch, await closedUrl()));
    for (const error of errors) expect(error).toBeInstanceOf(ConnectionError);
    expect(watch.leaks()).toEqual([]);
  });

  it('a server that is silent', async () => {
    skipBackOff();
    const watch = new Watch().processToo();
    const server = await startWireServer(() => {});
    const errors = await watchCalls(watch, { ...optionsOf(watch, server.url), timeout: 20 });
    for (const error of errors) expect(error).toBeInstanceOf(TimeoutError);
    expect(watch.leaks()).toEqual([]);
  });
});

describe('nothing is shown of a proxy', () => {
  /** A host of its own for each test, since connections to a host are kept. */
  let hosts = 0;

  async function throughProxy(scheme: 'http' | 'https', proxy: string): Promise<string[]> {
    skipBackOff();
    hosts += 1;
    for (const name of ['http_proxy', 'https_proxy']) vi.stubEnv(name, proxy);
    vi.stubEnv('no_proxy', '');
    const watch = new Watch().processToo();
    const baseUrl = `${scheme}://proxied-${hosts}.test`;
    const options = { ...optionsOf(watch, baseUrl), allowInsecure: true, headers: {} };
    const errors = await watchCalls(watch, options);
    for (const error of errors) expect(error).toBeInstanceOf(PaymentsError);
    return watch.leaks();
  }

  it.each(['http', 'https'] as const)('that refuses %s', async (scheme) => {
    const proxy = await startWireServer(({ request, write, end }) => {
      write(response('407 Proxy Authentication Required', request));
      end();
    });
    const address = proxy.url.replace('//', `//merchant:${proxyPassword}@`);
    expect(await throughProxy(scheme, address)).toEqual([]);
    const said = Buffer.from(`merchant:${proxyPassword}`).toString('base64');
    expect(proxy.requests[0]?.toLowerCase()).toContain(`proxy-authorization: basic ${said}`.toLowerCase());
  });

  it.each(['http', 'https'] as const)('that is not there, for %s', async (scheme) => {
    const address = (await closedUrl()).replace('//', `//merchant:${proxyPassword}@`);
    expect(await throughProxy(scheme, address)).toEqual([]);
  });

  it.each([
    `http://merchant:${proxyPassword}@proxy.test:99999`,
    `merchant:${proxyPassword}@proxy.test`,
    `socks5://merchant:${proxyPassword}@127.0.0.1:1`,
    `http://merchant:${proxyPassword}%zz@127.0.0.1:1`,
  ])('whose address is wrong: %s', async (address) => {
    expect(await throughProxy('https', address)).toEqual([]);
  });
});

describe('keys that change are not shown', () => {
  it('though more are under way at once than are remembered', { timeout: 60_000 }, async () => {
    const count = 40;
    const watch = new Watch();
    const keyOf = (index: number) => `${securityKey}-${index}-${securityKey}`;
    let given = 0;
    const waiting: (() => void)[] = [];
    const fetch = async (request: Request) => {
      const key = new URLSearchParams(await request.text()).get('security_key');
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === count) for (const go of waiting) go();
      });
      return new Response(`no such key: ${key}`, { status: 401 });
    };
    const transact = new Transact({
      ...watch.options,
      baseUrl: 'https://payments.test',
      fetch: (request) => fetch(request as Request),
      securityKey: () => keyOf(given++),
    });
    const failures = await Promise.allSettled(Array.from({ length: count }, () => transact.sale(saleParams)));
    expect(waiting).toHaveLength(count);
    watch.see('error', failures);
    expect(watch.leaks()).toEqual([]);
  });
});

function abortedFor(text: string): AbortController {
  const controller = new AbortController();
  controller.abort(new Error(text));
  return controller;
}

describe('what a caller names itself', () => {
  it('is the cause of an abort, and is in no message and no log', async () => {
    for (const { text } of everyCanary) {
      const watch = new Watch();
      const { signal } = abortedFor(text);
      const payments = new PaymentsClient(optionsOf(watch, 'https://payments.test'));
      const error = await failureOf(payments.refunds.list({}, { signal }), RequestAbortedError);
      expect(error.cause).toBe(signal.reason);
      const logs = new Watch();
      logs.see('log', watch.shown('log.error'));
      logs.see('texts', [error.message, String(error), JSON.stringify(error)]);
      expect(logs.leaks()).toEqual([]);
      expect(logs.places.length).toBeGreaterThan(0);
    }
  });

  it('is the key of its call, as it is', async () => {
    const watch = new Watch();
    const payments = new PaymentsClient({
      ...optionsOf(watch, 'https://payments.test'),
      fetch: async () => new Response('', { status: 400 }),
    });
    const call = payments.refunds.create({ charge_id: 'ch_1' }, { operationId: cardNumber });
    const error = await failureOf(call, ApiError);
    const key = deriveIdempotencyKey('refunds.create', cardNumber);
    expect(error).toMatchObject({ idempotencyKey: key });
    watch.see('error', error);
    expect(watch.leaks(allowances.ownIds)).toEqual([]);
  });
});

describe('the objects of the SDK show nothing of their keys', () => {
  it('the client, each collection, Transact, promises and pages', async () => {
    const watch = new Watch().processToo();
    const page = { data: [product('prod_1')], has_more: true, next_cursor: 'prod_1' };
    const payments = new PaymentsClient({
      ...optionsOf(watch, 'https://payments.test'),
      fetch: async ({ url }) => Response.json(url.endsWith('/products') ? page : product('prod_1')),
    });
    watch.see('client', payments);
    watch.see('transact', payments.transact);
    for (const { of } of everyCollection) {
      const list = of(payments).list();
      watch.see('collection', of(payments));
      watch.see('promise', list);
      watch.see('iterator', list[Symbol.asyncIterator]());
      watch.see('pages', list.pages());
    }
    const call = payments.products.retrieve('prod_1');
    watch.see('promise', [call, call.withResponse(), call.then(), call.finally()]);
    await call;
    watch.see('page', await payments.products.list());
    expect(watch.leaks()).toEqual([]);
  });
});
