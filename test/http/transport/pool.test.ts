/** Keep-alive connections: when one is reused, and what happens if the server writes to one, closes it or breaks it. */

import { getEventListeners, once } from 'node:events';
import http, { type ClientRequest, type RequestListener } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { ConnectionError, type PaymentsClient, RequestAbortedError } from 'payments-client';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { refund, refundParams, saleParams } from '../../support/fixtures.ts';
import { skipBackOff } from '../../support/mock-service.ts';
import { bySize } from '../../support/size.ts';
import { listen } from '../../support/socket-server.ts';
import { client, operation, startServer } from './support.ts';

const body = JSON.stringify({ ...refund, response: 1 });
const eventLoopTurn = () => new Promise((resolve) => setImmediate(resolve));

/** A service, and the connection of each request to it. */
async function startCountingServer(listener: RequestListener = (_request, response) => response.end(body)) {
  const sockets: Socket[] = [];
  const url = await startServer((request, response) => {
    sockets.push(request.socket);
    listener(request, response);
  });
  return { url, sockets, connections: () => new Set(sockets).size };
}

/** Advances the clock, but no timer. */
function setClockForward(milliseconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds });
}

afterEach(() => void vi.useRealTimers());

describe('a connection', () => {
  it('is reused for the next request, of other clients too', async () => {
    const { url, sockets, connections } = await startCountingServer();
    for (let time = 0; time < 3; time += 1) await client(url).refunds.retrieve('rf_1');
    expect([sockets.length, connections()]).toEqual([3, 1]);
  });

  it('is new for each sale, and closed after it', async () => {
    const { url, sockets, connections } = await startCountingServer();
    const { refunds, transact } = client(url);
    await refunds.retrieve('rf_1');
    for (let time = 0; time < 3; time += 1) await transact.sale(saleParams);
    await refunds.retrieve('rf_1');
    expect(connections()).toBe(4);
    const [kept, ...others] = sockets;
    const ofSales = others.filter((socket) => socket !== kept);
    await Promise.all(ofSales.map(async (socket) => socket.closed || once(socket, 'close')));
    expect(kept?.closed).toBe(false);
  });

  it('is kept while other requests go to another address', async () => {
    const [one, other] = [await startCountingServer(), await startCountingServer()];
    for (const { url } of [one, other, one, other]) await client(url).refunds.retrieve('rf_1');
    expect([one.connections(), other.connections()]).toEqual([1, 1]);
  });

  it('is not kept for ever in a program that calls more and more addresses', async () => {
    const { url, connections } = await startCountingServer();
    await client(url).refunds.retrieve('rf_1');
    const hosts = Array.from({ length: 100 }, (_, index) => url.replace('127.0.0.1', `127.0.0.${index + 2}`));
    const elsewhere = hosts.map((host) => client(host, { maxRetries: 0 }).refunds.retrieve('rf_1'));
    await Promise.all(elsewhere.map((call) => failureOf(call, ConnectionError)));
    await client(url).refunds.retrieve('rf_1');
    expect(connections()).toBe(2);
  });

  it.each([
    [4_000, 1],
    // A suspended process closes none.
    [4_001, 2],
  ])('is not reused after a pause of more than 4 s: %i ms', async (pause, count) => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_790_000_000_000 });
    const { url, connections } = await startCountingServer();
    await client(url).refunds.retrieve('rf_1');
    vi.setSystemTime(1_790_000_000_000 + pause);
    await client(url).refunds.retrieve('rf_1');
    expect(connections()).toBe(count);
  });

  it('is reused after a slow response', async () => {
    const { url, connections } = await startCountingServer((_request, response) => {
      setClockForward(5_000);
      response.end(body);
    });
    for (let time = 0; time < 2; time += 1) await client(url).refunds.retrieve('rf_1');
    expect(connections()).toBe(1);
  });

  it('is closed after an upgrade to another protocol', async () => {
    const closed = vi.fn();
    const ends = new Promise<void>((resolve) => closed.mockImplementation(() => resolve()));
    const server = createServer((socket) => {
      socket.on('error', () => {}).on('close', closed);
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: tea\r\n\r\n'),
      );
    });
    const { transact } = client(`http://127.0.0.1:${await listen(server)}`);
    const error = await failureOf(transact.sale(saleParams), ConnectionError);
    expect(error).toMatchObject({ outcome: 'unknown', cause: { message: 'another protocol' }, attempts: 1 });
    await ends;
  });

  it('stays open if a request over another one is aborted', async () => {
    const controller = new AbortController();
    let held = 0;
    const { url, connections } = await startCountingServer((_request, response) => {
      held += 1;
      if (held === 3) controller.abort();
      else queueMicrotask(() => response.end(body));
    });
    const { refunds } = client(url, { maxRetries: 0 });
    await Promise.all([refunds.retrieve('rf_1'), refunds.retrieve('rf_1')]);
    expect(connections()).toBe(2);
    await failureOf(refunds.retrieve('rf_1', { signal: controller.signal }), RequestAbortedError);
    // The aborted connection emits its end in one of the next turns of the event loop.
    for (let round = 0; round < 5; round += 1) await eventLoopTurn();
    await refunds.retrieve('rf_1');
    expect(connections()).toBe(2);
  });

  it('carries nothing of a request that is aborted before it is sent', async () => {
    const { url, sockets } = await startCountingServer();
    const { refunds } = client(url);
    await refunds.retrieve('rf_1');
    await eventLoopTurn();
    const controller = new AbortController();
    const call = refunds.create(refundParams, { ...operation, signal: controller.signal });
    const failure = failureOf(call, RequestAbortedError);
    await eventLoopTurn();
    controller.abort();
    expect((await failure).outcome).toBe('not_executed');
    await refunds.retrieve('rf_1');
    expect(sockets).toHaveLength(2);
  });
});

const responseWith = (content: string) =>
  `HTTP/1.1 200 OK\r\ncontent-length: ${content.length}\r\n\r\n${content}`;
const refundOf = (id: string) => responseWith(JSON.stringify({ ...refund, id }));

/**
 * A service whose connections a test controls. A request for `cus_slow` gets no response; a refund has the number of its arrival as its
 * id.
 */
async function startControlledService() {
  const used: Socket[] = [];
  const requests: string[] = [];
  const server = createServer((socket) => {
    socket.setNoDelay(true).on('error', () => {});
    socket.on('data', (chunk) => {
      const request = chunk.toString();
      if (request.includes('cus_slow')) return;
      requests.push(request);
      used.push(socket);
      socket.write(refundOf(`rf_${requests.length}`));
    });
  });
  const payments = client(`http://127.0.0.1:${await listen(server)}`);
  return { payments, requests, last: () => used.at(-1) };
}

/** Starts a call that is in progress until the test ends: its events keep the event loop busy. */
function keepBusy(payments: PaymentsClient): void {
  const controller = new AbortController();
  payments.customers.retrieve('cus_slow', { signal: controller.signal, maxRetries: 0 }).catch(() => {});
  onTestFinished(() => controller.abort());
}

/** Writes to a connection of the service, and resolves when the kernel has the bytes. */
const write = (bytes: string) => (socket: Socket | undefined) =>
  new Promise<void>((resolve) => socket?.write(bytes, () => resolve()));

describe('a kept connection, while another call is in progress', () => {
  const rounds = bySize({ short: 4, all: 20 });

  it.each<readonly [what: string, disturb: (socket: Socket | undefined) => Promise<unknown>]>([
    ['got a whole response that nobody asked for', write(refundOf('stray'))],
    ['got the start of a response', write('HTTP/1.1 200 OK\r\ncontent-length: 26\r\n')],
    ['got bytes that are no response', write('tea')],
    [
      'was closed by the service',
      (socket) => {
        socket?.destroy();
        return eventLoopTurn();
      },
    ],
  ])('that %s carries no request', async (_what, disturb) => {
    const { payments, requests, last } = await startControlledService();
    keepBusy(payments);
    for (let round = 1; round <= rounds; round += 1) {
      await payments.refunds.create(refundParams, { operationId: `first-${round}` });
      const kept = last();
      await disturb(kept);
      const { signal } = new AbortController();
      const next = payments.refunds.create(refundParams, { operationId: `next-${round}`, signal });
      const { data, response } = await next.withResponse();
      expect(getEventListeners(signal, 'abort')).toEqual([]);
      expect([data.id, response.attempts]).toEqual([`rf_${2 * round}`, 1]);
      expect(last()).not.toBe(kept);
    }
    expect(requests).toHaveLength(2 * rounds);
  });
});

describe('a connection that breaks as the request comes', () => {
  beforeEach(skipBackOff);

  /** Responds to the first request on each connection, and resets it at the second one. */
  async function startServerResettingReuse() {
    const requests: string[] = [];
    const server = createServer((socket) => {
      let isUsed = false;
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        requests.push(chunk.toString());
        if (isUsed) socket.resetAndDestroy();
        else socket.write(responseWith(body));
        isUsed = true;
      });
    });
    return { payments: client(`http://127.0.0.1:${await listen(server)}`, { maxRetries: 1 }), requests };
  }

  it('leads to a retry if that is safe, over a new connection', async () => {
    const { payments, requests } = await startServerResettingReuse();
    await Promise.all([1, 2, 3].map(() => payments.refunds.retrieve('rf_1')));
    const { response } = await payments.refunds.create(refundParams, operation).withResponse();
    expect(response.attempts).toBe(2);
    expect(requests).toHaveLength(5);
    expect(requests[4]).toBe(requests[3]);
  });

  it('leaves a call that is not safe to repeat unknown', async () => {
    const { payments, requests } = await startServerResettingReuse();
    await payments.refunds.retrieve('rf_1');
    const patch = { method: 'PATCH', path: '/v1/customers/cus_1', movesMoney: false } as const;
    const error = await failureOf(payments.request(patch), ConnectionError);
    expect(error).toMatchObject({ outcome: 'unknown', attempts: 1 });
    expect(requests).toHaveLength(2);
  });

  it('never is that of a sale, which has a new one', async () => {
    const { payments, requests } = await startServerResettingReuse();
    await payments.refunds.retrieve('rf_1');
    for (let time = 0; time < 2; time += 1)
      expect((await payments.transact.sale(saleParams)).approved).toBe(true);
    expect(requests).toHaveLength(3);
  });

  it.each(['EHOSTUNREACH', 'ENETUNREACH', 'ECONNREFUSED'])(
    'by %s, as Linux reports ICMP errors, leaves a sale unknown, and sent once',
    async (code) => {
      const made: ClientRequest[] = [];
      const { request: original } = http;
      vi.spyOn(http, 'request').mockImplementation((...given: Parameters<typeof http.request>) => {
        const request = original(...given);
        made.push(request);
        return request;
      });
      const arrived = vi.fn();
      const server = createServer((socket) => {
        socket.on('error', () => {});
        socket.on('data', () => {
          arrived();
          const error = Object.assign(new Error(`read ${code}`), { code, syscall: 'read' });
          made.at(-1)?.socket?.destroy(error);
        });
      });
      const { transact } = client(`http://127.0.0.1:${await listen(server)}`);
      const error = await failureOf(transact.sale(saleParams), ConnectionError);
      expect(error).toMatchObject({ code, outcome: 'unknown', retryable: false, attempts: 1 });
      expect(arrived).toHaveBeenCalledOnce();
    },
  );
});
