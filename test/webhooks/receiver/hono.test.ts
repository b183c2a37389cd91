/** The receiver in Hono on Node. */

import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { deliveryOf } from './deliveries.ts';
import { listen, running, serve } from './running.ts';
import { send, summary } from './send.ts';
import { startShop } from './servers.ts';
import { createShop } from './shop.ts';
import { receivesOn } from './suite.ts';

async function start(before: (context: Context) => unknown) {
  const shop = createShop();
  const app = new Hono();
  app.all('/w', async (context) => {
    await before(context);
    return shop.receiver.fetch(context.req.raw);
  });
  return running(`${await listen(createServer(getRequestListener(app.fetch)))}/w`, shop);
}

receivesOn('Hono', () =>
  startShop(({ fetch }) =>
    serve(createServer(getRequestListener(new Hono().all('/w', ({ req }) => fetch(req.raw)).fetch))),
  ),
);

describe('in Hono', () => {
  it.each<[string, (context: Context) => unknown]>([
    ['as JSON', ({ req }) => req.json()],
    ['as text', ({ req }) => req.text()],
    ['from the raw request', ({ req }) => req.raw.arrayBuffer()],
    ['in part', ({ req }) => req.raw.body?.getReader().read()],
    ['by a reader that is still reading it', ({ req }) => void req.raw.body?.getReader()],
  ])('refuses a body that was already read, %s, with advice', async (_how, before) => {
    const { url, calls } = await start(before);
    expect(summary(await send(url, await deliveryOf()))).toBe('400 refused invalid_payload');
    const { handled, failures } = await calls();
    expect(handled).toEqual([]);
    expect(failures[0]?.message).toMatch(
      /body was already read.+Pass the request to receiver\.fetch before anything reads its body/,
    );
  });

  it('accepts a body whose clone was read', async () => {
    const { url } = await start(({ req }) => req.raw.clone().json());
    expect(summary(await send(url, await deliveryOf()))).toBe('200 handled');
  });

  it('it can be mounted in a sub-app, next to other methods', async () => {
    const shop = createShop();
    const part = new Hono().post('/w', ({ req }) => shop.receiver.fetch(req.raw));
    const app = new Hono().route('/api', part);
    const url = await listen(createServer(getRequestListener(app.fetch)));
    expect(summary(await send(`${url}/api/w`, await deliveryOf()))).toBe('200 handled');
    expect((await send(`${url}/api/w`, { method: 'GET' })).status).toBe(404);
  });
});
