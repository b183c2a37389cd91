import {
  ApiError,
  ConnectionError,
  PaymentsClient,
  type PaymentsError,
  ResponseValidationError,
  ServerError,
  TimeoutError,
} from 'payments-client';
import { expect, it } from 'vitest';
import { failureOf } from '../support/failure.ts';
import { intentParams } from '../support/fixtures.ts';
import { thorough } from '../support/size.ts';
import { closedUrl, response, startWireServer, type WireConnection } from '../support/socket-server.ts';

const secretKey = 'sk_v1_test_wire0001';

function create(baseUrl: string, timeout?: number) {
  const payments = new PaymentsClient({ baseUrl, secretKey, timeout });
  return payments.paymentIntents.create(intentParams, { operationId: 'order-1', maxRetries: 0 });
}

/** The error of a call to this server. The default time-out is longer than a busy machine takes. */
async function errorOverWire<E extends PaymentsError>(
  type: new (...args: never[]) => E,
  respond: (connection: WireConnection) => void,
  timeout = 15_000,
): Promise<{ error: E; requests: readonly string[] }> {
  const { url, requests } = await startWireServer(respond);
  return { error: await failureOf(create(url, timeout), type), requests };
}

it('reports a refused connection as not executed', async () => {
  const error = await failureOf(create(closedUrl), ConnectionError);
  expect(error).toMatchObject({ code: 'ECONNREFUSED', outcome: 'not_executed' });
  expect(error.cause).toMatchObject({ code: 'ECONNREFUSED' });
});

it('reports a connection that is reset after the request was sent as unknown', async () => {
  const { error } = await errorOverWire(ConnectionError, (connection) => connection.reset());
  expect(error).toMatchObject({ code: 'ECONNRESET', outcome: 'unknown' });
});

it('reports a connection that closes without a response as unknown', async () => {
  const { error } = await errorOverWire(ConnectionError, (connection) => connection.end());
  expect(error.outcome).toBe('unknown');
});

it('reports a missing response as a time-out with an unknown outcome', async () => {
  const { error } = await errorOverWire(TimeoutError, () => {}, 20);
  expect(error).toMatchObject({ code: 'ATTEMPT_TIMEOUT', outcome: 'unknown' });
});

it('reports a 2xx body that stalls as a time-out with the outcome executed', async () => {
  const stall = 'HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{"id":';
  const { error } = await errorOverWire(TimeoutError, (connection) => connection.write(stall), 1500);
  expect(error).toMatchObject({ code: 'ATTEMPT_TIMEOUT', outcome: 'executed' });
});

it('reports a truncated 2xx body as a broken connection with the outcome executed', async () => {
  const { error } = await errorOverWire(ConnectionError, (connection) => {
    connection.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{"id":');
    connection.end();
  });
  expect(error.outcome).toBe('executed');
});

it('reports an error response by its status even if its body stalls or is truncated', thorough, async () => {
  const head = 'HTTP/1.1 503 Service Unavailable\r\ncontent-length: 1000\r\n\r\n';
  const stalled = await errorOverWire(ServerError, (connection) => connection.write(head));
  expect(stalled.error.status).toBe(503);
  expect(stalled.error.message).not.toContain('Redirects');
  const cut = await errorOverWire(ServerError, (connection) => {
    connection.write(head);
    connection.end();
  });
  expect(cut.error.status).toBe(503);
});

it('refuses a body over the size limit without reading all of it', async () => {
  const chunk = Buffer.alloc(1024 * 1024, 0x20);
  const { error } = await errorOverWire(ResponseValidationError, (connection) => {
    connection.write(`HTTP/1.1 200 OK\r\ncontent-length: ${40 * chunk.length}\r\n\r\n`);
    for (let sent = 0; sent < 33; sent += 1) connection.write(chunk);
  });
  expect(error.issues[0]?.expected).toBe('a body within the size bound');
  expect(error.outcome).toBe('executed');
});

it('does not follow a redirect, so its target gets no credentials', async () => {
  const target = await startWireServer((connection) => connection.write(response('200 OK', '{}')));
  const { error, requests } = await errorOverWire(ApiError, (connection) =>
    connection.write(response('307 Temporary Redirect', '', `location: ${target.url}/v1\r\n`)),
  );
  expect(error).toMatchObject({ status: 307, outcome: 'unknown' });
  const hint = 'Redirects are not followed: set baseUrl to where the service is.';
  expect(error.message).toContain(hint);
  expect(requests).toHaveLength(1);
  expect(target.requests).toHaveLength(0);
});
