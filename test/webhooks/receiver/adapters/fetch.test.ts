/** What `receiver.fetch` adds to the contract of `suite.ts`: bodies that no server can send. */

import { describe, expect, it, vi } from 'vitest';
import { deliveryOf, signed } from '../deliveries.ts';
import { createShop, maxBodyBytes } from '../shop.ts';

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

  it('gives a lookup of secrets no path if a polyfill has no absolute address', async () => {
    const { receiver, calls } = createShop();
    const request = new Request('http://localhost/w', { method: 'POST', ...(await deliveryOf()) });
    const relative = new Proxy(request, {
      get: (target, name) => {
        const value = name === 'url' ? '/w' : Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    expect((await receiver.fetch(relative)).status).toBe(200);
    expect(calls.lookups).toEqual(['undefined null']);
  });
});
