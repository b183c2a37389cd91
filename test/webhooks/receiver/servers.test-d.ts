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

const { node, fetch } = new Webhooks({ secret: 'whsec_' }).receiver({ store: memoryStore(), on: {} });

test('servers of Node and Express take receiver.node', () => {
  createTlsServer(node);
  createServer2(node);
  createServer({ keepAlive: true }, node);
  createSecureServer({}, node);
  createServer((request, response) => void node(request, response));
  expectTypeOf(node).toExtend<RequestListener>();
  express()
    .all('/w', node)
    .use('/w', node)
    .post('/w/:shop', express.raw({ type: () => true }), node);
  express.Router({ mergeParams: true }).post('/w', node);
  express().post('/w', async (request, response) => {
    await node(request, response);
  });
  expectTypeOf(node).toExtend<RequestHandler>();
});

test('Fastify takes receiver.node', () => {
  fastify().post('/w', ({ raw }, reply) => node(raw, reply.raw));
  fastify({ http2: true }).post('/w', ({ raw }, reply) => node(raw, reply.raw));
  fastify({ https: {} }).post('/w', ({ raw }, reply) => node(raw, reply.raw));
});

test('Hono takes receiver.fetch', () => {
  new Hono<{ Bindings: { SECRET: string } }>().post('/w', ({ req }) => fetch(req.raw));
  new Hono().all('/w', async ({ req }) => fetch(req.raw)).mount('/w', fetch);
  serve({ fetch });
  getRequestListener(fetch);
});

test('frameworks of Request and Response take receiver.fetch', () => {
  type Answer = Response | Promise<Response>;
  // A route of Next.js, SvelteKit or Astro, and a Worker.
  expectTypeOf(fetch).toExtend<(request: Request) => Promise<Response>>();
  expectTypeOf(fetch).toExtend<(request: Request, context: { params: Promise<object> }) => Answer>();
  expectTypeOf({ fetch }).toExtend<{ fetch(request: Request, env: object, context: object): Answer }>();
  const svelte = { POST: ({ request }: { request: Request }) => fetch(request) };
  expectTypeOf(svelte.POST).returns.resolves.toEqualTypeOf<Response>();
});
