/** The receiver fits the servers' own types without casts or wrappers. */

import { createServer, type RequestListener } from 'node:http';
import { createSecureServer, createServer as createServer2 } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import { getRequestListener, serve } from '@hono/node-server';
import express, { type RequestHandler } from 'express';
import { fastify } from 'fastify';
import { Hono } from 'hono';
import { memoryStore } from 'payments-client/stores';
import { Webhooks } from 'payments-client/webhooks';
import { expectTypeOf, test } from 'vitest';

const receiver = new Webhooks({ secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }).receiver({
  store: memoryStore(),
  on: {},
});

test('node', () => {
  createServer(receiver.node);
  createServer({ keepAlive: true }, receiver.node);
  createTlsServer(receiver.node);
  createServer2(receiver.node);
  createSecureServer({}, receiver.node);
  createServer((request, response) => void receiver.node(request, response));
  expectTypeOf(receiver.node).toExtend<RequestListener>();
});

test('Express', () => {
  const app = express();
  app.post('/w', receiver.node);
  app.post('/w/:shop', express.raw({ type: () => true }), receiver.node);
  app.all('/w', receiver.node);
  app.use('/w', receiver.node);
  express.Router({ mergeParams: true }).post('/w', receiver.node);
  app.post('/w', async (request, response) => {
    await receiver.node(request, response);
  });
  expectTypeOf(receiver.node).toExtend<RequestHandler>();
});

test('Fastify', () => {
  fastify().post('/w', ({ raw }, reply) => receiver.node(raw, reply.raw));
  fastify({ http2: true }).post('/w', ({ raw }, reply) => receiver.node(raw, reply.raw));
  fastify({ https: {} }).post('/w', ({ raw }, reply) => receiver.node(raw, reply.raw));
});

test('Hono', () => {
  const app = new Hono();
  app.post('/w', (context) => receiver.fetch(context.req.raw));
  app.all('/w', async ({ req }) => receiver.fetch(req.raw));
  new Hono<{ Bindings: { SECRET: string } }>().post('/w', ({ req }) => receiver.fetch(req.raw));
  app.mount('/w', receiver.fetch);
  serve({ fetch: receiver.fetch });
  getRequestListener(receiver.fetch);
});

test('frameworks of Request and Response', () => {
  // A route of Next.js, SvelteKit or Astro, and a Worker.
  const next: { POST: (request: Request) => Promise<Response> } = { POST: receiver.fetch };
  const context: {
    POST: (request: Request, context: { params: Promise<object> }) => Response | Promise<Response>;
  } = {
    POST: receiver.fetch,
  };
  const svelte = { POST: ({ request }: { request: Request }) => receiver.fetch(request) };
  const worker: { fetch(request: Request, env: object, context: object): Response | Promise<Response> } = {
    fetch: receiver.fetch,
  };
  expectTypeOf(svelte.POST).returns.resolves.toEqualTypeOf<Response>();
  expectTypeOf([next, context, worker]).toBeArray();
});
