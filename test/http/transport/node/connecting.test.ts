/** Requests that wait for a connection: without one they were never sent, so they are not executed and safe to retry. */

import { createServer as createSecureServer } from 'node:https';
import { createServer as createSocketServer, type Socket } from 'node:net';
import { ConnectionError, RequestAbortedError, TimeoutError } from 'payments-client';
import { generate } from 'selfsigned';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { failureOf } from '../../../support/failure.ts';
import { refund, refundParams, saleParams } from '../../../support/fixtures.ts';
import { skipBackOff } from '../../../support/mock-service.ts';
import { serve } from '../../../support/serve.ts';
import { listen } from '../../../support/socket-server.ts';
import { client, operation, startServer } from '../support.ts';

/** Accepts connections, and only calls this function. */
async function startSilentServer(onConnection: (socket: Socket) => void = () => {}) {
  const connected = vi.fn(onConnection);
  const server = createSocketServer((socket) => {
    socket.on('error', () => {});
    connected(socket);
  });
  return { url: `https://127.0.0.1:${await listen(server)}`, connected };
}

/** Replaces timers, but not those of the network. */
function useFakeTimeouts(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

describe('a request that was never sent', () => {
  it('is reported if no server listens', async () => {
    const { url, close } = await serve(() => {});
    close();
    const error = await failureOf(client(url, { maxRetries: 0 }).transact.sale(saleParams), ConnectionError);
    expect(error).toMatchObject({ code: 'ECONNREFUSED', outcome: 'not_executed' });
  });

  it('is reported if the connection breaks during the TLS handshake', async () => {
    const { url, connected } = await startSilentServer((socket) => {
      socket.once('data', () => socket.resetAndDestroy());
    });
    const error = await failureOf(client(url, { maxRetries: 0 }).transact.sale(saleParams), ConnectionError);
    expect(error).toMatchObject({ code: 'ECONNRESET', outcome: 'not_executed' });
    expect(connected).toHaveBeenCalledOnce();
  });

  it('is reported if the certificate is not trusted', async () => {
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
    const answered = vi.fn();
    const url = `https://localhost:${await listen(createSecureServer({ key, cert }, answered))}`;
    const error = await failureOf(client(url, { maxRetries: 0 }).transact.sale(saleParams), ConnectionError);
    expect(error).toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT', outcome: 'not_executed' });
    expect(answered).not.toHaveBeenCalled();
  });

  it('is reported if there is no connection within ten seconds', async () => {
    useFakeTimeouts();
    const { url } = await startSilentServer(() => vi.advanceTimersByTime(10_000));
    const error = await failureOf(client(url, { maxRetries: 0 }).transact.sale(saleParams), ConnectionError);
    expect(error).toMatchObject({ code: 'ETIMEDOUT', outcome: 'not_executed' });
    expect(error.cause).toMatchObject({ message: 'no connection within 10 s' });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a request that is cancelled while it waits for a connection', () => {
  beforeEach(skipBackOff);

  it('by its time-out was never sent, so even a sale is retried', async () => {
    const { url, connected } = await startSilentServer();
    const { transact } = client(url, { timeout: 50, maxRetries: 1 });
    const error = await failureOf(transact.sale(saleParams), TimeoutError);
    expect(error).toMatchObject({ code: 'ATTEMPT_TIMEOUT', outcome: 'not_executed', attempts: 2 });
    expect(error.message).toContain('No money moved by this call.');
    expect(connected).toHaveBeenCalledTimes(2);
  });

  it('by the time-out of the whole call was never sent', async () => {
    const { url } = await startSilentServer();
    const call = client(url, { totalTimeout: 50 }).refunds.create(refundParams, operation);
    const error = await failureOf(call, TimeoutError);
    expect(error).toMatchObject({ code: 'TOTAL_TIMEOUT', outcome: 'not_executed' });
  });

  it('by its signal was never sent', async () => {
    const controller = new AbortController();
    const { url } = await startSilentServer(() => controller.abort());
    const call = client(url).refunds.create(refundParams, { ...operation, signal: controller.signal });
    expect((await failureOf(call, RequestAbortedError)).outcome).toBe('not_executed');
  });
});

describe('the time-out of a connection', () => {
  it.each([
    ['new', 0],
    ['kept', 1],
  ])('does not limit the response, over a %s one', async (_, earlierCalls) => {
    let arrived = 0;
    const url = await startServer((_request, response) => {
      arrived += 1;
      if (arrived > earlierCalls) vi.advanceTimersByTime(11_000);
      response.end(JSON.stringify(refund));
    });
    for (let call = 0; call < earlierCalls; call += 1) await client(url).refunds.retrieve('rf_1');
    useFakeTimeouts();
    await client(url, { maxRetries: 0 }).refunds.retrieve('rf_1');
    expect(arrived).toBe(earlierCalls + 1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not limit the response, over an encrypted one', async () => {
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
    const arrived = vi.fn();
    const server = createSecureServer({ key, cert }, (request) => {
      arrived();
      vi.advanceTimersByTime(11_000);
      request.socket.destroy();
    });
    const { transact } = client(`https://localhost:${await listen(server)}`);
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    onTestFinished(() => void vi.unstubAllEnvs());
    useFakeTimeouts();
    const error = await failureOf(transact.sale(saleParams), ConnectionError);
    expect(error).toMatchObject({ code: 'ECONNRESET', outcome: 'unknown', attempts: 1 });
    expect(arrived).toHaveBeenCalledOnce();
  });

  it('is cleared with the connection', async () => {
    const { url, close } = await serve(() => {});
    close();
    useFakeTimeouts();
    await failureOf(client(url, { maxRetries: 0 }).refunds.retrieve('rf_1'), ConnectionError);
    // The connection emits its error first, and its end in the next turn of the event loop.
    for (const _ of ['this round', 'the next']) await new Promise((resolve) => setImmediate(resolve));
    expect(vi.getTimerCount()).toBe(0);
  });
});
