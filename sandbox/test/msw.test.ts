import http from 'node:http';
import axios from 'axios';
import { setupServer } from 'msw/node';
import { ConfigurationError, ConnectionError, PaymentsClient } from 'payments-client';
import { createSandbox } from 'payments-client-sandbox';
import { sandboxHandlers } from 'payments-client-sandbox/msw';
import { expect, onTestFinished, test, vi } from 'vitest';
import { failureOf } from '../../test/support/failure.ts';

const baseUrl = 'https://payments.example';
const prefixed = 'http://gateway.example:8080/eu/payments/';
const intent = { amount: 1200, currency: 'usd' };
const operation = { operationId: 'order-1' };
const path = '/v1/payment_intents';

function intercepted(baseUrls: string | readonly string[] = baseUrl) {
  const sandbox = createSandbox();
  const server = setupServer(...sandboxHandlers(sandbox, baseUrls));
  server.listen({ onUnhandledFrame: 'error' });
  onTestFinished(() => server.close());
  const { secretKey, securityKey } = sandbox;
  const options = { secretKey, securityKey, maxRetries: 0, allowInsecure: true };
  const client = (url: string) => new PaymentsClient({ baseUrl: url, ...options });
  const headers = { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' };
  return { sandbox, client, headers };
}

function viaNode(url: string, headers: Record<string, string>, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = http.request(url, { method: 'POST', headers }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (chunk: string) => {
        text += chunk;
      });
      incoming.on('end', () => resolve(text));
      incoming.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

test('the SDK, fetch, axios and node:http all reach the sandbox without a port', async () => {
  const { sandbox, client, headers } = intercepted([baseUrl, 'http://payments.example']);
  const bySdk = await client(baseUrl).paymentIntents.create(intent, operation);
  const init = { method: 'POST', headers, body: JSON.stringify(intent) };
  const byFetch: unknown = await (await fetch(`${baseUrl}${path}`, init)).json();
  const { data: byAxios } = await axios.post<unknown>(`${baseUrl}${path}`, intent, { headers });
  const byNode: unknown = JSON.parse(await viaNode(`http://payments.example${path}`, headers, init.body));
  const ids = [bySdk, byFetch, byAxios, byNode].map((made) => expect.objectContaining({ id: idIn(made) }));
  expect((await client(baseUrl).paymentIntents.list()).items).toEqual(ids.toReversed());
  expect(sandbox.requests).toHaveLength(5);
});

function idIn(made: unknown): unknown {
  return typeof made === 'object' && made !== null && 'id' in made ? made.id : 'none';
}

test('several base URLs, also with paths, reach the same sandbox', async () => {
  const { client } = intercepted([baseUrl, prefixed]);
  const { id } = await client(prefixed).paymentIntents.create(intent, operation);
  expect((await client(baseUrl).paymentIntents.retrieve(id)).amount).toBe(1200);
  const sale = { amount: '12.00', payment_token: 'tok_1' };
  expect((await client(prefixed).transact.sale(sale)).approved).toBe(true);
});

test('a dropped connection is a network error, and the same key returns the original result', async () => {
  const { sandbox, client } = intercepted();
  const create = () => client(baseUrl).paymentIntents.create(intent, operation);
  sandbox.faults.inject({ kind: 'drop_reply' });
  expect((await failureOf(create(), ConnectionError)).outcome).toBe('unknown');
  const { response } = await create().withResponse();
  expect(response.idempotentReplayed).toBe(true);
  expect((await client(baseUrl).paymentIntents.list()).items).toHaveLength(1);
});

test('a truncated body is a network error too', async () => {
  const { sandbox, client } = intercepted();
  sandbox.faults.inject({ kind: 'truncate_body' });
  const error = await failureOf(client(baseUrl).paymentIntents.create(intent, operation), ConnectionError);
  expect(error.outcome).toBe('executed');
});

test('another error becomes a 500 response', async () => {
  // MSW reports it there.
  const written = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const fetchOne = () => Promise.reject(new RangeError('a defect'));
  const server = setupServer(...sandboxHandlers({ fetch: fetchOne }, baseUrl));
  server.listen({ onUnhandledFrame: 'error' });
  onTestFinished(() => server.close());
  expect((await fetch(`${baseUrl}/v1/products`)).status).toBe(500);
  expect(written).toHaveBeenCalled();
});

test.each([['payments.example'], ['ftp://payments.example'], ['https://payments.example?a=b'], [[]]])(
  'the base URL %j is rejected',
  (baseUrls) => {
    expect(() => sandboxHandlers(createSandbox(), baseUrls)).toThrow(ConfigurationError);
  },
);

test('the caller can abort a stalled body', async () => {
  const { sandbox, headers } = intercepted();
  sandbox.faults.inject({ kind: 'stall_body' });
  const controller = new AbortController();
  const init = { headers, signal: controller.signal };
  const response = await fetch(`${baseUrl}/v1/products`, init);
  const body = response.text();
  controller.abort();
  await expect(body).rejects.toMatchObject({ name: 'AbortError' });
});
