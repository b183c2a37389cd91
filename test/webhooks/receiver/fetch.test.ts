/** The receiver behind a bridge from Node's requests to web requests, as in Next.js and Remix. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { deliveryOf, signed } from './deliveries.ts';
import { listen, running } from './running.ts';
import { createShop, maxBodyBytes } from './shop.ts';
import { receivesOn } from './suite.ts';

function toRequest(incoming: IncomingMessage): Request {
  const { method = '', url, headers } = incoming;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(`http://localhost${url}`, {
    method,
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
    ...(hasBody && { body: Readable.toWeb(incoming), duplex: 'half' }),
  });
}

async function sendResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(await response.text());
}

receivesOn('a bridge to fetch', async (act) => {
  const shop = createShop(act);
  const server = createServer((incoming, outgoing) => {
    void shop.receiver.fetch(toRequest(incoming)).then((response) => sendResponse(response, outgoing));
  });
  return running(`${await listen(server)}/w`, shop);
});

describe('fetch', () => {
  it('stops reading an endless body, and keeps it open for the response', async () => {
    const { receiver, calls } = createShop();
    let pulled = 0;
    const cancel = vi.fn();
    const part = new Uint8Array(64 * 1024);
    const body = new ReadableStream({
      pull(controller) {
        pulled += part.length;
        controller.enqueue(part);
      },
      cancel,
    });
    const request = new Request('http://localhost/w', { method: 'POST', body, duplex: 'half' });
    expect((await receiver.fetch(request)).status).toBe(400);
    expect(pulled).toBeLessThan(maxBodyBytes + 9 * 1024 * 1024);
    expect(cancel).not.toHaveBeenCalled();
    expect(calls.failures).toMatchObject([{ reason: 'invalid_payload' }]);
  });

  it.each<[string, (request: Request) => unknown]>([
    ['wholly', (request) => request.json()],
    [
      'in part',
      async ({ body }) => {
        const reader = body?.getReader();
        await reader?.read();
        reader?.releaseLock();
      },
    ],
  ])('refuses a request whose body was already read, %s', async (_how, before) => {
    const { receiver, calls } = createShop();
    const request = new Request('http://localhost/w', { method: 'POST', ...(await deliveryOf()) });
    await before(request);
    expect((await receiver.fetch(request)).status).toBe(400);
    expect(calls.failures[0]?.message).toMatch(/body was already read.+before anything reads its body/);
  });

  it('cannot read a signed request without a body', async () => {
    const { receiver, calls } = createShop();
    const request = new Request('http://localhost/w', { method: 'POST', headers: await signed('') });
    expect((await receiver.fetch(request)).status).toBe(500);
    expect(calls.failures[0]?.message).toMatch(/expected JSON in UTF-8, got an empty body/);
  });
});
