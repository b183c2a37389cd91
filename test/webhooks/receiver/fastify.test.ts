/** The receiver in Fastify 5, mounted as in the example, beside the parsers and hooks of an app. */

import { buffer } from 'node:stream/consumers';
import { type FastifyInstance, fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { mountIn } from '../../support/fastify.ts';
import { deliveryOf, paidEvent, signed } from './deliveries.ts';
import { running, urlOf } from './running.ts';
import { send, summary } from './send.ts';
import { createShop } from './shop.ts';

const json = { 'content-type': 'application/json' };

/** An app with a receiver at `/w`, and a route at `/echo` that returns the body as its parser read it. */
async function start(prepare: (app: FastifyInstance) => unknown, shop = createShop()) {
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

async function parsedAt(origin: string, path: string): Promise<unknown> {
  return JSON.parse((await send(`${origin}${path}`, { body: '{"tea":1}', headers: json })).body).body;
}

describe('other routes of the app', () => {
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

  it.each(parsers)('keep the parsers %s, and the receiver needs none', async (_whose, prepare, parsed) => {
    const { origin, url, calls } = await start(prepare);
    for (const type of ['application/json', 'text/html', undefined]) {
      const body = JSON.stringify(paidEvent());
      expect(summary(await send(url, { body, headers: await signed(body, type) }))).toBe('200 handled');
    }
    expect((await calls()).handled).toHaveLength(3);
    for (const path of ['/before', '/after', '/beside']) {
      expect(await parsedAt(origin, path)).toEqual(parsed);
      const tooLong = { body: JSON.stringify('x'.repeat(1001)), headers: json };
      expect((await send(`${origin}${path}`, tooLong)).status).toBe(413);
    }
  });
});

describe('hooks of the app', () => {
  it.each<[string, (app: FastifyInstance) => unknown]>([
    [
      'takes its time',
      (app) => {
        app.addHook('onRequest', (_request, _reply, done) => void setImmediate(done));
        app.addHook('preHandler', (_request, _reply, done) => void setImmediate(done));
      },
    ],
    [
      'keeps the raw body on Node’s request, as a platform does',
      (app) =>
        app.addHook('onRequest', async ({ raw }) => {
          Object.assign(raw, { rawBody: await buffer(raw) });
        }),
    ],
  ])('a hook that %s leaves the bytes to the receiver', async (_name, prepare) => {
    const { url, calls } = await start(prepare);
    const body = JSON.stringify(paidEvent('São Paulo 🍵 '.repeat(500)));
    expect(summary(await send(url, { body, headers: await signed(body) }))).toBe('200 handled');
    expect((await calls()).handled).toMatchObject([{ bytes: Buffer.from(body).toString('latin1') }]);
  });

  it('after a hook that read the body the receiver refuses the delivery with advice', async () => {
    const { url, calls } = await start((app) =>
      app.addHook('onRequest', async ({ raw }) => {
        await buffer(raw);
      }),
    );
    expect(summary(await send(url, await deliveryOf()))).toBe('400 refused invalid_payload');
    const { failures } = await calls();
    expect(failures[0]?.message).toMatch(/body was already read.+Mount receiver\.node before/);
  });

  it('a failing handler does not reach the error handler', async () => {
    const { url } = await start((app) =>
      app.setErrorHandler((_error, _request, reply) => reply.code(418).send()),
    );
    const delivery = await deliveryOf(JSON.stringify(paidEvent('fail at first')));
    expect(summary(await send(url, delivery))).toBe('500 failed');
  });

  it('a serializer of the app does not change the reply', async () => {
    const { url } = await start((app) => app.addHook('preSerialization', async () => ({ wrapped: true })));
    expect((await send(url, await deliveryOf())).body).toBe('{"outcome":"handled"}');
  });
});

describe('in Fastify', () => {
  it('it can be mounted under a prefix', async () => {
    const shop = createShop();
    const app = fastify();
    await app.register((scope) => mountIn(scope, '/w', shop.receiver), { prefix: '/api' });
    await app.listen({ port: 0, host: '127.0.0.1' });
    expect(summary(await send(`${urlOf(app.server)}/api/w`, await deliveryOf()))).toBe('200 handled');
  });

  it('tests of merchants can inject deliveries', async () => {
    const { app } = await start(() => undefined);
    const { body, headers } = await deliveryOf();
    const reply = await app.inject({ method: 'POST', url: '/w', headers, payload: body });
    expect({ status: reply.statusCode, ...reply.json() }).toEqual({ status: 200, outcome: 'handled' });
  });
});
