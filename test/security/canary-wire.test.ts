/**
 * Secrets other than arguments and response bodies: the raw bytes of a broken server, proxies, redirects, keys that change with
 * each call, the reason of a signal, and the objects of the SDK.
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
import { OutputCollector } from './canary/output-collector.ts';

const card = { amount: '12.00', ccnumber: cardNumber, ccexp: expiry, cvv: securityCode };
const repeated = `${secretKey} ${securityKey} ${headerKey} ${cardNumber}`;

function optionsOf(collector: OutputCollector, baseUrl: string): PaymentsClientOptions {
  const headers = { 'x-api-key': headerKey, cookie: `session=${headerKey}` };
  return { ...collector.options, baseUrl, secretKey, securityKey, headers, timeout: 1500, maxRetries: 1 };
}

/** Every kind of call, and its collected output. */
async function collectCalls(collector: OutputCollector, options: PaymentsClientOptions): Promise<unknown[]> {
  const payments = new PaymentsClient(options);
  const calls = [
    payments.refunds.create({ charge_id: 'ch_1' }, { operationId: 'order-1042' }),
    payments.products.list(),
    payments.transact.sale(card),
  ];
  const errors: unknown[] = [];
  for (const call of calls) {
    collector.add('promise', call);
    const error = await Promise.resolve(call).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    collector.add('error', error);
    errors.push(error);
  }
  collector.add('client', payments);
  return errors;
}

/** Every kind of malformed or unexpected response. */
const bytes: Readonly<Record<string, (connection: WireConnection) => void>> = {
  'a status line with secrets': ({ write }) => write(response(`400 ${repeated}`, '')),
  'an invalid status line': ({ write, end }) => {
    write(`${repeated}\r\n\r\n`);
    end();
  },
  'an invalid version': ({ write, end }) => {
    write(`HTTP/${repeated} 200 OK\r\n\r\n`);
    end();
  },
  'an invalid header': ({ write, end }) => {
    write(`HTTP/1.1 200 OK\r\n${repeated}\r\n\r\n`);
    end();
  },
  'an invalid header name': ({ write, end }) => {
    write(`HTTP/1.1 200 OK\r\nx ${repeated}: y\r\n\r\n`);
    end();
  },
  'an invalid content-length': ({ write, end }) => {
    write(`HTTP/1.1 200 OK\r\ncontent-length: ${repeated}\r\n\r\n`);
    end();
  },
  'invalid chunks': ({ write, end }) => {
    write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${repeated}\r\n`);
    end();
  },
  'an invalid compressed body': ({ write }) =>
    write(response('200 OK', repeated, 'content-encoding: gzip\r\n')),
  'the request as response': ({ request, write, end }) => {
    write(request);
    end();
  },
  'the request as an error body': ({ request, write }) => write(response('500 Failed', request)),
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
  'a truncated body': ({ write, end }) => {
    write(response('200 OK', repeated).slice(0, -5));
    end();
  },
  'a reset': ({ reset }) => reset(),
};

describe('no secret is output after', () => {
  it.each(Object.entries(bytes))('%s', async (_what, answer) => {
    skipBackOff();
    const collector = new OutputCollector().withProcess();
    const server = await startWireServer(answer);
    const errors = await collectCalls(collector, optionsOf(collector, server.url));
    for (const error of errors) expect(error).toBeInstanceOf(PaymentsError);
    expect(collector.leaks()).toEqual([]);
  });

  it('a connection to a closed port', async () => {
    skipBackOff();
    const collector = new OutputCollector().withProcess();
    const errors = await collectCalls(collector, optionsOf(collector, closedUrl));
    for (const error of errors) expect(error).toBeInstanceOf(ConnectionError);
    expect(collector.leaks()).toEqual([]);
  });

  it('a response that never comes', async () => {
    skipBackOff();
    const collector = new OutputCollector().withProcess();
    const server = await startWireServer(() => {});
    const errors = await collectCalls(collector, { ...optionsOf(collector, server.url), timeout: 20 });
    for (const error of errors) expect(error).toBeInstanceOf(TimeoutError);
    expect(collector.leaks()).toEqual([]);
  });
});

describe('no secret is output by a proxy', () => {
  /** Another host for each test, because connections to a host are reused. */
  let hosts = 0;

  async function throughProxy(scheme: 'http' | 'https', proxy: string): Promise<string[]> {
    skipBackOff();
    hosts += 1;
    for (const name of ['http_proxy', 'https_proxy']) vi.stubEnv(name, proxy);
    vi.stubEnv('no_proxy', '');
    const collector = new OutputCollector().withProcess();
    const baseUrl = `${scheme}://proxied-${hosts}.test`;
    const options = { ...optionsOf(collector, baseUrl), allowInsecure: true, headers: {} };
    const errors = await collectCalls(collector, options);
    for (const error of errors) expect(error).toBeInstanceOf(PaymentsError);
    return collector.leaks();
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

  it.each(['http', 'https'] as const)('that is unreachable, for %s', async (scheme) => {
    const address = closedUrl.replace('//', `//merchant:${proxyPassword}@`);
    expect(await throughProxy(scheme, address)).toEqual([]);
  });

  it.each([
    `http://merchant:${proxyPassword}@proxy.test:99999`,
    `merchant:${proxyPassword}@proxy.test`,
    `socks5://merchant:${proxyPassword}@127.0.0.1:1`,
    `http://merchant:${proxyPassword}%zz@127.0.0.1:1`,
  ])('with an invalid address: %s', async (address) => {
    expect(await throughProxy('https', address)).toEqual([]);
  });
});

describe('keys that change with each call are not output', () => {
  it('even if more calls run at once than the SDK remembers', async () => {
    const count = 40;
    const collector = new OutputCollector();
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
      ...collector.options,
      baseUrl: 'https://payments.test',
      fetch: (request) => fetch(request as Request),
      securityKey: () => keyOf(given++),
    });
    const failures = await Promise.allSettled(Array.from({ length: count }, () => transact.sale(saleParams)));
    expect(waiting).toHaveLength(count);
    collector.add('error', failures);
    expect(collector.leaks()).toEqual([]);
  });
});

function abortedFor(text: string): AbortController {
  const controller = new AbortController();
  controller.abort(new Error(text));
  return controller;
}

describe('a value that the caller names', () => {
  it('is the cause of an abort, but is in no message or log', async () => {
    for (const { text } of everyCanary) {
      const collector = new OutputCollector();
      const { signal } = abortedFor(text);
      const payments = new PaymentsClient(optionsOf(collector, 'https://payments.test'));
      const error = await failureOf(payments.refunds.list({}, { signal }), RequestAbortedError);
      expect(error.cause).toBe(signal.reason);
      const logs = new OutputCollector();
      logs.add('log', collector.outputOf('log.error'));
      logs.add('texts', [error.message, String(error), JSON.stringify(error)]);
      expect(logs.leaks()).toEqual([]);
      expect(logs.places.length).toBeGreaterThan(0);
    }
  });

  it('is the unchanged idempotency key of its call', async () => {
    const collector = new OutputCollector();
    const payments = new PaymentsClient({
      ...optionsOf(collector, 'https://payments.test'),
      fetch: async () => new Response('', { status: 400 }),
    });
    const call = payments.refunds.create({ charge_id: 'ch_1' }, { operationId: cardNumber });
    const error = await failureOf(call, ApiError);
    const key = deriveIdempotencyKey('refunds.create', cardNumber);
    expect(error).toMatchObject({ idempotencyKey: key });
    collector.add('error', error);
    expect(collector.leaks(allowances.ownIds)).toEqual([]);
  });
});

describe('inspecting the objects of the SDK outputs no key', () => {
  it('of the client, each collection, Transact, promises and pages', async () => {
    const collector = new OutputCollector().withProcess();
    const page = { data: [product('prod_1')], has_more: true, next_cursor: 'prod_1' };
    const payments = new PaymentsClient({
      ...optionsOf(collector, 'https://payments.test'),
      fetch: async ({ url }) => Response.json(url.endsWith('/products') ? page : product('prod_1')),
    });
    collector.add('client', payments);
    collector.add('transact', payments.transact);
    for (const { of } of everyCollection) {
      const list = of(payments).list();
      collector.add('collection', of(payments));
      collector.add('promise', list);
      collector.add('iterator', list[Symbol.asyncIterator]());
      collector.add('pages', list.pages());
    }
    const call = payments.products.retrieve('prod_1');
    collector.add('promise', [call, call.withResponse(), call.then(), call.finally()]);
    await call;
    collector.add('page', await payments.products.list());
    expect(collector.leaks()).toEqual([]);
  });
});
