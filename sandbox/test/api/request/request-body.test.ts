/** The limit of request bodies. */

import { request as httpRequest } from 'node:http';
import { createSandbox, type Sandbox, type SandboxOptions } from 'payments-client-sandbox';
import { describe, expect, onTestFinished, test } from 'vitest';
import { pageOf } from '../../../../test/support/sandbox.ts';

const limit = 1024 * 1024;
const chunk = new Uint8Array(64 * 1024).fill(0x20);

/** What a sandbox holds, without the recording, which has rejected requests too. */
function objectsOf(sandbox: Sandbox): string {
  const { state } = sandbox.snapshot();
  return JSON.stringify(Object(state).objects);
}

async function listening(options?: SandboxOptions): Promise<Sandbox> {
  const sandbox = await createSandbox(options).listen();
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** Returns a JSON object of exactly this many bytes. */
function jsonOf(size: number): string {
  return '{"note":""}'.padEnd(size);
}

/** Returns a form of exactly this many bytes. */
function formOf(start: Readonly<Record<string, string>>, size: number): string {
  return `${new URLSearchParams(start)}&note=`.padEnd(size, 'x');
}

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';

/** Returns each route that reads a body, with a valid one. */
function routesOf({ securityKey, publicKey }: Sandbox) {
  const keyed = (size: number) => formOf({ apiKey: publicKey, token: 'tok_1' }, size);
  const sale = { security_key: securityKey, type: 'sale', amount: '1.00', payment_token: 'tok_1' };
  return [
    ['/v1/products', json, jsonOf, 200],
    ['/_sandbox/commands', json, jsonOf, 400],
    ['/api/transact.php', form, (size: number) => formOf(sale, size), 200],
    ['/browser/device-sessions', form, keyed, 200],
    ['/browser/authentications', form, keyed, 422],
    ['/browser/tokens', form, keyed, 422],
  ] as const;
}

/** An endless body that counts how many bytes were read. */
function endless(): { readonly body: ReadableStream<Uint8Array>; readonly taken: () => number } {
  let taken = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      taken += chunk.length;
      controller.enqueue(chunk);
    },
  });
  return { body, taken: () => taken };
}

async function told(response: Response): Promise<readonly [status: number, code: unknown]> {
  return [response.status, JSON.parse(await response.text()).error.code];
}

const tooLarge = [413, 'REQUEST_TOO_LARGE'];

describe.each(['in process', 'over HTTP'])('%s', (way) => {
  const start = async () => {
    const sandbox = way === 'in process' ? createSandbox() : await listening();
    const send = (path: string, type: string, body: string | ReadableStream<Uint8Array>) => {
      const headers = { 'content-type': type, authorization: `Bearer ${sandbox.secretKey}` };
      const init = { method: 'POST', headers, body, duplex: 'half' } as const;
      const request = new Request(sandbox.url + path, init);
      return way === 'in process' ? sandbox.fetch(request) : fetch(request);
    };
    // The connection comes before the route, so one route stands for all.
    return { sandbox, send, routes: routesOf(sandbox).slice(0, way === 'in process' ? undefined : 1) };
  };

  test('accepts a body of 1 MiB, and rejects one byte more without executing the request', async () => {
    const { sandbox, send, routes } = await start();
    for (const [path, type, bodyOf, status] of routes) {
      expect([path, (await send(path, type, bodyOf(limit))).status]).toEqual([path, status]);
      const before = objectsOf(sandbox);
      expect([path, ...(await told(await send(path, type, bodyOf(limit + 1))))]).toEqual([path, ...tooLarge]);
      expect(objectsOf(sandbox)).toBe(before);
    }
  });

  test('a body without a length is rejected as soon as it is too long', async () => {
    const { send, routes } = await start();
    for (const [path, type] of routes) {
      const { body, taken } = endless();
      expect([path, ...(await told(await send(path, type, body)))]).toEqual([path, ...tooLarge]);
      // In process, reads at most the chunk beyond the limit and one more.
      if (way === 'in process') expect(taken()).toBeLessThanOrEqual(limit + 2 * chunk.length);
    }
  });
});

test('the rejection has the shape of the service’s errors', async () => {
  const sandbox = await listening({ interface: { errorShape: 'problem' } });
  const headers = { 'content-type': json, authorization: `Bearer ${sandbox.secretKey}` };
  const init = { method: 'POST', headers, body: jsonOf(limit + 1) };
  const response = await fetch(`${sandbox.url}/v1/products`, init);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(await response.json()).toMatchObject({
    status: 413,
    title: 'Content Too Large',
    code: 'REQUEST_TOO_LARGE',
    detail: expect.stringMatching(/at most 1,048,576 bytes/),
  });
});

test('in process, a false content-length does not raise the limit', async () => {
  const sandbox = createSandbox();
  const { body, taken } = endless();
  const headers = {
    'content-type': json,
    'content-length': '2',
    authorization: `Bearer ${sandbox.secretKey}`,
  };
  const request = new Request(`${sandbox.url}/v1/products`, {
    method: 'POST',
    headers,
    body,
    duplex: 'half',
  });
  expect(await told(await sandbox.fetch(request))).toEqual(tooLarge);
  expect(taken()).toBeLessThanOrEqual(limit + 2 * chunk.length);
});

test('over HTTP, a content-length above the limit is rejected before the body is sent', async () => {
  const sandbox = await listening();
  const headers = {
    'content-type': json,
    'content-length': String(300 * limit),
    authorization: `Bearer ${sandbox.secretKey}`,
  };
  const status = await new Promise((resolve, reject) => {
    const request = httpRequest(`${sandbox.url}/v1/products`, { method: 'POST', headers }, (response) => {
      resolve(response.statusCode);
      request.destroy();
    });
    request.on('error', reject).flushHeaders();
  });
  expect(status).toBe(413);
});

test('the limit applies to checkout forms too', async () => {
  const sandbox = await listening();
  const { id } = sandbox.add('checkout_session');
  const body = formOf({ ccnumber: '9999001000000010', ccexp: '12/30', cvv: '123' }, limit + 1);
  const headers = { 'content-type': form };
  const response = await fetch(pageOf(sandbox, id), { method: 'POST', headers, body });
  expect(await told(response)).toEqual(tooLarge);
  expect(sandbox.get('checkout_session', id)?.status).toBe('open');
});
