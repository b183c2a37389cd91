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

/**
 * The error of a call whose server answers like this. The time-out is generous where the server must first send
 * something, and short where it never does.
 */
async function failOverWire<E extends PaymentsError>(
  type: new (...args: never[]) => E,
  answer: (connection: WireConnection) => void,
  timeout = 1500,
): Promise<{ error: E; requests: readonly string[] }> {
  const { url, requests } = await startWireServer(answer);
  return { error: await failureOf(create(url, timeout), type), requests };
}

it('a connection that is refused is told as not executed', async () => {
  const error = await failureOf(create(await closedUrl()), ConnectionError);
  expect(error).toMatchObject({ code: 'ECONNREFUSED', outcome: 'not_executed' });
  expect(error.cause).toMatchObject({ code: 'ECONNREFUSED' });
});

it('a connection that is reset after the request left is told as unknown', async () => {
  const { error } = await failOverWire(ConnectionError, (connection) => connection.reset());
  expect(error).toMatchObject({ code: 'ECONNRESET', outcome: 'unknown' });
});

it('a connection that closes without an answer is told as unknown', async () => {
  const { error } = await failOverWire(ConnectionError, (connection) => connection.end());
  expect(error.outcome).toBe('unknown');
});

it('an answer that never comes is a time-out, told as unknown', async () => {
  const { error } = await failOverWire(TimeoutError, () => {}, 20);
  expect(error).toMatchObject({ code: 'ATTEMPT_TIMEOUT', outcome: 'unknown' });
});

it('a 2xx body that stalls is a time-out, told as executed', async () => {
  const stall = 'HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{"id":';
  const { error } = await failOverWire(TimeoutError, (connection) => connection.write(stall));
  expect(error).toMatchObject({ code: 'ATTEMPT_TIMEOUT', outcome: 'executed' });
});

it('a 2xx body that is cut short is a broken connection, told as executed', async () => {
  const { error } = await failOverWire(ConnectionError, (connection) => {
    connection.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{"id":');
    connection.end();
  });
  expect(error.outcome).toBe('executed');
});

it('a refusal whose body stalls or is cut short is told by its status', thorough, async () => {
  const head = 'HTTP/1.1 503 Service Unavailable\r\ncontent-length: 1000\r\n\r\n';
  const stalled = await failOverWire(ServerError, (connection) => connection.write(head));
  expect(stalled.error.status).toBe(503);
  expect(stalled.error.message).not.toContain('Redirects');
  const cut = await failOverWire(ServerError, (connection) => {
    connection.write(head);
    connection.end();
  });
  expect(cut.error.status).toBe(503);
});

it('a body over the size bound is refused without being read to its end', async () => {
  const chunk = Buffer.alloc(1024 * 1024, 0x20);
  const { error } = await failOverWire(ResponseValidationError, (connection) => {
    connection.write(`HTTP/1.1 200 OK\r\ncontent-length: ${40 * chunk.length}\r\n\r\n`);
    for (let sent = 0; sent < 33; sent += 1) connection.write(chunk);
  });
  expect(error.issues[0]?.expected).toBe('a body within the size bound');
  expect(error.outcome).toBe('executed');
});

it('a redirect is not followed, and its target gets no credentials', async () => {
  const target = await startWireServer((connection) => connection.write(response('200 OK', '{}')));
  const { error, requests } = await failOverWire(ApiError, (connection) =>
    connection.write(response('307 Temporary Redirect', '', `location: ${target.url}/v1\r\n`)),
  );
  expect(error).toMatchObject({ status: 307, outcome: 'unknown' });
  const hint = 'Redirects are not followed: set baseUrl to where the service is.';
  expect(error.message).toContain(hint);
  expect(requests).toHaveLength(1);
  expect(target.requests).toHaveLength(0);
});
