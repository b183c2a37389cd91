/** Adapters mounted in the wrong framework: the service must never see a success for an unhandled event. */

import { createServer } from 'node:http';
import { connect, createServer as createServer2 } from 'node:http2';
import { getRequestListener } from '@hono/node-server';
import express from 'express';
import { fastify } from 'fastify';
import { Hono } from 'hono';
import { ConfigurationError } from 'payments-client';
import type { Receiver } from 'payments-client/webhooks';
import { describe, expect, it } from 'vitest';
import { anything } from '../../support/anything.ts';
import { failureOf } from '../../support/failure.ts';
import { deliveryOf } from './deliveries.ts';
import { listen, urlOf } from './running.ts';
import { send } from './send.ts';
import { createShop, webhooks } from './shop.ts';

type Adapter = 'node' | 'fetch' | 'handle' | 'dispatch';
type Handler = (...given: unknown[]) => unknown;

/** Serves POST /w with a handler, as a program without types would. */
const servers: Readonly<Record<string, (handler: Handler) => Promise<string>>> = {
  Express: (handler) => listen(createServer(express().post('/w', anything(handler)))),
  'node:http': (handler) => listen(createServer(anything(handler))),
  'a Hono route': (handler) =>
    listen(createServer(getRequestListener(new Hono().post('/w', anything(handler)).fetch))),
  'a server of Request and Response': (handler) =>
    listen(createServer(getRequestListener(anything((request: Request) => handler(request, {}))))),
  'a Fastify route': async (handler) => {
    const app = fastify();
    app.post('/w', anything(handler));
    await app.listen({ port: 0, host: '127.0.0.1' });
    return urlOf(app.server);
  },
};

const validServers: Readonly<Record<Adapter, readonly string[]>> = {
  node: ['Express', 'node:http'],
  fetch: ['a server of Request and Response'],
  handle: [],
  dispatch: [],
};

/** The caller and the advice in the message. */
const adviceFor: Readonly<Record<string, RegExp>> = {
  Express: /got a Node response\. No event was handled\..+app\.post\('\/webhooks', receiver\.node\)/,
  'node:http': /got a Node response\. No event was handled\..+http\.createServer\(receiver\.node\)/,
  'a Hono route': /got a Context of Hono\..+receiver\.fetch\(context\.req\.raw\)/,
  'a server of Request and Response': /got a Request\..+receiver\.fetch/,
  'a Fastify route':
    /got a reply of Fastify\..+reply\.hijack\(\), then receiver\.node\(request\.raw, reply\.raw\)/,
};

const adapters: readonly Adapter[] = ['node', 'fetch', 'handle', 'dispatch'];
const misuses = adapters.flatMap((adapter) =>
  Object.keys(servers)
    .filter((server) => !validServers[adapter].includes(server))
    .map((server) => ({ adapter, server })),
);

async function start(server: string, handler: unknown): Promise<string> {
  const serve = servers[server];
  if (serve === undefined) throw new Error('No such server.');
  return `${await serve(anything(handler))}/w`;
}

describe('in the wrong place', () => {
  it.each(misuses)(
    'receiver.$adapter on $server responds with 500 and explains how to mount it',
    async (misuse) => {
      const { receiver, calls } = createShop();
      const url = await start(misuse.server, receiver[misuse.adapter]);
      for (const _ of ['once', 'again']) {
        const { status, headers, body, outcome } = await send(url, await deliveryOf());
        expect({ status, outcome }).toEqual({ status: 500, outcome: 'failed' });
        expect(headers['content-type']).toMatch(/^application\/json/);
        expect(JSON.parse(body).error).toMatch(adviceFor[misuse.server] ?? /never/);
      }
      expect(calls.handled).toEqual([]);
      expect(calls.failures).toHaveLength(2);
      for (const { outcome, message } of calls.failures) {
        expect(outcome).toBe('failed');
        expect(message).toContain(`ConfigurationError: receiver.${misuse.adapter}: expected `);
        expect(message).toMatch(adviceFor[misuse.server] ?? /never/);
      }
    },
  );

  it.each(Object.keys(servers))(
    'webhooks.receiver on %s responds with 500 and explains how to mount it',
    async (server) => {
      for (const mounted of [webhooks.receiver, webhooks.receiver.bind(webhooks)]) {
        const { status, body } = await send(await start(server, mounted), await deliveryOf());
        expect(status).toBe(500);
        expect(JSON.parse(body).error).toMatch(
          /^webhooks\.receiver: expected the options of a receiver, got /,
        );
        expect(JSON.parse(body).error).toMatch(adviceFor[server] ?? /never/);
      }
    },
  );

  it('receiver.fetch on node:http2 responds with 500', async () => {
    const { receiver, calls } = createShop();
    const url = await listen(createServer2(anything(receiver.fetch)));
    const session = connect(url);
    const stream = session.request({ ':method': 'POST', ':path': '/w' });
    stream.end('{}');
    const status = await new Promise((resolve) =>
      stream.once('response', (headers) => resolve(headers[':status'])),
    );
    session.destroy();
    expect(status).toBe(500);
    expect(calls.failures).toHaveLength(1);
  });

  it('a response that was already sent is kept, and the mistake is reported', async () => {
    const { receiver, calls } = createShop();
    const server = createServer((request, response) => {
      response.writeHead(503).end('busy');
      receiver.fetch(anything(request)).catch(() => undefined);
    });
    const late = createServer((request, response) => {
      response.writeHead(503).end('busy');
      const fetch: Handler = anything(receiver.fetch);
      void fetch(request, response);
    });
    for (const one of [server, late]) {
      expect((await send(await listen(one), await deliveryOf())).body).toBe('busy');
    }
    expect(calls.failures).toHaveLength(2);
  });
});

describe('app.register of Fastify', () => {
  it.each<[string, (receiver: Receiver) => unknown, RegExp]>([
    ['with receiver.node', ({ node }) => node, /receiver\.node: expected .+ got an instance of Fastify\./],
    [
      'with receiver.fetch',
      ({ fetch }) => fetch,
      /receiver\.fetch: expected .+ got an instance of Fastify\./,
    ],
    [
      'with receiver.handle',
      ({ handle }) => handle,
      /receiver\.handle: expected .+ got an instance of Fastify\./,
    ],
  ])('%s fails at the start of the app', async (_how, pluginOf, message) => {
    const { receiver, calls } = createShop();
    const app = fastify();
    app.register(anything(pluginOf(receiver)));
    await expect(app.ready()).rejects.toThrow(message);
    expect(calls.failures[0]?.message).toMatch(message);
  });
});

describe('a call with missing arguments', () => {
  it.each<[message: string, call: (receiver: Receiver) => unknown]>([
    [
      'receiver.node: expected a Node request and its response, got nothing.',
      ({ node }) => Reflect.apply(node, undefined, []),
    ],
    [
      'receiver.node: expected a Node request and its response, got a Node request alone.',
      ({ node }) =>
        node(anything({ method: 'POST', headers: {}, async *[Symbol.asyncIterator]() {} }), anything(null)),
    ],
    [
      'receiver.node: expected a Node request and its response, got a Node request alone.',
      ({ node }) =>
        node(anything({ method: 'POST', headers: {}, async *[Symbol.asyncIterator]() {} }), anything({})),
    ],
    ['receiver.fetch: expected a Request, got nothing.', ({ fetch }) => Reflect.apply(fetch, undefined, [])],
    ['receiver.fetch: expected a Request, got an object.', ({ fetch }) => fetch(anything({ request: {} }))],
    [
      'receiver.fetch: expected a Request, got a string of 3 characters.',
      ({ fetch }) => fetch(anything('url')),
    ],
    [
      'receiver.handle: expected { body, headers }, got nothing.',
      ({ handle }) => Reflect.apply(handle, undefined, []),
    ],
    [
      'receiver.handle: expected { body, headers }, got a string of 2 characters.',
      ({ handle }) => Reflect.apply(handle, undefined, ['{}', {}]),
    ],
    [
      'receiver.handle: expected { body, headers }, got an object.',
      ({ handle }) => handle(anything({ body: '{}' })),
    ],
    [
      'receiver.handle: expected { body, headers }, got an event of AWS Lambda.',
      ({ handle }) => Reflect.apply(handle, undefined, [{ body: '{}', headers: {} }, { awsRequestId: '1' }]),
    ],
  ])('%s', async (message, call) => {
    const { receiver, calls } = createShop();
    const error = await failureOf(Promise.resolve(receiver).then(call), ConfigurationError);
    expect(error.message).toContain(message);
    expect(calls.failures).toMatchObject([{ outcome: 'failed' }]);
    expect(calls.failures[0]?.message).toContain(message);
  });

  it('receiver.node responds with 500 to a response without a request', async () => {
    const { receiver, calls } = createShop();
    const server = createServer((_request, response) => {
      void receiver.node(anything(undefined), response);
    });
    expect((await send(await listen(server), await deliveryOf())).status).toBe(500);
    expect(calls.failures).toHaveLength(1);
  });

  it('receiver.handle returns a 500 Response for a Request', async () => {
    const { receiver, calls } = createShop();
    const request = new Request('http://localhost/w', { method: 'POST', ...(await deliveryOf()) });
    expect(await receiver.handle(anything(request))).toMatchObject({ status: 500 });
    expect(calls.failures[0]?.message).toMatch(
      /receiver\.handle: expected \{ body, headers \}, got a Request/,
    );
  });

  it('receiver.handle may be mapped over deliveries', async () => {
    const { receiver } = createShop();
    const deliveries = [await deliveryOf(), await deliveryOf()];
    const replies = await Promise.all(deliveries.map(receiver.handle));
    expect(replies.map(({ outcome }) => outcome)).toEqual(['handled', 'handled']);
  });
});

it('has the number of its parameters, by which servers choose what to pass', () => {
  const { receiver } = createShop();
  const { handle, fetch, node, dispatch } = receiver;
  expect([handle, fetch, node, dispatch].map(({ length }) => length)).toEqual([1, 1, 2, 2]);
});
