/** Requests that wait for a connection: without one they were never sent, so they are not executed, and even a sale may be retried. */

import { createServer as createSecureServer } from 'node:https';
import { createServer as createSocketServer, type Socket } from 'node:net';
import { ConnectionError, RequestAbortedError, TimeoutError } from 'payments-client';
import { generate } from 'selfsigned';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { failureOf } from '../../../support/failure.ts';
import { refund, refundParams, saleParams } from '../../../support/fixtures.ts';
import { skipBackOff } from '../../../support/mock-service.ts';
import { serve } from '../../../support/serve.ts';
import { closedUrl, listen } from '../../../support/socket-server.ts';
import { client, operation, startServer } from '../support.ts';

beforeEach(skipBackOff);

/** Accepts connections for TLS, and only calls this function. */
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

describe('a sale is not executed, and is retried,', () => {
  const failing = async (url: string) => {
    const error = await failureOf(client(url, { maxRetries: 1 }).transact.sale(saleParams), ConnectionError);
    expect(error).toMatchObject({ outcome: 'not_executed', retryable: true, attempts: 2 });
    expect(error.message).toContain('No money moved by this call.');
    return error;
  };

  it('if no server listens', async () => {
    expect(await failing(closedUrl)).toMatchObject({ code: 'ECONNREFUSED', cause: { code: 'ECONNREFUSED' } });
  });

  it('if the connection breaks during the TLS handshake', async () => {
    const { url, connected } = await startSilentServer((socket) => {
      socket.once('data', () => socket.resetAndDestroy());
    });
    expect((await failing(url)).code).toBe('ECONNRESET');
    expect(connected).toHaveBeenCalledTimes(2);
  });

  it('if the certificate is not trusted', async () => {
    const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
    const answered = vi.fn();
    const url = `https://localhost:${await listen(createSecureServer({ key, cert }, answered))}`;
    expect((await failing(url)).code).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
    expect(answered).not.toHaveBeenCalled();
  });

  it('if there is no connection within ten seconds', async () => {
    useFakeTimeouts();
    let running = 0;
    const { url } = await startSilentServer(() => {
      vi.advanceTimersByTime(9_999);
      running = vi.getTimerCount();
      vi.advanceTimersByTime(1);
    });
    const error = await failureOf(client(url, { maxRetries: 0 }).transact.sale(saleParams), ConnectionError);
    expect(error).toMatchObject({ code: 'ETIMEDOUT', outcome: 'not_executed' });
    expect(error.cause).toMatchObject({ message: 'no connection within 10 s' });
    // That of the attempt and that of the connection.
    expect([running, vi.getTimerCount()]).toEqual([2, 0]);
  });
});

describe('a request that is cancelled while it waits for a connection was never sent', () => {
  it.each([
    ['ATTEMPT_TIMEOUT', { timeout: 900 }, 2],
    // Nothing is retried after the time of the whole call.
    ['TOTAL_TIMEOUT', { totalTimeout: 900 }, 1],
  ])('by %s: %j, after which even a sale makes %i attempts', async (code, options, attempts) => {
    useFakeTimeouts();
    const { url, connected } = await startSilentServer(() => vi.advanceTimersByTime(900));
    const call = client(url, { maxRetries: 1, ...options }).transact.sale(saleParams);
    // Runs the timers of no length, for which a retry waits.
    const pump = setInterval(() => vi.advanceTimersByTime(0), 1);
    onTestFinished(() => clearInterval(pump));
    const error = await failureOf(call, TimeoutError);
    expect(connected).toHaveBeenCalledTimes(attempts);
    expect(error).toMatchObject({ code, outcome: 'not_executed', attempts });
  });

  it('by its signal', async () => {
    const controller = new AbortController();
    const { url } = await startSilentServer(() => controller.abort());
    const call = client(url).refunds.create(refundParams, { ...operation, signal: controller.signal });
    expect(await failureOf(call, RequestAbortedError)).toMatchObject({
      outcome: 'not_executed',
      attempts: 1,
    });
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
