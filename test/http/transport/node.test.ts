/** Requests over `node:http` to real servers: damaged and compressed bodies, aborted requests, addresses, headers. */

import { getEventListeners } from 'node:events';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { ApiError, ConnectionError, PaymentsError, RequestAbortedError } from 'payments-client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { refund, refundParams, saleParams } from '../../support/fixtures.ts';
import { startWireServer } from '../../support/socket-server.ts';
import { client, operation, startServer } from './support.ts';

/** Answers each request with these bytes, and then ends or resets the connection. */
async function serviceSending(bytes: string | Uint8Array, then: 'end' | 'reset') {
  const { url, requests } = await startWireServer((connection) => {
    connection.write(bytes);
    setImmediate(connection[then]);
  });
  return { requests, payments: client(url, { maxRetries: 0 }) };
}

const head = (status: string, headers: string) => `HTTP/1.1 ${status}\r\n${headers}\r\n\r\n`;

describe('a damaged response', () => {
  const gzipped = gzipSync(JSON.stringify({ code: 'IDEMPOTENCY_KEY_IN_PROGRESS', filler: 'x'.repeat(99) }));
  const spoiled = Buffer.from(gzipped).fill(7, 12);
  const packed = (status: string, body: Uint8Array) =>
    Buffer.concat([
      Buffer.from(head(status, `content-encoding: gzip\r\ncontent-length: ${body.length}`)),
      body,
    ]);

  it.each<readonly [what: string, bytes: string | Uint8Array, then: 'end' | 'reset', outcome: string]>([
    ['without a head, ended', '', 'end', 'unknown'],
    ['without a head, reset', '', 'reset', 'unknown'],
    ['cut in its head', 'HTTP/1.1 200 OK\r\ncontent-le', 'end', 'unknown'],
    ['cut in its body, ended', `${head('200 OK', 'content-length: 100')}{"id":`, 'end', 'executed'],
    ['cut in its body, reset', `${head('200 OK', 'content-length: 100')}{"id":`, 'reset', 'executed'],
    ['badly compressed', packed('200 OK', spoiled), 'end', 'executed'],
    ['cut in its compression', packed('200 OK', gzipped.subarray(0, 40)), 'end', 'executed'],
    ['no HTTP', 'tea\r\n\r\n', 'end', 'unknown'],
  ])('(%s) is a broken connection, after which a sale is unknown', async (_what, bytes, then, outcome) => {
    const { payments, requests } = await serviceSending(bytes, then);
    const error = await failureOf(payments.refunds.create(refundParams, operation), ConnectionError);
    expect(error).toMatchObject({ outcome, retryable: true });
    const ofSale = await failureOf(payments.transact.sale(saleParams), ConnectionError);
    expect(ofSale).toMatchObject({ outcome: 'unknown', retryable: false });
    expect(requests).toHaveLength(2);
  });

  it.each<readonly [what: string, bytes: string | Uint8Array]>([
    ['cut', `${head('409 Conflict', 'content-length: 400')}{"code":"IDEMPOTENCY_KEY`],
    ['badly compressed', packed('409 Conflict', spoiled)],
  ])('with a status of its own is an error of that status: %s', async (_what, bytes) => {
    const { payments } = await serviceSending(bytes, 'end');
    const error = await failureOf(payments.refunds.create(refundParams, operation), ApiError);
    expect(error).toMatchObject({ status: 409, code: undefined, outcome: 'unknown', retryable: true });
  });

  it('of a sale that is a part of the result (206) is never approved', async () => {
    const result = 'response=1&transactionid=7';
    const bytes = head('206 Partial Content', `content-length: ${result.length}`) + result;
    const { payments } = await serviceSending(bytes, 'end');
    const error = await failureOf(payments.transact.sale(saleParams), PaymentsError);
    expect(error).toMatchObject({ outcome: 'unknown', retryable: false });
  });
});

it.each([
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['GZIP', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['identity', (text: string) => text],
] as const)('reads a body with the encoding %s', async (encoding, compress) => {
  const accepted = vi.fn();
  const url = await startServer((request, response) => {
    accepted(request.headers['accept-encoding']);
    response.setHeader('content-encoding', encoding).end(compress(JSON.stringify(refund)));
  });
  expect(await client(url).refunds.retrieve('rf_1')).toEqual(refund);
  expect(accepted).toHaveBeenCalledExactlyOnceWith('br, gzip');
});

it('reads a response that names an encoding and has no body', async () => {
  const url = await startServer((_request, response) => {
    response.writeHead(204, { 'content-encoding': 'gzip' }).end();
  });
  expect(await client(url).customers.delete('cus_1')).toEqual({ id: 'cus_1', deleted: true });
});

describe('an abort', () => {
  it('by a hook, before anything was written, sends nothing', async () => {
    const asked = vi.fn();
    const url = await startServer(asked);
    const controller = new AbortController();
    const payments = client(url, { hooks: { request: () => controller.abort() } });
    const { signal } = controller;
    const error = await failureOf(
      payments.refunds.create(refundParams, { ...operation, signal }),
      RequestAbortedError,
    );
    expect(error).toMatchObject({ outcome: 'not_executed', attempts: 1 });
    expect(asked).not.toHaveBeenCalled();
  });

  it('is not listened for after calls that no server took', async () => {
    const { signal } = new AbortController();
    const url = await startServer((request) => void request.socket.destroy());
    const payments = client(url, { maxRetries: 3 });
    await failureOf(payments.refunds.create(refundParams, { ...operation, signal }), ConnectionError);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it.each([0, 1])('ends the request at the server, after %i earlier ones', async (earlier) => {
    const controller = new AbortController();
    let [count, onClosed] = [0, () => {}];
    const closed = new Promise<void>((resolve) => {
      onClosed = resolve;
    });
    const url = await startServer((request, response) => {
      count += 1;
      if (count !== earlier + 1) {
        response.end(JSON.stringify(refund));
        return;
      }
      request.socket.on('close', onClosed);
      controller.abort();
    });
    const payments = client(url);
    for (let call = 0; call < earlier; call += 1) await payments.refunds.retrieve('rf_1');
    const aborted = payments.refunds.create(refundParams, { ...operation, signal: controller.signal });
    expect(await failureOf(aborted, RequestAbortedError)).toMatchObject({ outcome: 'unknown' });
    await closed;
    // A request that was sent again would arrive before this one.
    await payments.refunds.retrieve('rf_1');
    expect(count).toBe(earlier + 2);
  });
});

it.each(['http://[::1]', 'https://[::1]:8443', 'https://payments.test:8443', 'http://payments.test/shop'])(
  'sends its request to %s',
  async (url) => {
    const server = setupServer(http.get(`${url}/v1/refunds/rf_1`, () => HttpResponse.json(refund)));
    server.listen({ onUnhandledFrame: 'error' });
    onTestFinished(() => server.close());
    const { refunds } = client(url, { allowInsecure: true, maxRetries: 0 });
    expect(await refunds.retrieve('rf_1')).toEqual(refund);
  },
);

it('returns all headers of a response', async () => {
  const url = await startServer((_request, response) => {
    response.setHeader('set-cookie', ['a=1', 'b=2']).setHeader('x-extra', 'yes');
    response.end(JSON.stringify(refund));
  });
  const { response } = await client(url).refunds.retrieve('rf_1').withResponse();
  expect(response.headers).toBeInstanceOf(Headers);
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(response.headers.get('x-extra')).toBe('yes');
});
