/** The server that all contenders talk to, in a process of its own. */

import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { pageAfter, payment, squarePayment } from './records.ts';

/** What the process is told when it starts. */
export interface ServerSettings {
  /** For the server over TLS. */
  readonly key: string;
  readonly cert: string;
}

/** Where it listens. */
export interface ServerUrls {
  readonly plain: string;
  readonly secure: string;
}

/** The records of lists, and how long an answer waits, in ms. Set by the process that measures. */
const state = { total: 10_000, latency: 0 };

const pages = new Map<string, Buffer>();

/** Pages are kept, so that making them costs the first reader only. A million records are too many to keep. */
function pageOf(after: string): Buffer {
  const make = () => Buffer.from(pageAfter(Number.parseInt(after, 10), state.total));
  if (state.total > 100_000) return make();
  const key = `${state.total} ${after}`;
  const page = pages.get(key) ?? make();
  pages.set(key, page);
  return page;
}

const answers = { payment: Buffer.from(payment), squarePayment: Buffer.from(squarePayment) };

/** What is asked for, found with as little work as can be: what the server does not use of the machine, the clients can. */
function bodyOf({ method, url = '/' }: IncomingMessage): Buffer {
  if (method === 'GET') return pageOf(/starting_after=cus_(\d+)/.exec(url)?.[1] ?? '');
  return url.startsWith('/v2/') ? answers.squarePayment : answers.payment;
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const body = bodyOf(request);
  const headers = { 'content-type': 'application/json', 'request-id': 'req_0123456789' };
  response.writeHead(200, { ...headers, 'content-length': body.length });
  response.end(body);
}

const listener: RequestListener = (request, response) => {
  request.resume();
  request.on('end', () => {
    if (state.latency === 0) answer(request, response);
    else setTimeout(() => answer(request, response), state.latency);
  });
};

function listen(server: Server): Promise<number> {
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  );
}

process.on('message', async (message: ServerSettings | Partial<typeof state>) => {
  if (!('key' in message)) {
    Object.assign(state, message);
    process.send?.('set');
    return;
  }
  const plain = await listen(createServer({ keepAliveTimeout: 60_000 }, listener));
  const secure = await listen(createSecureServer({ ...message, keepAliveTimeout: 60_000 }, listener));
  const urls: ServerUrls = { plain: `http://127.0.0.1:${plain}`, secure: `https://localhost:${secure}` };
  process.send?.(urls);
});

// Nobody is left to measure anything.
process.on('disconnect', () => process.exit());
