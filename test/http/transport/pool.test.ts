/** Keep-alive connections: when one is reused, and what happens if the server closes one. */

import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createSocketServer, type Socket } from 'node:net';
import { ConnectionError, RequestAbortedError } from 'payments-client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { paymentIntent, refund, refundParams, saleParams } from '../../support/fixtures.ts';
import { skipBackOff } from '../../support/mock-service.ts';
import { listen } from '../../support/socket-server.ts';
import { client, operation, startServer } from './support.ts';

const asJson = (value: unknown) => {
  const body = JSON.stringify(value);
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
};

/** A service, and the connection of each request to it. */
async function startCountingServer(
  listener: RequestListener = (_request, response) => response.end(JSON.stringify(refund)),
) {
  const ports = new Set<number | undefined>();
  const url = await startServer((request, response) => {
    ports.add(request.socket.remotePort);
    listener(request, response);
  });
  return { url, ports };
}

/** Advances the clock, but no timer. */
function setClockForward(milliseconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds });
}

const eventLoopTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('a connection', () => {
  afterEach(() => void vi.useRealTimers());

  it('is reused for the next request', async () => {
    const { url, ports } = await startCountingServer();
    for (let time = 0; time < 3; time += 1) await client(url).refunds.retrieve('rf_1');
    expect(ports.size).toBe(1);
  });

  it('is new for each sale, and closed after it', async () => {
    const connections = new Set<Socket>();
    const { url, ports } = await startCountingServer((request, response) => {
      connections.add(request.socket);
      response.end(JSON.stringify({ ...refund, response: 1 }));
    });
    const { refunds, transact } = client(url);
    await refunds.retrieve('rf_1');
    for (let time = 0; time < 3; time += 1) await transact.sale(saleParams);
    await refunds.retrieve('rf_1');
    expect(ports.size).toBe(4);
    const [kept, ...ofSales] = connections;
    await Promise.all(ofSales.map(async (socket) => socket.closed || once(socket, 'close')));
    expect(kept?.closed).toBe(false);
  });

  it('is kept while other requests go to another address', async () => {
    const [one, other] = [await startCountingServer(), await startCountingServer()];
    for (const { url } of [one, other, one, other]) await client(url).refunds.retrieve('rf_1');
    expect([one.ports.size, other.ports.size]).toEqual([1, 1]);
  });

  it('is not kept for ever in a program that calls more and more addresses', async () => {
    const { url, ports } = await startCountingServer();
    await client(url).refunds.retrieve('rf_1');
    for (let host = 2; host < 102; host += 1) {
      const elsewhere = client(url.replace('127.0.0.1', `127.0.0.${host}`), { maxRetries: 0 });
      await failureOf(elsewhere.refunds.retrieve('rf_1'), ConnectionError);
    }
    await client(url).refunds.retrieve('rf_1');
    expect(ports.size).toBe(2);
  });

  it('is not reused after a pause, because a suspended process closes none', async () => {
    const { url, ports } = await startCountingServer();
    await client(url).refunds.retrieve('rf_1');
    setClockForward(5_000);
    await client(url).refunds.retrieve('rf_1');
    expect(ports.size).toBe(2);
  });

  it('is reused after a slow response', async () => {
    const { url, ports } = await startCountingServer((_request, response) => {
      setClockForward(5_000);
      response.end(JSON.stringify(refund));
    });
    await client(url).refunds.retrieve('rf_1');
    await client(url).refunds.retrieve('rf_1');
    expect(ports.size).toBe(1);
  });

  it('is closed after an upgrade to another protocol', async () => {
    const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: tea\r\n\r\n';
    const sockets: Socket[] = [];
    const server = createSocketServer((socket) => {
      sockets.push(socket.on('error', () => {}));
      socket.once('data', () => socket.write(upgrade));
    });
    const { transact } = client(`http://127.0.0.1:${await listen(server)}`);
    const error = await failureOf(transact.sale(saleParams), ConnectionError);
    expect(error).toMatchObject({ outcome: 'unknown', cause: { message: 'another protocol' } });
    await vi.waitUntil(() => sockets[0]?.destroyed, { timeout: 30_000 });
  });

  it('stays open if a request over another one is aborted', async () => {
    const controller = new AbortController();
    let held = 0;
    const { url, ports } = await startCountingServer((_request, response) => {
      held += 1;
      if (held < 3) void Promise.resolve().then(() => response.end(JSON.stringify(refund)));
      else if (held === 3) controller.abort();
      else response.end(JSON.stringify(refund));
    });
    const { refunds } = client(url, { maxRetries: 0 });
    await Promise.all([refunds.retrieve('rf_1'), refunds.retrieve('rf_1')]);
    expect(ports.size).toBe(2);
    await failureOf(refunds.retrieve('rf_1', { signal: controller.signal }), RequestAbortedError);
    // The aborted connection emits its end in one of the next turns of the event loop.
    for (let round = 0; round < 5; round += 1) await eventLoopTurn();
    await refunds.retrieve('rf_1');
    expect(ports.size).toBe(2);
  });

  it('carries nothing of an aborted request when it is reused', async () => {
    const arrived = vi.fn();
    const { url } = await startCountingServer((_request, response) => {
      arrived();
      response.end(JSON.stringify(refund));
    });
    const { refunds } = client(url);
    await refunds.retrieve('rf_1');
    await eventLoopTurn();
    const controller = new AbortController();
    const call = failureOf(
      refunds.create(refundParams, { ...operation, signal: controller.signal }),
      RequestAbortedError,
    );
    await eventLoopTurn();
    controller.abort();
    expect((await call).outcome).toBe('not_executed');
    await refunds.retrieve('rf_1');
    expect(arrived).toHaveBeenCalledTimes(2);
  });
});

/** Responds to the first request on each connection, and resets it at the second one. */
async function startServerResettingReuse(
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
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, requests: () => requests };
}

describe('a kept connection that the server closes as the next request comes', () => {
  beforeEach(skipBackOff);

  it('leads to a retry if that is safe, and closes all other kept connections', async () => {
    const { url, requests } = await startServerResettingReuse(asJson(paymentIntent));
    const payments = client(url, { maxRetries: 1 });
    await Promise.all([1, 2, 3].map(() => payments.paymentIntents.retrieve('pi_1')));
    const params = { amount: 1200, currency: 'usd' };
    const { response } = await payments.paymentIntents.create(params, operation).withResponse();
    expect(response.attempts).toBe(2);
    expect(requests()).toHaveLength(5);
    expect(requests()[4]).toBe(requests()[3]);
  });

  it('is not used for a sale if its end has already arrived', async () => {
    const server = createHttpServer((_request, response) => response.end('response=1'));
    const { transact } = client(`http://127.0.0.1:${await listen(server)}`);
    await transact.sale(saleParams);
    server.closeAllConnections();
    const { response } = await transact.sale(saleParams).withResponse();
    expect(response.attempts).toBe(1);
  });

  it('does not concern a sale, which has a new connection', async () => {
    const { url, requests } = await startServerResettingReuse(asJson({ ...refund, response: 1 }));
    const payments = client(url);
    await payments.refunds.retrieve('rf_1');
    for (let time = 0; time < 2; time += 1) {
      expect((await payments.transact.sale(saleParams)).approved).toBe(true);
    }
    expect(requests()).toHaveLength(3);
  });
});
