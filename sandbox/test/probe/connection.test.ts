/** Reaches inside: a probe sends hundreds of requests, each of these tests one. */

import { createServer } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { serve } from '../../../test/support/serve.ts';
import { listen } from '../../../test/support/socket-server.ts';
import { connectTo } from '../../src/probe/connection.node.ts';
import { send, Unanswered } from '../../src/probe/sender.ts';
import { serviceAt } from '../../src/probe/service.node.ts';

const read = { kind: 'read', path: '/v1/products' } as const;

function serviceOf(baseUrl: string, timeout = 10_000) {
  return { ...serviceAt({ baseUrl, secretKey: 'sk_v1_test_1', securityKey: '' }), timeout };
}

test('follows no redirect', async () => {
  const paths: (string | undefined)[] = [];
  const server = await serve((request, response) => {
    paths.push(request.url);
    response.writeHead(302, { location: '/elsewhere' }).end();
  });
  onTestFinished(() => server.close());
  expect(await send(read, serviceOf(server.url))).toMatchObject({ status: 302 });
  expect(paths).toEqual(['/v1/products']);
});

test.each(['without an answer', 'with half a body'])(
  'stops at the timeout of a service %s',
  async (which) => {
    const server = await serve((_, response) => {
      if (which === 'with half a body') response.write('half');
    });
    onTestFinished(() => server.close());
    const error: unknown = await send(read, serviceOf(server.url, 50)).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Unanswered);
    expect(error).toMatchObject({ message: 'TIMEOUT' });
  },
);

test('reports a service that changes the protocol', async () => {
  const server = createServer();
  server.on('connection', (socket) =>
    socket.once('data', () =>
      socket.end('HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: a\r\n\r\n'),
    ),
  );
  const port = await listen(server);
  const service = serviceOf(`http://127.0.0.1:${port}`);
  await expect(send(read, service)).rejects.toThrow('NETWORK');
});

test('uses the proxy of the environment, except for this machine', async () => {
  const targets: (string | undefined)[] = [];
  const proxy = await serve((request, response) => {
    targets.push(request.url);
    response.end();
  });
  onTestFinished(() => proxy.close());
  vi.stubEnv('http_proxy', proxy.url);
  vi.stubEnv('no_proxy', undefined);
  vi.stubEnv('NO_PROXY', undefined);
  const get = (url: string) =>
    connectTo(url)(
      { method: 'GET', url: `${url}/v1`, headers: {}, body: undefined },
      AbortSignal.timeout(10_000),
    );
  expect((await get('http://payments.test')).status).toBe(200);
  expect(targets).toEqual(['http://payments.test/v1']);
  await get(proxy.url);
  expect(targets).toEqual(['http://payments.test/v1', '/v1']);
});
