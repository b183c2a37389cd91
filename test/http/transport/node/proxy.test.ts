/** Requests through a proxy that the environment names. */

import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect } from 'node:net';
import type { PaymentsClient } from 'payments-client';
import { generate } from 'selfsigned';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { refund, saleParams } from '../../../support/fixtures.ts';
import { listen } from '../../../support/socket-server.ts';
import { keys, startServer } from '../support.ts';

/** A client whose transport reads the current environment. */
async function freshClient(baseUrl: string, options = {}): Promise<PaymentsClient> {
  vi.resetModules();
  const entry = await import('payments-client');
  return new entry.PaymentsClient({ baseUrl, ...keys, allowInsecure: true, maxRetries: 0, ...options });
}

/** A service over TLS behind a proxy that tunnels to it; returns the targets that the proxy gets. */
async function startTunnel(service: RequestListener): Promise<readonly (string | undefined)[]> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'payments.test' }]);
  const port = await listen(createSecureServer({ key, cert }, service));
  const targets: (string | undefined)[] = [];
  const proxy = createHttpServer().on('connect', (request, socket) => {
    targets.push(request.url);
    const through = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      through.pipe(socket).pipe(through);
    });
    for (const end of [socket, through]) end.on('error', () => {});
  });
  vi.stubEnv('https_proxy', `http://127.0.0.1:${await listen(proxy)}`);
  return targets;
}

describe('a proxy in the environment', () => {
  beforeEach(() => {
    for (const name of ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'no_proxy', 'NO_PROXY']) {
      vi.stubEnv(name, undefined);
    }
  });
  afterEach(() => void vi.unstubAllEnvs());

  it('gets the whole URL', async () => {
    let requestLine = '';
    const proxy = await startServer((request, response) => {
      requestLine = `${request.method} ${request.url}`;
      response.end(JSON.stringify(refund));
    });
    vi.stubEnv('HTTP_PROXY', proxy);
    const payments = await freshClient('http://payments.test');
    expect((await payments.refunds.retrieve('rf_1')).id).toBe('rf_1');
    expect(requestLine).toBe('GET http://payments.test/v1/refunds/rf_1');
  });

  it('tunnels encrypted requests', async () => {
    const targets = await startTunnel(() => {});
    const payments = await freshClient('https://payments.test');
    const error = await payments.refunds.retrieve('rf_1').catch((reason: unknown) => reason);
    // The tunnel reached the service, whose certificate is not trusted.
    expect(error).toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect(targets).toEqual(['payments.test:443']);
  });

  it('leaves a sale unknown and sends it once if its tunnel breaks afterwards', async () => {
    const arrived = vi.fn();
    await startTunnel((request) => {
      arrived();
      request.socket.destroy();
    });
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const payments = await freshClient('https://payments.test', { maxRetries: 2 });
    const error = await payments.transact.sale(saleParams).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown', attempts: 1 });
    expect(arrived).toHaveBeenCalledOnce();
  });

  it('waits longer for a response through a tunnel than for the tunnel', async () => {
    const arrived = vi.fn();
    await startTunnel(async (_request, response) => {
      arrived();
      await vi.advanceTimersByTimeAsync(11_000);
      response.end('response=1');
    });
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const payments = await freshClient('https://payments.test');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    expect(await payments.transact.sale(saleParams)).toMatchObject({ approved: true });
    expect(arrived).toHaveBeenCalledOnce();
  });

  it('that opens no tunnel in time means that a sale was never sent', async () => {
    const onProxyRequest = vi.fn();
    const proxy = createHttpServer().on('connect', (_request, socket) => {
      socket.on('error', () => {});
      onProxyRequest();
    });
    vi.stubEnv('https_proxy', `http://127.0.0.1:${await listen(proxy)}`);
    const payments = await freshClient('https://payments.test', { timeout: 200 });
    const error = await payments.transact.sale(saleParams).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'TimeoutError', outcome: 'not_executed' });
    expect(onProxyRequest).toHaveBeenCalledOnce();
  });

  it('that refuses a tunnel means that a sale was never sent', async () => {
    const proxy = createHttpServer().on('connect', (_request, socket) => {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    vi.stubEnv('https_proxy', `http://127.0.0.1:${await listen(proxy)}`);
    const payments = await freshClient('https://payments.test');
    const error = await payments.transact.sale(saleParams).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'ERR_PROXY_TUNNEL', outcome: 'not_executed' });
  });

  it.each(['localhost.test', 'notlocalhost', '127.0.0.1.test'])('is used for %s', async (host) => {
    const proxy = await startServer((_request, response) => response.end(JSON.stringify(refund)));
    vi.stubEnv('HTTP_PROXY', proxy);
    expect(await (await freshClient(`http://${host}`)).refunds.retrieve('rf_1')).toEqual(refund);
  });

  it.each(['localhost', '127.10.20.30', '[::1]'])('is not used for %s', async (host) => {
    const onProxyRequest = vi.fn();
    const proxy = await startServer((_request, response) => {
      onProxyRequest();
      response.end(JSON.stringify(refund));
    });
    vi.stubEnv('HTTP_PROXY', proxy);
    // No machine listens on this port.
    const payments = await freshClient(`http://${host}:1`);
    const error = await payments.refunds.retrieve('rf_1').catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'not_executed' });
    expect(onProxyRequest).not.toHaveBeenCalled();
  });

  it('is bypassed for loopback addresses and for hosts of no_proxy', async () => {
    const onProxyRequest = vi.fn();
    const proxy = await startServer((_request, response) => {
      onProxyRequest();
      response.end('{}');
    });
    vi.stubEnv('HTTP_PROXY', proxy);
    vi.stubEnv('NO_PROXY', 'payments.test');
    const url = await startServer((_request, response) => response.end(JSON.stringify(refund)));
    expect((await (await freshClient(url)).refunds.retrieve('rf_1')).id).toBe('rf_1');
    const elsewhere = await freshClient('http://payments.test');
    const error = await elsewhere.refunds.retrieve('rf_1').catch((reason: unknown) => reason);
    expect(error).toMatchObject({ outcome: 'not_executed' });
    expect(onProxyRequest).not.toHaveBeenCalled();
  });
});
