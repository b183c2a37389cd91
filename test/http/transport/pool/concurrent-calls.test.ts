/** Kept connections that are used again while other calls are under way, and errors of a connection after the request has left. */

import http, { type ClientRequest } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { ConnectionError, type PaymentsClient } from 'payments-client';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { failureOf } from '../../../support/failure.ts';
import { saleParams } from '../../../support/fixtures.ts';
import { skipBackOff } from '../../../support/mock-service.ts';
import { listen } from '../../../support/socket-server.ts';
import { client } from '../support.ts';

const answer = (body: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
const approved = (id: string) => answer(`response=1&transactionid=${id}`);

/**
 * A service on whose connections a test can do what it wants. A request for `/v1/customers/cus_slow` stays without an answer; a sale is
 * approved with the number of its arrival as its id.
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

/** A call that is under way until the test is over. */
function keepBusy(payments: PaymentsClient): AbortController {
  const controller = new AbortController();
  payments.customers.retrieve('cus_slow', { signal: controller.signal }).catch(() => {});
  return controller;
}

/** Writes on a connection of the service, and waits until the kernel has it. */
const written = (socket: Socket | undefined, bytes: string) =>
  new Promise<void>((resolve) => socket?.write(bytes, () => resolve()));

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a kept connection, while another call is under way', () => {
  it.each([
    ['a whole response', approved('stray')],
    ['the beginning of one', 'HTTP/1.1 200 OK\r\ncontent-length: 26\r\n'],
    ['bytes that are no response', 'tea'],
  ])('that brought %s which nobody asked for carries no sale', async (_what, stray) => {
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

  it('that the service closed meanwhile carries no sale', async () => {
    const { payments, sales, idle } = await startService();
    const busy = keepBusy(payments);
    for (let time = 1; time <= 20; time += 1) {
      await payments.transact.sale(saleParams);
      idle.at(-1)?.destroy();
      await turn();
      const { data, response } = await payments.transact.sale(saleParams).withResponse();
      expect([data.transactionid, response.attempts]).toEqual([String(2 * time), 1]);
    }
    expect(sales).toHaveLength(40);
    busy.abort();
  });
});

/** Requests that `node:http` makes, in the order in which they are made. */
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
    '(%s, by which Linux reports what ICMP says) leaves a sale unknown, and it is sent once',
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
