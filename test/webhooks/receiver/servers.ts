/** The receiver on each kind of server, mounted as in the guide. */

import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import express from 'express';
import { fastify } from 'fastify';
import type { Receiver } from 'payments-client/webhooks';
import { mountIn } from '../../support/fastify.ts';
import { listen, urlOf } from './running.ts';

async function toRequest(incoming: IncomingMessage): Promise<Request> {
  return new Request(`http://shop.test${incoming.url}`, {
    method: 'POST',
    body: await buffer(incoming),
    headers: Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
  });
}

/** Servers by name. Each handles a POST to `/hooks/<merchant>`, and returns its origin. */
export const servers: Readonly<Record<string, (receiver: Receiver) => Promise<string>>> = {
  'node:http': (receiver) => listen(createServer(receiver.node)),
  'a router of Express': (receiver) => {
    const router = express.Router().post('/:merchant', receiver.node);
    return listen(createServer(express().use('/hooks', router)));
  },
  Fastify: async (receiver) => {
    const app = fastify();
    await mountIn(app, '/hooks/:merchant', receiver);
    await app.listen({ port: 0, host: '127.0.0.1' });
    return urlOf(app.server);
  },
  fetch: (receiver) =>
    listen(
      createServer(async (incoming, outgoing) => {
        const response = await receiver.fetch(await toRequest(incoming));
        outgoing.writeHead(response.status).end(await response.text());
      }),
    ),
};
