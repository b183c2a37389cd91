/** Everything that may carry a request on Node, with one service behind each: our connections, a `fetch`, and mocks of the network. */

import http, { type ClientRequest } from 'node:http';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { HttpResponse, http as msw3 } from 'msw';
import { setupServer as setupServer3 } from 'msw/node';
import { http as msw2 } from 'msw-2';
import { setupServer as setupServer2 } from 'msw-2/node';
import nock from 'nock';
import type { PaymentsClientOptions } from 'payments-client';
import { onTestFinished, vi } from 'vitest';
import { startServer } from './support.ts';

// It replaces the network from its import on.
nock.restore();

/** A request as the service got it. */
export interface Arrival {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the service does with a request. */
export type Reaction = 'lose the reply' | 'never reply' | Answer;

type React = (arrival: Arrival) => Reaction;

/** Starts the service until the test ends, and returns the options of its client. */
type Start = (react: React) => PaymentsClientOptions | Promise<PaymentsClientOptions>;

const lost = () => Object.assign(new Error('lost'), { code: 'ECONNRESET' });
const never = () => new Promise<never>(() => {});

/** A real server. */
async function serve(react: React): Promise<string> {
  return startServer(async (request, response) => {
    const { method = '', url: path = '' } = request;
    const headers: Arrival['headers'] = JSON.parse(JSON.stringify(request.headers));
    const reaction = react({ method, path, headers, body: await text(request) });
    if (reaction === 'lose the reply') request.socket.destroy();
    else if (reaction !== 'never reply')
      response.writeHead(reaction.status, reaction.headers).end(reaction.body);
  });
}

/** Lets a service react to a request of a `fetch`. */
async function reactTo(react: React, request: Request): Promise<Exclude<Reaction, 'never reply'>> {
  const { method, url } = request;
  const headers = Object.fromEntries(request.headers);
  const reaction = react({ method, path: new URL(url).pathname, headers, body: await request.text() });
  return reaction === 'never reply' ? never() : reaction;
}

const fetchOf = (react: React) => async (request: Request) => {
  const reaction = await reactTo(react, request);
  if (reaction === 'lose the reply') throw new TypeError('fetch failed', { cause: lost() });
  return new Response(reaction.body, reaction);
};

/** Both versions take the same handlers, of their own classes. */
const mockBy =
  (handle: typeof msw2.all | typeof msw3.all, setUp: (handler: never) => { listen(): void; close(): void }) =>
  (baseUrl: string): Start =>
  (react) => {
    const handler = handle(`${baseUrl}/*`, async ({ request }: { request: Request }) => {
      const reaction = await reactTo(react, request);
      return reaction === 'lose the reply' ? HttpResponse.error() : new Response(reaction.body, reaction);
    });
    const server = setUp(handler as never);
    server.listen();
    onTestFinished(() => server.close());
    return { baseUrl };
  };

const mockByNock =
  (baseUrl: string): Start =>
  (react) => {
    nock.activate();
    for (const method of ['GET', 'POST']) {
      const interceptor = nock(baseUrl).persist().intercept(/./, method);
      interceptor.reply(async (request: Request) => {
        const reaction = await reactTo(react, request);
        if (reaction === 'lose the reply') throw lost();
        return [reaction.status, reaction.body, reaction.headers ?? {}];
      });
    }
    onTestFinished(() => {
      nock.abortPendingRequests();
      nock.cleanAll();
      nock.restore();
    });
    return { baseUrl };
  };

function responseWith({ status, body, headers = {} }: Answer): PassThrough {
  const message = Object.assign(new PassThrough(), { statusCode: status, headers });
  message.end(body);
  return message;
}

/** A request of a hand-written mock: it accepts writes, and never has a connection. */
const patchRequest: Start = (react) => {
  const replace = vi.spyOn(http, 'request').mockImplementation((...args: unknown[]) => {
    const outgoing = new PassThrough();
    const { method, path, headers } = Object(args[0]);
    void text(outgoing.pipe(new PassThrough()))
      .then((body) => {
        const reaction = react({ method, path, headers, body });
        if (reaction === 'lose the reply') outgoing.emit('error', lost());
        else if (reaction !== 'never reply') outgoing.emit('response', responseWith(reaction));
      })
      .catch(() => {});
    // The client does not use the parts of a request that the mock lacks.
    return outgoing as unknown as ClientRequest;
  });
  onTestFinished(() => replace.mockRestore());
  return { baseUrl: 'http://127.0.0.1:9' };
};

/** Addresses without a server: a mock must let nothing through. */
const nowhere = ['http://127.0.0.1:9', 'https://payments.test'] as const;

const mocks = {
  'msw 2': mockBy(msw2.all, setupServer2),
  'msw 3': mockBy(msw3.all, setupServer3),
  nock: mockByNock,
};

export const networks: readonly (readonly [name: string, start: Start])[] = [
  ['node:http', async (react) => ({ baseUrl: await serve(react) })],
  ['the fetch of the runtime', async (react) => ({ baseUrl: await serve(react), fetch: globalThis.fetch })],
  ['a fetch of the user', (react) => ({ baseUrl: nowhere[1], fetch: fetchOf(react) })],
  ['a patched http.request', patchRequest],
  ...Object.entries(mocks).flatMap(([name, mock]) =>
    nowhere.map((url) => [`${name} at ${url}`, mock(url)] as const),
  ),
];
