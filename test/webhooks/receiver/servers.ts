/** Servers of Node, mounted as in the guide. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import express from 'express';
import { fastify } from 'fastify';
import type { Receiver } from 'payments-client/webhooks';
import { mountIn } from '../../support/fastify.ts';
import { originOf, type Running, running, serve } from './running.ts';
import { createShop } from './shop.ts';

type Origin = Awaited<ReturnType<typeof serve>>;

function toRequest(incoming: IncomingMessage): Request {
  const { method = '', url, headers } = incoming;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(`http://shop.test${url}`, {
    method,
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
    ...(hasBody && { body: Readable.toWeb(incoming), duplex: 'half' }),
  });
}

async function sendResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(await response.text());
}

/** Servers by name, with a receiver at `/w`. */
export const servers: Readonly<Record<string, (receiver: Receiver) => Promise<Origin>>> = {
  'node:http': (receiver) => serve(createServer(receiver.node)),
  // Its path is cut off in what the router passes on.
  'a router of Express': (receiver) =>
    serve(createServer(express().use('/w', express.Router().all('/', receiver.node)))),
  Fastify: async (receiver) => {
    const app = fastify();
    await mountIn(app, '/w', receiver);
    await app.listen({ port: 0, host: '127.0.0.1' });
    return originOf(app.server);
  },
  // As in Next.js and Remix.
  'a bridge to fetch': (receiver) =>
    serve(
      createServer((incoming, outgoing) => {
        void receiver.fetch(toRequest(incoming)).then((response) => sendResponse(response, outgoing));
      }),
    ),
};

/** Starts a server with a shop of its own. */
export async function startShop(start: (receiver: Receiver) => Promise<Origin>): Promise<Running> {
  const shop = createShop();
  const { url, stop } = await start(shop.receiver);
  return { ...running(`${url}/w`, shop), stop };
}
