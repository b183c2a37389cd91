/** Requests through a proxy that the environment names. */

import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { ConnectionError, TimeoutError } from 'payments-client';
import { generate } from 'selfsigned';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { failureOf } from '../../../support/failure.ts';
import { refund, refundParams, saleParams } from '../../../support/fixtures.ts';
import { listen } from '../../../support/socket-server.ts';
import { client, startServer } from '../support.ts';

let hosts = 0;

/** An address of its own: a transport reads the environment at the first request to one. */
const newHost = (beginning = 'shop') => `${beginning}-${++hosts}.test`;

const clientOf = (baseUrl: string, options = {}) =>
  client(baseUrl, { allowInsecure: true, maxRetries: 0, ...options });

/** A proxy that answers requests itself; returns the request lines that it got. */
async function startProxy(variable: string): Promise<readonly string[]> {
  const lines: string[] = [];
  const proxy = await startServer((request, response) => {
    lines.push(`${request.method} ${request.url}`);
    response.end(JSON.stringify(refund));
  });
  vi.stubEnv(variable, proxy);
  return lines;
}

/** A proxy for TLS; calls this function with each connection that asks for a tunnel, and returns the targets. */
async function startTunnelProxy(onConnect: (socket: Socket) => void) {
  const targets: (string | undefined)[] = [];
  const proxy = createHttpServer().on('connect', (request, socket: Socket) => {
    socket.on('error', () => {});
    targets.push(request.url);
    onConnect(socket);
  });
  vi.stubEnv('https_proxy', `http://127.0.0.1:${await listen(proxy)}`);
  return targets;
}

/** A service over TLS behind a proxy that tunnels to it. */
async function startTunnel(service: RequestListener) {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'payments.test' }]);
  const port = await listen(createSecureServer({ key, cert }, service));
  return startTunnelProxy((socket) => {
    const through = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      through.pipe(socket).pipe(through);
    });
    through.on('error', () => {});
  });
}

function useFakeTimeouts(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

beforeEach(() => {
  for (const name of ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'no_proxy', 'NO_PROXY'])
    vi.stubEnv(name, undefined);
});

describe('a proxy in the environment', () => {
  it.each(['shop', 'localhost', 'notlocalhost', '127.0.0.1'])(
    'gets the whole URL of a request to %s….test',
    async (name) => {
      const lines = await startProxy('HTTP_PROXY');
      const host = newHost(name);
      expect(await clientOf(`http://${host}`).refunds.retrieve('rf_1')).toEqual(refund);
      expect(lines).toEqual([`GET http://${host}/v1/refunds/rf_1`]);
    },
  );

  it.each([
    ['localhost', {}],
    ['127.10.20.30', {}],
    ['[::1]', {}],
    ['excluded.test', { NO_PROXY: 'excluded.test' }],
  ])('is not used for %s with %j', async (host, variables) => {
    const lines = await startProxy('HTTP_PROXY');
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    // No machine listens on this port.
    const call = clientOf(`http://${host}:1`).refunds.create(refundParams, { operationId: 'order-1' });
    expect(await failureOf(call, ConnectionError)).toMatchObject({ outcome: 'not_executed' });
    expect(lines).toEqual([]);
  });

  it('tunnels encrypted requests, whose certificate is still checked', async () => {
    const targets = await startTunnel(() => {});
    const host = newHost();
    const error = await failureOf(clientOf(`https://${host}`).transact.sale(saleParams), ConnectionError);
    expect(error).toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT', outcome: 'not_executed' });
    expect(targets).toEqual([`${host}:443`]);
  });
});

describe('a sale through a tunnel', () => {
  const sale = (options = {}) => clientOf(`https://${newHost()}`, options).transact.sale(saleParams);

  it('is unknown and sent once if the tunnel breaks afterwards', async () => {
    const arrived = vi.fn();
    await startTunnel((request) => {
      arrived();
      request.socket.destroy();
    });
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const error = await failureOf(sale({ maxRetries: 2 }), ConnectionError);
    expect(error).toMatchObject({ outcome: 'unknown', attempts: 1 });
    expect(arrived).toHaveBeenCalledOnce();
  });

  it('waits longer for its response than for the tunnel', async () => {
    await startTunnel((_request, response) => {
      vi.advanceTimersByTime(11_000);
      response.end('response=1');
    });
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    useFakeTimeouts();
    expect(await sale()).toMatchObject({ approved: true });
  });

  it('was never sent if the proxy opens none in time', async () => {
    const targets = await startTunnelProxy(() => vi.advanceTimersByTime(30_000));
    useFakeTimeouts();
    const error = await failureOf(sale(), TimeoutError);
    expect(error).toMatchObject({ outcome: 'not_executed', attempts: 1 });
    expect(targets).toHaveLength(1);
  });

  it('was never sent if the proxy refuses one', async () => {
    await startTunnelProxy((socket) => void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'));
    const error = await failureOf(sale(), ConnectionError);
    expect(error).toMatchObject({ code: 'ERR_PROXY_TUNNEL', outcome: 'not_executed' });
  });
});
