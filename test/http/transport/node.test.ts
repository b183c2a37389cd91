/** The transport on Node: requests over `node:http` to servers that behave well and badly. */

import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { HttpResponse, http as mswHttp } from 'msw';
import { setupServer } from 'msw/node';
import nock from 'nock';
import { ConnectionError, RequestAbortedError, TimeoutError } from 'payments-client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { refund, refundParams } from '../../support/fixtures.ts';
import { startWireServer } from '../../support/socket-server.ts';
import { client, keys, operation, startServer } from './support.ts';

it('reports a request as unknown if its connection breaks before the response', async () => {
  const { url } = await startWireServer(({ reset }) => reset());
  const error = await failureOf(
    client(url, { maxRetries: 0 }).refunds.create(refundParams, operation),
    ConnectionError,
  );
  expect(error).toMatchObject({ code: 'ECONNRESET', outcome: 'unknown' });
});

it('reports a request as executed if its response is truncated within the body', async () => {
  const { url } = await startWireServer(({ write, reset }) => {
    write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"id":');
    setImmediate(reset);
  });
  const error = await failureOf(
    client(url, { maxRetries: 0 }).refunds.create(refundParams, operation),
    ConnectionError,
  );
  expect(error.outcome).toBe('executed');
});

describe('a compressed body', () => {
  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['GZIP', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('is decompressed with %s', async (encoding, compress) => {
    const url = await startServer((request, response) => {
      expect(request.headers['accept-encoding']).toBe('br, gzip');
      response.setHeader('content-encoding', encoding);
      response.end(compress(JSON.stringify(refund)));
    });
    expect(await client(url).refunds.retrieve('rf_1')).toEqual(refund);
  });

  it('that is truncated is an error, not a partial result', async () => {
    const url = await startServer((_request, response) => {
      response.setHeader('content-encoding', 'gzip');
      response.end(gzipSync(JSON.stringify(refund)).subarray(0, 40));
    });
    const call = client(url, { maxRetries: 0 }).refunds.create(refundParams, operation);
    expect(await failureOf(call, ConnectionError)).toMatchObject({ code: 'NETWORK', outcome: 'executed' });
  });
});

describe('an abort', () => {
  it('ends the request at the server', async () => {
    const controller = new AbortController();
    const ended = new Promise<void>((resolve) => {
      void startServer((request) => {
        request.socket.on('close', () => resolve());
        controller.abort();
      }).then((url) => {
        const call = client(url).refunds.create(refundParams, { ...operation, signal: controller.signal });
        return failureOf(call, RequestAbortedError);
      });
    });
    await ended;
  });

  it('ends a request on a kept connection without sending it again', async () => {
    let count = 0;
    const url = await startServer((_request, response) => {
      count += 1;
      if (count !== 2) response.end(JSON.stringify(refund));
    });
    const payments = client(url, { maxRetries: 0 });
    await payments.refunds.retrieve('rf_1');
    await failureOf(payments.refunds.retrieve('rf_1', { timeout: 200 }), TimeoutError);
    // A request that was sent again would arrive before the second of these.
    await payments.refunds.retrieve('rf_1');
    await payments.refunds.retrieve('rf_1');
    expect(count).toBe(4);
  });

  it('leaves no listener on a signal that outlives the call', async () => {
    const { signal } = new AbortController();
    const [add, remove] = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')];
    const url = await startServer((_request, response) => response.end(JSON.stringify(refund)));
    await client(url).refunds.retrieve('rf_1', { signal });
    expect(add.mock.calls.length).toBeGreaterThan(0);
    expect(remove).toHaveBeenCalledTimes(add.mock.calls.length);
  });
});

it.each([['http://payments.test'], ['https://payments.test'], ['http://[::1]'], ['http://[::1]:8080']])(
  'sends its request to %s',
  async (url) => {
    const server = setupServer(mswHttp.get(`${url}/v1/refunds/rf_1`, () => HttpResponse.json(refund)));
    server.listen({ onUnhandledFrame: 'error' });
    onTestFinished(() => server.close());
    const { refunds } = client(url, { allowInsecure: true, maxRetries: 0 });
    expect(await refunds.retrieve('rf_1')).toEqual(refund);
  },
);

it('returns all headers of a response', async () => {
  const url = await startServer((_request, response) => {
    response.setHeader('set-cookie', ['a=1', 'b=2']);
    response.setHeader('x-request-id', 'req_1');
    response.end(JSON.stringify(refund));
  });
  const { response } = await client(url).refunds.retrieve('rf_1').withResponse();
  expect(response.headers).toBeInstanceOf(Headers);
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(response).toMatchObject({ status: 200, requestId: 'req_1', attempts: 1 });
});

describe('network mocks', () => {
  it('intercept requests: msw', async () => {
    const url = 'https://payments.test';
    const server = setupServer(mswHttp.get(`${url}/v1/refunds/rf_1`, () => HttpResponse.json(refund)));
    server.listen({ onUnhandledFrame: 'error' });
    onTestFinished(() => server.close());
    expect(await client(url).refunds.retrieve('rf_1')).toEqual(refund);
  });

  it('intercept requests: nock', async () => {
    onTestFinished(() => nock.restore());
    const url = 'https://payments.test';
    const scope = nock(url, { reqheaders: { authorization: `Bearer ${keys.secretKey}` } })
      .post('/v1/refunds', refundParams)
      .reply(200, { ...refund });
    expect(await client(url).refunds.create(refundParams, operation)).toEqual(refund);
    expect(scope.isDone()).toBe(true);
  });
});
