/** Reuse of kept connections during other calls, and connection errors after a request was sent. */

import http, { type ClientRequest } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { ConnectionError, type PaymentsClient } from 'payments-client';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { failureOf } from '../../../support/failure.ts';
import { saleParams } from '../../../support/fixtures.ts';
import { skipBackOff } from '../../../support/mock-service.ts';
import { listen } from '../../../support/socket-server.ts';
import { client } from '../support.ts';

const responseWith = (body: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
const approved = (id: string) => responseWith(`response=1&transactionid=${id}`);

/**
 * A service whose connections a test controls. A request for `/v1/customers/cus_slow` gets no response; a sale is approved with its
 * arrival number as its id.
 */
async function startService() {
  const idle: Socket[] = [];
  const sales: string[] = [];
  const server = createServer((socket) => {
    socket.setNoDelay(true).on('error', () => {});
    socket.on('data', (chunk) => {
      const request = chunk.toString();
      if (request.startsWith('GET')) return;
      sales.push(request);
      idle.push(socket);
      socket.write(approved(String(sales.length)));
    });
  });
  const payments = client(`http://127.0.0.1:${await listen(server)}`);
  return { payments, sales, idle };
}

/** Starts a call that is in progress until the test ends. */
function keepBusy(payments: PaymentsClient): AbortController {
  const controller = new AbortController();
  payments.customers.retrieve('cus_slow', { signal: controller.signal }).catch(() => {});
  return controller;
}

/** Writes to a connection of the service, and resolves when the kernel has the bytes. */
const written = (socket: Socket | undefined, bytes: string) =>
  new Promise<void>((resolve) => socket?.write(bytes, () => resolve()));

const eventLoopTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('a kept connection, while another call is in progress', () => {
  it.each([
    ['a whole response', approved('stray')],
    ['the start of a response', 'HTTP/1.1 200 OK\r\ncontent-length: 26\r\n'],
    ['bytes that are no response', 'tea'],
  ])('that received %s without a request carries no sale', async (_what, stray) => {
    const { payments, sales, idle } = await startService();
    const busy = keepBusy(payments);
    for (let time = 1; time <= 20; time += 1) {
      await payments.transact.sale(saleParams);
      const kept = idle.at(-1);
      await written(kept, stray);
      const { data, response } = await payments.transact.sale(saleParams).withResponse();
      expect([data.transactionid, response.attempts]).toEqual([String(2 * time), 1]);
      expect(idle.at(-1)).not.toBe(kept);
    }
    expect(sales).toHaveLength(40);
    busy.abort();
  });

  it('that the service has closed carries no sale', async () => {
    const { payments, sales, idle } = await startService();
    const busy = keepBusy(payments);
    for (let time = 1; time <= 20; time += 1) {
      await payments.transact.sale(saleParams);
      idle.at(-1)?.destroy();
      await eventLoopTurn();
      const { data, response } = await payments.transact.sale(saleParams).withResponse();
      expect([data.transactionid, response.attempts]).toEqual([String(2 * time), 1]);
    }
    expect(sales).toHaveLength(40);
    busy.abort();
  });
});

/** The requests that `node:http` creates, in order. */
function watchRequests(): readonly ClientRequest[] {
  const made: ClientRequest[] = [];
  const original = http.request;
  vi.spyOn(http, 'request').mockImplementation((...given: Parameters<typeof http.request>) => {
    const request = original(...given);
    made.push(request);
    return request;
  });
  return made;
}

describe('an error of an established connection', () => {
  beforeEach(skipBackOff);

  it.each(['EHOSTUNREACH', 'ENETUNREACH', 'ECONNREFUSED'])(
    '(%s, by which Linux reports ICMP errors) leaves a sale unknown, and it is sent once',
    async (code) => {
      const requests = watchRequests();
      const arrived: string[] = [];
      const server = createServer((socket) => {
        socket.on('error', () => {});
        socket.on('data', (chunk) => {
          arrived.push(chunk.toString());
          const error = Object.assign(new Error(`read ${code}`), { code, syscall: 'read' });
          requests.at(-1)?.socket?.destroy(error);
        });
      });
      const { transact } = client(`http://127.0.0.1:${await listen(server)}`);
      const error = await failureOf(transact.sale(saleParams), ConnectionError);
      expect(error).toMatchObject({ code, outcome: 'unknown', retryable: false, attempts: 1 });
      expect(arrived).toHaveLength(1);
    },
  );
});
