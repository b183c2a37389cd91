import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { readBytes } from './bytes.ts';
import type { Delivery } from './delivery.ts';

/** The most bytes read of a delivery. */
const maxBytes = 1024 * 1024;

async function readRequest(request: IncomingMessage): Promise<Delivery> {
  const { bytes: body } = await readBytes(request, maxBytes);
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
  return { headers: new Map(headers), body };
}

/** A local server that accepts one delivery. */
export interface DeliveryListener {
  /** The URL of the server. */
  readonly url: string;
  /** Returns the first delivery; `undefined` if none arrives in time, or before an abort. */
  first(milliseconds: number, signal?: AbortSignal): Promise<Delivery | undefined>;
  close(): void;
}

function addressOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return `http://127.0.0.1:${address.port}`;
}

/** Listens on the loopback address for one delivery. A tunnel may forward to it. */
export async function listenForDelivery(port: number): Promise<DeliveryListener> {
  const server = createServer();
  const arrived = new Promise<Delivery>((resolve) => {
    server.on('request', (request, response) => {
      readRequest(request).then(
        (delivery) => {
          response.writeHead(200).end();
          if (request.method === 'POST') resolve(delivery);
        },
        () => response.destroy(),
      );
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: addressOf(server),
    async first(milliseconds, signal) {
      const settled = new AbortController();
      const stop = signal === undefined ? settled.signal : AbortSignal.any([settled.signal, signal]);
      const over = setTimeout(milliseconds, undefined, { signal: stop }).catch(() => undefined);
      return Promise.race([arrived, over]).finally(() => settled.abort());
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
