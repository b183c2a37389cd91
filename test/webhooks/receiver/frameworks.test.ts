/** The receiver in Express 5 and Fastify 5: behind the parsers and hooks of an app, at each place of it, and beside other routes. */

import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import express, { type Express, type RequestHandler } from 'express';
import { type FastifyInstance, fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { mountIn } from '../../support/fastify.ts';
import { deliveryOf, paidEvent, signed } from './deliveries.ts';
import { listen, running, urlOf } from './running.ts';
import { send, summary } from './send.ts';
import { createShop, type Shop } from './shop.ts';

const all = { type: () => true };
const json = { 'content-type': 'application/json' };
const nonAscii = () => deliveryOf(JSON.stringify(paidEvent('São Paulo 🍵 '.repeat(100))));
const failing = () => deliveryOf(JSON.stringify(paidEvent('fail at first')));

/** Starts an app of Express. */
async function startExpress(mount: (app: Express, shop: Shop) => unknown) {
  const shop = createShop();
  const app = express();
  mount(app, shop);
  return running(`${await listen(createServer(app))}/w`, shop);
}

/** Starts an app of Express with handlers before the receiver. */
const behind = (...before: RequestHandler[]) =>
  startExpress((app, { receiver }) => app.use(before).post('/w', receiver.node));

/** Starts an app of Fastify with a receiver, and routes that return the body as its parser read it. */
async function startFastify(prepare: (app: FastifyInstance) => unknown) {
  const shop = createShop();
  const app = fastify({ bodyLimit: 1000 });
  prepare(app);
  app.post('/before', async ({ body }) => ({ body }));
  await mountIn(app, '/w', shop.receiver);
  app.post('/after', async ({ body }) => ({ body }));
  app.register(async (scope) => scope.post('/beside', async ({ body }) => ({ body })));
  await app.listen({ port: 0, host: '127.0.0.1' });
  const origin = urlOf(app.server);
  return { app, origin, ...running(`${origin}/w`, shop) };
}

type Start = () => ReturnType<typeof startExpress>;

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

/** A handler that does something with the request, and goes on. */
const first =
  (act: (request: Parameters<RequestHandler>[0]) => unknown): RequestHandler =>
  (request, _response, next) => {
    act(request);
    next();
  };

it.each<[string, Start]>([
  ['express.raw()', () => behind(express.raw(all))],
  ['express.text()', () => behind(express.text(all))],
  ['a platform that keeps the raw body', () => behind(platformKeepingRawBody)],
  ['express.json() that keeps the raw body', () => behind(keepRawBody)],
  ['express.json() for another content type', () => behind(express.json({ type: 'application/vnd.other' }))],
  ['express.urlencoded()', () => behind(express.urlencoded({ extended: true }))],
  ['a slow handler', () => behind((_request, _response, next) => void setImmediate(next))],
  ['a handler that sets the encoding', () => behind(first((request) => request.setEncoding('utf8')))],
  ['a handler that listens to the stream', () => behind(first((request) => request.on('data', () => {})))],
  [
    'slow hooks of Fastify',
    () =>
      startFastify((app) => {
        app.addHook('onRequest', (_request, _reply, done) => void setImmediate(done));
        app.addHook('preHandler', (_request, _reply, done) => void setImmediate(done));
      }),
  ],
  [
    'a hook of Fastify that keeps the raw body',
    () =>
      startFastify((app) =>
        app.addHook('onRequest', async ({ raw }) => {
          Object.assign(raw, { rawBody: await buffer(raw) });
        }),
      ),
  ],
])('behind %s it gets the bytes as sent', async (_name, start) => {
  const { url, calls } = await start();
  const delivery = await nonAscii();
  expect(summary(await send(url, delivery))).toBe('200 handled');
  const bytes = Buffer.from(delivery.body).toString('latin1');
  expect((await calls()).handled).toMatchObject([{ bytes }]);
});

it.each<[string, Start]>([
  ['express.json()', () => behind(express.json())],
  ['express.json(), even with express.raw() after it', () => behind(express.json(), express.raw(all))],
  ['express.urlencoded() of everything', () => behind(express.urlencoded(all))],
  ['a handler that read the body', () => behind(readAll)],
  [
    'a hook of Fastify that read the body',
    () => startFastify((app) => app.addHook('onRequest', async ({ raw }) => void (await buffer(raw)))),
  ],
])('behind %s it refuses the delivery with advice', async (_name, start) => {
  const { url, calls } = await start();
  expect(summary(await send(url, await deliveryOf()))).toBe('400 refused invalid_payload');
  const { handled, failures } = await calls();
  expect(handled).toEqual([]);
  expect(failures).toMatchObject([{ outcome: 'refused', reason: 'invalid_payload' }]);
  expect(failures[0]?.message).toMatch(
    /expected the raw body, got a request whose body was already read.+Mount receiver\.node before express\.json\(\).+request\.rawBody = bytes/,
  );
});

it('behind express.raw(), which decompresses, it handles a body that was signed before compression', async () => {
  const { url, calls } = await behind(express.raw(all));
  const { body, headers } = await deliveryOf();
  const compressed = { ...headers, 'content-encoding': 'gzip' };
  expect(summary(await send(url, { body: gzipSync(body), headers: compressed }))).toBe('200 handled');
  expect((await calls()).handled).toMatchObject([{ bytes: body }]);
});

it.each<[string, (app: Express, shop: Shop) => unknown]>([
  ['a router', (app, { receiver }) => app.use(express.Router().post('/w', receiver.node))],
  ['app.use', (app, { receiver }) => app.use('/w', receiver.node)],
  ['an application in it', (app, { receiver }) => app.use('/w', express().post('/', receiver.node))],
  ['a route with express.raw()', (app, { receiver }) => app.post('/w', express.raw(all), receiver.node)],
])('it can be mounted in Express by %s', async (_name, mount) => {
  const { url } = await startExpress(mount);
  expect(summary(await send(url, await deliveryOf()))).toBe('200 handled');
});

it.each<[string, Start]>([
  [
    'Express',
    () =>
      startExpress((app, { receiver }) => {
        app.post('/w', receiver.node);
        app.use(((_error, _request, response, _next) => {
          response.status(418).end();
        }) satisfies express.ErrorRequestHandler);
      }),
  ],
  [
    'Fastify',
    () => startFastify((app) => app.setErrorHandler((_error, _request, reply) => reply.code(418).send())),
  ],
])('a failing handler does not reach the error handler of %s', async (_name, start) => {
  const { url } = await start();
  expect(summary(await send(url, await failing()))).toBe('500 failed');
});

describe('in Fastify', () => {
  const parsers: readonly (readonly [string, (app: FastifyInstance) => unknown, unknown])[] = [
    ['of Fastify', () => undefined, { tea: 1 }],
    [
      'of the app',
      (app) => {
        const parse = async (_request: unknown, body: string) => `own ${body}`;
        app.addContentTypeParser('application/json', { parseAs: 'string' }, parse);
        app.addContentTypeParser(/^text\//, async () => 'text');
        app.addContentTypeParser('*', async () => 'any');
      },
      'own {"tea":1}',
    ],
  ];

  it.each(parsers)(
    'other routes keep the parsers %s, and the receiver needs none',
    async (_whose, prepare, parsed) => {
      const { origin, url, calls } = await startFastify(prepare);
      for (const type of ['application/json', 'text/html', undefined]) {
        const body = JSON.stringify(paidEvent());
        expect(summary(await send(url, { body, headers: await signed(body, type) }))).toBe('200 handled');
      }
      expect((await calls()).handled).toHaveLength(3);
      for (const path of ['/before', '/after', '/beside']) {
        const { body } = await send(`${origin}${path}`, { body: '{"tea":1}', headers: json });
        expect(JSON.parse(body)).toEqual({ body: parsed });
        const tooLong = { body: JSON.stringify('x'.repeat(1001)), headers: json };
        expect((await send(`${origin}${path}`, tooLong)).status).toBe(413);
      }
    },
  );

  it('a serializer of the app does not change the reply, and tests of merchants can inject deliveries', async () => {
    const { app, url } = await startFastify((one) =>
      one.addHook('preSerialization', async () => ({ wrapped: true })),
    );
    expect((await send(url, await deliveryOf())).body).toBe('{"outcome":"handled"}');
    const { body, headers } = await deliveryOf();
    const reply = await app.inject({ method: 'POST', url: '/w', headers, payload: body });
    expect({ status: reply.statusCode, ...reply.json() }).toEqual({ status: 200, outcome: 'handled' });
  });

  it('it can be mounted under a prefix', async () => {
    const { receiver } = createShop();
    const app = fastify();
    await app.register((scope) => mountIn(scope, '/w', receiver), { prefix: '/api' });
    await app.listen({ port: 0, host: '127.0.0.1' });
    expect(summary(await send(`${urlOf(app.server)}/api/w`, await deliveryOf()))).toBe('200 handled');
  });
});
