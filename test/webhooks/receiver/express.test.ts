/** The receiver in Express 5: behind its body parsers, and at every place of an app. */

import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import express, { type Express, type RequestHandler } from 'express';
import { describe, expect, it } from 'vitest';
import { deliveryOf, paidEvent } from './deliveries.ts';
import { listen, running } from './running.ts';
import { send, summary } from './send.ts';
import { createShop, type Shop } from './shop.ts';

async function start(mount: (app: Express, shop: Shop) => unknown) {
  const shop = createShop();
  const app = express();
  mount(app, shop);
  return running(`${await listen(createServer(app))}/w`, shop);
}

/** The receiver after another handler. */
const startBehind = (...before: RequestHandler[]) =>
  start((app, { receiver }) => app.use(before).post('/w', receiver.node));

const nonAscii = () => deliveryOf(JSON.stringify(paidEvent('São Paulo 🍵')));

const readAll: RequestHandler = async (request, _response, next) => {
  await buffer(request);
  next();
};

/** Keeps the raw body before the application runs, as Cloud Functions do. */
const platformKeepingRawBody: RequestHandler = async (request, _response, next) => {
  const rawBody = await buffer(request);
  Object.assign(request, { rawBody, body: JSON.parse(rawBody.toString()) });
  next();
};

const keepRawBody = express.json({
  verify: (request, _response, bytes) => {
    Object.assign(request, { rawBody: bytes });
  },
});

const callNextLater: RequestHandler = (_request, _response, next) => {
  setImmediate(next);
};

const setStreamEncoding: RequestHandler = (request, _response, next) => {
  request.setEncoding('utf8');
  next();
};

const listenToStream: RequestHandler = (request, _response, next) => {
  request.on('data', () => {});
  next();
};

describe('behind', () => {
  it.each<[string, RequestHandler]>([
    ['express.raw()', express.raw({ type: () => true })],
    ['express.text()', express.text({ type: () => true })],
    ['a platform that keeps the raw body', platformKeepingRawBody],
    ['express.json() that keeps the raw body', keepRawBody],
    ['express.json() for another content type', express.json({ type: 'application/vnd.other' })],
    ['express.urlencoded()', express.urlencoded({ extended: true })],
    ['a slow handler', callNextLater],
    ['a handler that sets the encoding of the stream', setStreamEncoding],
    ['a handler that listens to the stream', listenToStream],
  ])('%s it handles a delivery', async (_name, before) => {
    const { url, calls } = await startBehind(before);
    const delivery = await nonAscii();
    expect(summary(await send(url, delivery))).toBe('200 handled');
    const bytes = Buffer.from(delivery.body).toString('latin1');
    expect((await calls()).handled).toMatchObject([{ note: 'São Paulo 🍵', bytes }]);
  });

  it.each<[string, RequestHandler[]]>([
    ['express.json()', [express.json()]],
    ['express.json(), even with express.raw() after it', [express.json(), express.raw({ type: () => true })]],
    ['express.urlencoded() of everything', [express.urlencoded({ type: () => true })]],
    ['a handler that read the body', [readAll]],
  ])('%s it refuses the delivery with advice', async (_name, before) => {
    const { url, calls } = await startBehind(...before);
    expect(summary(await send(url, await deliveryOf()))).toBe('400 refused invalid_payload');
    const { handled, failures } = await calls();
    expect(handled).toEqual([]);
    expect(failures).toMatchObject([{ outcome: 'refused', reason: 'invalid_payload' }]);
    expect(failures[0]?.message).toMatch(
      /expected the raw body, got a request whose body was already read.+Mount receiver\.node before express\.json\(\).+request\.rawBody = bytes/,
    );
  });

  it('express.raw(), which decompresses, it handles a body that was signed before compression', async () => {
    const { url, calls } = await startBehind(express.raw({ type: () => true }));
    const { body, headers } = await deliveryOf();
    const compressed = { ...headers, 'content-encoding': 'gzip' };
    expect(summary(await send(url, { body: gzipSync(body), headers: compressed }))).toBe('200 handled');
    expect((await calls()).handled).toMatchObject([{ bytes: body }]);
  });
});

describe('in Express', () => {
  it.each<[string, (app: Express, shop: Shop) => unknown]>([
    ['a router', (app, { receiver }) => app.use(express.Router().post('/w', receiver.node))],
    ['app.use', (app, { receiver }) => app.use('/w', receiver.node)],
    ['an application in it', (app, { receiver }) => app.use('/w', express().post('/', receiver.node))],
    [
      'a route of its own, with express.raw()',
      (app, { receiver }) => app.post('/w', express.raw({ type: () => true }), receiver.node),
    ],
  ])('it can be mounted by %s', async (_name, mount) => {
    const { url } = await start(mount);
    expect(summary(await send(url, await deliveryOf()))).toBe('200 handled');
  });

  it('a failing handler does not reach the error handlers', async () => {
    const { url } = await start((app, { receiver }) => {
      app.post('/w', receiver.node);
      app.use(((_error, _request, response, _next) => {
        response.status(418).end();
      }) satisfies express.ErrorRequestHandler);
    });
    const delivery = await deliveryOf(JSON.stringify(paidEvent('fail at first')));
    expect(summary(await send(url, delivery))).toBe('500 failed');
  });
});
