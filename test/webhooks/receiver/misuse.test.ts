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

type Handler = (...given: unknown[]) => unknown;

/** Serves `/w` with a handler, as a program without types would, and what the message says of it. */
const servers: Readonly<Record<string, readonly [(handler: Handler) => Promise<string>, advice: RegExp]>> = {
  Express: [
    (handler) => listen(createServer(express().post('/w', anything(handler)))),
    /got a Node response\. No event was handled\..+app\.post\('\/webhooks', receiver\.node\)/,
  ],
  'node:http': [
    (handler) => listen(createServer(anything(handler))),
    /got a Node response\. No event was handled\..+http\.createServer\(receiver\.node\)/,
  ],
  'a Hono route': [
    (handler) => listen(createServer(getRequestListener(new Hono().post('/w', anything(handler)).fetch))),
    /got a Context of Hono\..+receiver\.fetch\(context\.req\.raw\)/,
  ],
  'a server of Request and Response': [
    (handler) =>
      listen(createServer(getRequestListener(anything((request: Request) => handler(request, {}))))),
    /got a Request\..+receiver\.fetch/,
  ],
  'a Fastify route': [
    async (handler) => {
      const app = fastify();
      app.post('/w', anything(handler));
      await app.listen({ port: 0, host: '127.0.0.1' });
      return urlOf(app.server);
    },
    /got a reply of Fastify\..+reply\.hijack\(\), then receiver\.node\(request\.raw, reply\.raw\)/,
  ],
};

const names = Object.keys(servers);

async function start(server: string, handler: unknown) {
  const [serve, advice] = servers[server] ?? [];
  if (serve === undefined || advice === undefined) throw new Error('No such server.');
  return { url: `${await serve(anything(handler))}/w`, advice };
}

const adapters = ['node', 'fetch', 'handle', 'dispatch'] as const;
const right = ['node Express', 'node node:http', 'fetch a server of Request and Response'];
const misuses = adapters
  .flatMap((adapter) => names.map((server) => ({ adapter, server })))
  .filter(({ adapter, server }) => !right.includes(`${adapter} ${server}`));

describe('in the wrong place', () => {
  it.each(misuses)(
    'receiver.$adapter on $server responds with 500 and explains how to mount it',
    async ({ adapter, server }) => {
      const { receiver, calls } = createShop();
      const { url, advice } = await start(server, receiver[adapter]);
      const { status, headers, body, outcome } = await send(url, await deliveryOf());
      expect({ status, outcome }).toEqual({ status: 500, outcome: 'failed' });
      expect(headers['content-type']).toMatch(/^application\/json/);
      expect(JSON.parse(body).error).toMatch(advice);
      expect(calls).toMatchObject({ handled: [], failures: [{ outcome: 'failed' }] });
      expect(calls.failures[0]?.message).toContain(`ConfigurationError: receiver.${adapter}: expected `);
      expect(calls.failures[0]?.message).toMatch(advice);
    },
  );

  it.each(names)('webhooks.receiver on %s responds with 500 and explains how to mount it', async (server) => {
    for (const mounted of [webhooks.receiver, webhooks.receiver.bind(webhooks)]) {
      const { url, advice } = await start(server, mounted);
      const { status, body } = await send(url, await deliveryOf());
      expect(status).toBe(500);
      expect(JSON.parse(body).error).toMatch(/^webhooks\.receiver: expected the options of a receiver, got /);
      expect(JSON.parse(body).error).toMatch(advice);
    }
  });

  it('receiver.fetch on node:http2 responds with 500', async () => {
    const { receiver, calls } = createShop();
    const session = connect(await listen(createServer2(anything(receiver.fetch))));
    const stream = session.request({ ':method': 'POST', ':path': '/w' });
    stream.end('{}');
    const status = await new Promise((resolve) =>
      stream.once('response', (headers) => resolve(headers[':status'])),
    );
    session.destroy();
    expect(status).toBe(500);
    expect(calls.failures).toHaveLength(1);
  });

  it.each([
    ['its request alone', (fetch: Handler, request: unknown) => fetch(request)],
    ['its request and response', (fetch: Handler, ...given: unknown[]) => fetch(...given)],
  ])('receiver.fetch with %s keeps a response that was already sent', async (_what, call) => {
    const { receiver, calls } = createShop();
    const server = createServer((request, response) => {
      response.writeHead(503).end('busy');
      Promise.resolve(call(anything(receiver.fetch), request, response)).catch(() => undefined);
    });
    expect((await send(await listen(server), await deliveryOf())).body).toBe('busy');
    expect(calls.failures).toHaveLength(1);
  });

  it.each(['node', 'fetch', 'handle'] as const)(
    'receiver.%s as a plugin of Fastify fails at the start of the app',
    async (adapter) => {
      const { receiver, calls } = createShop();
      const app = fastify();
      app.register(anything(receiver[adapter]));
      const message = new RegExp(`receiver\\.${adapter}: expected .+ got an instance of Fastify\\.`);
      await expect(app.ready()).rejects.toThrow(message);
      expect(calls.failures[0]?.message).toMatch(message);
    },
  );
});

describe('a call with wrong arguments', () => {
  const arrayBuffer = async () => new ArrayBuffer(0);
  const nodeRequest = { method: 'POST', headers: {}, async *[Symbol.asyncIterator]() {} };

  it.each<[adapter: 'node' | 'fetch' | 'handle', got: string, given: unknown[]]>([
    ['node', 'nothing', []],
    ['node', 'a Node request alone', [nodeRequest, null]],
    ['node', 'a Node request alone', [nodeRequest, {}]],
    ['node', 'a Node request alone', [nodeRequest, { writeHead() {} }]],
    ['fetch', 'nothing', []],
    ['fetch', 'an object', [{ request: {} }]],
    ['fetch', 'an object', [{ headers: new Headers() }]],
    ['fetch', 'an object', [{ arrayBuffer }]],
    ['fetch', 'an object', [{ arrayBuffer, headers: {} }]],
    ['fetch', 'a string of 3 characters', ['url']],
    ['handle', 'nothing', []],
    ['handle', 'a string of 2 characters', ['{}', {}]],
    ['handle', 'an object', [{ body: '{}' }]],
    ['handle', 'an event of AWS Lambda', [{ body: '{}', headers: {} }, { awsRequestId: '1' }]],
  ])('receiver.%s with %s rejects, and reports it', async (adapter, got, given) => {
    const { receiver, calls } = createShop();
    const call = async (): Promise<unknown> => Reflect.apply(receiver[adapter], undefined, given);
    const { message } = await failureOf(call(), ConfigurationError);
    expect(message).toMatch(new RegExp(`^receiver\\.${adapter}: expected .+, got ${got}\\.`));
    expect(calls.failures).toEqual([{ outcome: 'failed', message: expect.stringContaining(message) }]);
  });

  it('receiver.node responds with 500 to a response without a request', async () => {
    const { receiver, calls } = createShop();
    const server = createServer((_request, response) => void receiver.node(anything(undefined), response));
    expect((await send(await listen(server), await deliveryOf())).status).toBe(500);
    expect(calls.failures).toHaveLength(1);
  });

  it('receiver.handle may be mapped over deliveries', async () => {
    const { receiver } = createShop();
    const replies = await Promise.all([await deliveryOf(), await deliveryOf()].map(receiver.handle));
    expect(replies.map(({ outcome }) => outcome)).toEqual(['handled', 'handled']);
  });

  it('has the number of its parameters, by which servers choose what to pass', () => {
    const { handle, fetch, node, dispatch }: Receiver = createShop().receiver;
    expect([handle, fetch, node, dispatch].map(({ length }) => length)).toEqual([1, 1, 2, 2]);
  });
});
