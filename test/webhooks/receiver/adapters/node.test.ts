/** What Node's own servers add to the contract of `suite.ts`. */

import { Agent, createServer, type ServerResponse } from 'node:http';
import { connect, createServer as createServer2 } from 'node:http2';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { deliveryOf, signed } from '../deliveries.ts';
import { listen } from '../running.ts';
import { send, summary } from '../send.ts';
import { createShop, maxBodyBytes } from '../shop.ts';

describe('a server of node:http', () => {
  it('may have responded before the handler ends', async () => {
    const answered: ServerResponse[] = [];
    const shop = createShop(() => {
      for (const response of answered) response.writeHead(503).end('too slow');
    });
    let done: Promise<void> = Promise.reject(new Error('It was not asked.'));
    done.catch(() => {});
    const server = createServer((request, response) => {
      answered.push(response);
      done = shop.receiver.node(request, response);
    });
    const { status, body } = await send(await listen(server), await deliveryOf());
    expect({ status, body }).toEqual({ status: 503, body: 'too slow' });
    await expect(done).resolves.toBeUndefined();
    expect(shop.calls.handled).toHaveLength(1);
  });

  it.each(['rawBody', 'body'])('uses the text that a parser stored in %s', async (name) => {
    const shop = createShop();
    const server = createServer(async (request, response) => {
      Object.assign(request, { [name]: await text(request) });
      await shop.receiver.node(request, response);
    });
    expect(summary(await send(await listen(server), await deliveryOf()))).toBe('200 handled');
  });

  it('keeps the connection if the body was already read, and says where to mount it', async () => {
    const shop = createShop();
    const server = createServer(async (request, response) => {
      await text(request);
      await shop.receiver.node(request, response);
    });
    const reply = await send(await listen(server), await deliveryOf());
    expect(summary(reply)).toBe('400 refused invalid_payload');
    expect(reply.headers).toMatchObject({ connection: 'keep-alive' });
    expect(shop.calls.failures[0]?.message).toMatch(
      /already read.+Mount receiver\.node before express\.json\(\)/,
    );
  });

  it('keeps the connection after a body that was too large, and does not parse its rest as a request', async () => {
    const shop = createShop();
    const url = await listen(createServer(shop.receiver.node));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const body = 'POST / HTTP/1.1\r\n\r\n'.repeat(maxBodyBytes);
    expect(summary(await send(url, { body, headers: await signed(body), agent }))).toBe(
      '400 refused invalid_payload',
    );
    const next = await send(url, { ...(await deliveryOf()), agent });
    expect(`${summary(next)} ${next.reused}`).toBe('200 handled true');
  });
});

/** A request whose body is this, as a framework may make one, and what the receiver writes to its response. */
async function answerTo(parts: Iterable<Uint8Array>, httpVersionMajor: number): Promise<object> {
  const heads: object[] = [];
  const response = { writeHead: (status: number, head: object) => heads.push({ status, ...head }), end() {} };
  const request = {
    method: 'POST',
    url: '/w',
    headers: {},
    httpVersionMajor,
    async *[Symbol.asyncIterator]() {
      yield* parts;
    },
  };
  await Reflect.apply(createShop().receiver.node, undefined, [request, response]);
  return heads[0] ?? {};
}

function* partsOf(count: number) {
  for (let index = 0; index < count; index += 1) yield new Uint8Array(1_000_000);
}

it('closes a connection on which more of a body is on its way, but not over HTTP/2, and not after the end', async () => {
  const refused = { status: 400, 'content-type': 'application/json', 'content-length': expect.any(String) };
  expect(await answerTo(partsOf(Number.POSITIVE_INFINITY), 1)).toEqual({ ...refused, connection: 'close' });
  expect(await answerTo(partsOf(Number.POSITIVE_INFINITY), 2)).toEqual(refused);
  expect(await answerTo(partsOf(8), 1)).toEqual(refused);
});

/** Sends a POST over HTTP/2 and returns the status and body of the response. Without a body it sends an endless one. */
async function sendOver2(url: string, headers: Readonly<Record<string, string>>, body?: string) {
  const session = connect(url);
  onTestFinished(() => session.destroy());
  const stream = session.request({ ':method': 'POST', ':path': '/w', ...headers });
  const status = new Promise<unknown>((resolve) => {
    stream.once('response', (response) => resolve(response[':status']));
  });
  if (body !== undefined) {
    stream.end(body);
    return [await status, await text(stream)];
  }
  const chunk = Buffer.alloc(0x10000, 'x');
  const sendMore = () => {
    while (stream.writable && stream.write(chunk));
  };
  stream.on('error', () => {}).on('drain', sendMore);
  sendMore();
  return [await status, ''];
}

describe('a server of node:http2', () => {
  it('handles deliveries, and refuses without headers that HTTP/2 forbids', async () => {
    const warn = vi.spyOn(process, 'emitWarning');
    const shop = createShop();
    const url = await listen(createServer2(shop.receiver.node));
    const { body, headers } = await deliveryOf();
    expect(await sendOver2(url, headers, body)).toEqual([200, '{"outcome":"handled"}']);
    expect((await sendOver2(url, headers, `${body} `))[0]).toBe(400);
    expect((await sendOver2(url, headers))[0]).toBe(400);
    expect((await sendOver2(url, headers, body))[1]).toBe('{"outcome":"duplicate"}');
    expect(shop.calls.failures).toMatchObject([{ reason: 'no_match' }, { reason: 'invalid_payload' }]);
    expect(warn).not.toHaveBeenCalled();
  });
});
