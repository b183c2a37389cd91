/** What merchants get on Node: requests over `node:http`, held against servers that behave well and badly. */

import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, createServer as createSocketServer, type Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { HttpResponse, http as mswHttp } from 'msw';
import { setupServer } from 'msw/node';
import nock from 'nock';
import { ConnectionError, PaymentsClient, RequestAbortedError, TimeoutError } from 'payments-client';
import { generate } from 'selfsigned';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { paymentIntent, refund, refundParams, saleParams } from '../../support/fixtures.ts';
import { skipBackOff } from '../../support/mock-service.ts';
import { serve } from '../../support/serve.ts';
import { startWireServer } from '../../support/wire-server.ts';

const keys = { secretKey: 'sk_v1_test_transport', securityKey: 'security-key-1' };
const by = { operationId: 'order-1' };

const client = (baseUrl: string, options = {}) => new PaymentsClient({ baseUrl, ...keys, ...options });

async function serving(listener: RequestListener): Promise<string> {
  const { url, close } = await serve(listener);
  onTestFinished(close);
  return url;
}

const asJson = (value: unknown) => {
  const body = JSON.stringify(value);
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
};

describe('a connection', () => {
  it('is kept for the next request', async () => {
    const ports = new Set<number | undefined>();
    const url = await serving((request, response) => {
      ports.add(request.socket.remotePort);
      response.end(JSON.stringify(refund));
    });
    for (let time = 0; time < 3; time += 1) await client(url).refunds.retrieve('rf_1');
    expect(ports.size).toBe(1);
  });

  it('is not trusted after a pause, since a frozen process closes none', async () => {
    const ports = new Set<number | undefined>();
    const url = await serving((request, response) => {
      ports.add(request.socket.remotePort);
      response.end(JSON.stringify(refund));
    });
    await client(url).refunds.retrieve('rf_1');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5_000 });
    onTestFinished(() => void vi.useRealTimers());
    await client(url).refunds.retrieve('rf_1');
    expect(ports.size).toBe(2);
  });
});

/** Answers the first request on each connection and resets the connection at the second one. */
async function startForgetfulServer(
  body: string,
): Promise<{ url: string; requests: () => readonly string[] }> {
  const requests: string[] = [];
  const server = createSocketServer((socket: Socket) => {
    let isUsed = false;
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      requests.push(chunk.toString());
      if (isUsed) socket.resetAndDestroy();
      else socket.write(body);
      isUsed = true;
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests: () => requests };
}

describe('a kept connection that the server closes as the next request comes', () => {
  beforeEach(skipBackOff);

  it('goes unnoticed where a repetition is safe, and takes the others that were kept with it', async () => {
    const { url, requests } = await startForgetfulServer(asJson(paymentIntent));
    const payments = client(url, { maxRetries: 1 });
    await Promise.all([1, 2, 3].map(() => payments.paymentIntents.retrieve('pi_1')));
    const params = { amount: 1200, currency: 'usd' };
    const { response } = await payments.paymentIntents.create(params, by).withResponse();
    expect(response.attempts).toBe(2);
    expect(requests()).toHaveLength(5);
    expect(requests()[4]).toBe(requests()[3]);
  });

  it('is not used for a sale where its end has come to this machine already', async () => {
    const server = createHttpServer((_request, response) => response.end('response=1')).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { transact } = client(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await transact.sale(saleParams);
    server.closeAllConnections();
    const { response } = await transact.sale(saleParams).withResponse();
    expect(response.attempts).toBe(1);
  });

  it('leaves a sale unknown, and never sends it twice', async () => {
    const { url, requests } = await startForgetfulServer(asJson({ response: 1 }));
    const payments = client(url);
    await payments.transact.sale(saleParams);
    const error = await failureOf(payments.transact.sale(saleParams), ConnectionError);
    expect(error).toMatchObject({ code: 'ECONNRESET', outcome: 'unknown', attempts: 1 });
    expect(requests()).toHaveLength(2);
  });
});

describe('a request that never left', () => {
  it('is known where nobody listens', async () => {
    const { url, close } = await serve(() => {});
    close();
    const error = await failureOf(client(url, { maxRetries: 0 }).transact.sale(saleParams), ConnectionError);
    expect(error).toMatchObject({ code: 'ECONNREFUSED', outcome: 'not_executed' });
  });

  it('is known where the connection breaks before its encryption is agreed on', async () => {
    let connections = 0;
    const server = createSocketServer((socket) => {
      connections += 1;
      socket.on('error', () => {});
      socket.once('data', () => socket.resetAndDestroy());
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const error = await failureOf(client(url, { maxRetries: 0 }).transact.sale(saleParams), ConnectionError);
    expect(error).toMatchObject({ code: 'ECONNRESET', outcome: 'not_executed' });
    expect(connections).toBe(1);
  });

  it('is known where the certificate is not trusted', async () => {
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
    const answered = vi.fn();
    const server = createSecureServer({ key, cert }, answered).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const url = `https://localhost:${(server.address() as AddressInfo).port}`;
    const error = await failureOf(client(url, { maxRetries: 0 }).transact.sale(saleParams), ConnectionError);
    expect(error).toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT', outcome: 'not_executed' });
    expect(answered).not.toHaveBeenCalled();
  });
});

it('leaves a request unknown whose connection breaks before the answer', async () => {
  const { url } = await startWireServer(({ reset }) => reset());
  const error = await failureOf(
    client(url, { maxRetries: 0 }).refunds.create(refundParams, by),
    ConnectionError,
  );
  expect(error).toMatchObject({ code: 'ECONNRESET', outcome: 'unknown' });
});

it('says executed where the answer breaks off within its body', async () => {
  const { url } = await startWireServer(({ write, reset }) => {
    write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"id":');
    setImmediate(reset);
  });
  const error = await failureOf(
    client(url, { maxRetries: 0 }).refunds.create(refundParams, by),
    ConnectionError,
  );
  expect(error.outcome).toBe('executed');
});

describe('a body that was packed', () => {
  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('with %s is unpacked', async (encoding, pack) => {
    const url = await serving((request, response) => {
      expect(request.headers['accept-encoding']).toContain(encoding);
      response.setHeader('content-encoding', encoding);
      response.end(pack(JSON.stringify(refund)));
    });
    expect(await client(url).refunds.retrieve('rf_1')).toEqual(refund);
  });

  it('counts unpacked against the bound, and ends the connection there', async () => {
    let closed = () => {};
    const end = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const url = await serving((request, response) => {
      request.socket.on('close', closed);
      response.setHeader('content-encoding', 'gzip');
      response.end(gzipSync(Buffer.alloc(33 * 1024 * 1024, ' ')));
    });
    await expect(client(url).refunds.retrieve('rf_1')).rejects.toThrow(/a body within the size bound/);
    await end;
  });

  it('and broke off is a failure, not a part of the truth', async () => {
    const url = await serving((_request, response) => {
      response.setHeader('content-encoding', 'gzip');
      response.end(gzipSync(JSON.stringify(refund)).subarray(0, 40));
    });
    const call = client(url, { maxRetries: 0 }).refunds.create(refundParams, by);
    expect(await failureOf(call, ConnectionError)).toMatchObject({ code: 'NETWORK', outcome: 'executed' });
  });
});

describe('giving up', () => {
  it('ends the request at the server when the signal is aborted', async () => {
    const controller = new AbortController();
    const ended = new Promise<void>((resolve) => {
      void serving((request) => {
        request.socket.on('close', () => resolve());
        controller.abort();
      }).then((url) => {
        const call = client(url).refunds.create(refundParams, { ...by, signal: controller.signal });
        return failureOf(call, RequestAbortedError);
      });
    });
    await ended;
  });

  it('ends a request on a kept connection without sending it again', async () => {
    let count = 0;
    const url = await serving((_request, response) => {
      count += 1;
      if (count !== 2) response.end(JSON.stringify(refund));
    });
    const payments = client(url, { maxRetries: 0, timeout: 200 });
    await payments.refunds.retrieve('rf_1');
    await failureOf(payments.refunds.retrieve('rf_1'), TimeoutError);
    // What would have been sent again would have come before the second of these.
    await payments.refunds.retrieve('rf_1');
    await payments.refunds.retrieve('rf_1');
    expect(count).toBe(4);
  });

  it('leaves no listener at a signal that outlives the call', async () => {
    const { signal } = new AbortController();
    const [add, remove] = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')];
    const url = await serving((_request, response) => response.end(JSON.stringify(refund)));
    await client(url).refunds.retrieve('rf_1', { signal });
    expect(add.mock.calls.length).toBeGreaterThan(0);
    expect(remove).toHaveBeenCalledTimes(add.mock.calls.length);
  });
});

it('gives all headers of a response', async () => {
  const url = await serving((_request, response) => {
    response.setHeader('set-cookie', ['a=1', 'b=2']);
    response.setHeader('x-request-id', 'req_1');
    response.end(JSON.stringify(refund));
  });
  const { response } = await client(url).refunds.retrieve('rf_1').withResponse();
  expect(response.headers).toBeInstanceOf(Headers);
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(response).toMatchObject({ status: 200, requestId: 'req_1', attempts: 1 });
});

describe('tools that stand in for the network', () => {
  it('see requests: msw', async () => {
    const url = 'https://payments.test';
    const server = setupServer(mswHttp.get(`${url}/v1/refunds/rf_1`, () => HttpResponse.json(refund)));
    server.listen({ onUnhandledFrame: 'error' });
    onTestFinished(() => server.close());
    expect(await client(url).refunds.retrieve('rf_1')).toEqual(refund);
  });

  it('see requests: nock', async () => {
    onTestFinished(() => nock.restore());
    const url = 'https://payments.test';
    const scope = nock(url, { reqheaders: { authorization: `Bearer ${keys.secretKey}` } })
      .post('/v1/refunds', refundParams)
      .reply(200, { ...refund });
    expect(await client(url).refunds.create(refundParams, by)).toEqual(refund);
    expect(scope.isDone()).toBe(true);
  });
});

/** A transport that reads the environment anew. */
async function freshClient(baseUrl: string): Promise<PaymentsClient> {
  vi.resetModules();
  const entry = await import('../../../src/index.node.ts');
  return new entry.PaymentsClient({ baseUrl, ...keys, allowInsecure: true, maxRetries: 0 });
}

describe('a proxy of the environment', () => {
  beforeEach(() => {
    for (const name of ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'no_proxy', 'NO_PROXY']) {
      vi.stubEnv(name, undefined);
    }
  });
  afterEach(() => void vi.unstubAllEnvs());

  it('is asked for the whole URL', async () => {
    let asked = '';
    const proxy = await serving((request, response) => {
      asked = `${request.method} ${request.url}`;
      response.end(JSON.stringify(refund));
    });
    vi.stubEnv('HTTP_PROXY', proxy);
    const payments = await freshClient('http://payments.test');
    expect((await payments.refunds.retrieve('rf_1')).id).toBe('rf_1');
    expect(asked).toBe('GET http://payments.test/v1/refunds/rf_1');
  });

  it('tunnels what is encrypted', async () => {
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'payments.test' }]);
    const service = createSecureServer({ key, cert }, () => {}).listen(0, '127.0.0.1');
    await once(service, 'listening');
    const proxy = createHttpServer();
    const targets: (string | undefined)[] = [];
    proxy.on('connect', (request, socket) => {
      targets.push(request.url);
      const through = connect((service.address() as AddressInfo).port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        through.pipe(socket).pipe(through);
      });
      for (const end of [socket, through]) end.on('error', () => {});
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    onTestFinished(() => {
      service.close();
      proxy.close();
    });
    vi.stubEnv('https_proxy', `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
    const payments = await freshClient('https://payments.test');
    const error = await payments.refunds.retrieve('rf_1').catch((reason: unknown) => reason);
    // The tunnel led to the service, whose certificate this machine does not trust.
    expect(error).toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect(targets).toEqual(['payments.test:443']);
  });

  it('is left out for this machine, and for hosts of no_proxy', async () => {
    const asked = vi.fn();
    const proxy = await serving((_request, response) => {
      asked();
      response.end('{}');
    });
    vi.stubEnv('HTTP_PROXY', proxy);
    vi.stubEnv('NO_PROXY', 'payments.test');
    const url = await serving((_request, response) => response.end(JSON.stringify(refund)));
    expect((await (await freshClient(url)).refunds.retrieve('rf_1')).id).toBe('rf_1');
    const elsewhere = await freshClient('http://payments.test');
    const error = await elsewhere.refunds.retrieve('rf_1').catch((reason: unknown) => reason);
    expect(error).toMatchObject({ outcome: 'not_executed' });
    expect(asked).not.toHaveBeenCalled();
  });
});
