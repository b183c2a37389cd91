/** Reaches inside: every request must be harmless for any reading, so the sender is tested without one. */

import { expect, onTestFinished, test } from 'vitest';
import { serve } from '../../../test/support/serve.ts';
import type { Question, TestTransaction } from '../../src/probe/question.ts';
import { checkHarmless, Unanswered } from '../../src/probe/sender.ts';
import { serviceOf } from './support.ts';

const noCustomer = '/v1/customers/cus_no_such_object_payments_client_probe';

async function sent(
  question: Question,
): Promise<{ headers: Headers; body: string; method: string; url: string }> {
  const requests: { headers: Headers; body: string; method: string; url: string }[] = [];
  const ask = serviceOf(async (request) => {
    const { headers, method, url } = request;
    requests.push({ headers, method, url, body: await request.text() });
    return new Response('');
  });
  await ask(question);
  const [request] = requests;
  if (request === undefined) throw new Error('Nothing was sent.');
  return request;
}

test('a locked request has an invalid key, and an incomplete body', async () => {
  const { headers, body } = await sent({ kind: 'locked', method: 'POST', path: '/v1/products', lock: 'key' });
  expect(headers.get('idempotency-key')?.length).toBeGreaterThan(255);
  expect(() => JSON.parse(body)).toThrow(SyntaxError);
  const locked = await sent({ kind: 'locked', method: 'PATCH', path: noCustomer, lock: 'body' });
  expect(() => JSON.parse(locked.body)).toThrow(SyntaxError);
  expect((await sent({ kind: 'locked', method: 'POST', path: noCustomer, lock: 'id' })).body).toBe('{}');
  expect((await sent({ kind: 'locked', method: 'DELETE', path: noCustomer, lock: 'id' })).body).toBe('');
});

test.each<Question>([
  { kind: 'locked', method: 'DELETE', path: '/v1/customers/cus_1', lock: 'id' },
  { kind: 'locked', method: 'DELETE', path: '/v1/customers/cus_1', lock: 'key' },
  { kind: 'locked', method: 'POST', path: '/v1/customers', lock: 'body' },
  { kind: 'locked', method: 'POST', path: '/v1/refunds/rf_1/retry', lock: 'id' },
  { kind: 'locked', method: 'PUT', path: '/v1/customers/cus_1', lock: 'key' },
])('refuses $method $path with the lock $lock', async (question) => {
  expect(() => checkHarmless(question)).toThrow('is not protected');
  await expect(sent(question)).rejects.toThrow('is not protected');
});

test.each([
  '/v1/customers/..',
  '/v1/customers/.',
  '/v1/customers/cus_1?x',
  '/v1/customers/%2e%2e',
  '/v1//customers',
  '/v1/',
])('refuses the path %s, which may lead elsewhere', async (path) => {
  const write: Question = { kind: 'write', method: 'DELETE', path, operation: 'delete' };
  await expect(sent(write)).rejects.toThrow('expected a path of plain segments, got another one.');
  await expect(sent({ kind: 'read', path })).rejects.toThrow('expected a path of plain segments');
});

test('a body over 4 MB is no answer, and counts', async () => {
  const text = 'a'.repeat(4 * 1024 * 1024 + 1);
  const ask = serviceOf(async () => new Response(text));
  const error: unknown = await ask({ kind: 'read', path: '/v1/products' }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ message: 'a body over 4 MB', bytes: text.length });
  expect(error).toBeInstanceOf(Unanswered);
});

test('a body without end is read up to a limit, and counts', async () => {
  const chunk = new Uint8Array(8 * 1024 * 1024);
  let chunks = 0;
  const endless = () =>
    new ReadableStream<Uint8Array>({
      pull: (controller) => {
        chunks += 1;
        controller.enqueue(chunk);
      },
    });
  const ask = serviceOf(async () => new Response(endless()));
  await expect(ask({ kind: 'read', path: '/v1/products' })).rejects.toMatchObject({
    message: 'a body over 4 MB',
    bytes: 5 * chunk.length,
  });
  expect(chunks).toBeLessThan(10);
});

test('a form has no card, no token and no amount', async () => {
  const { body, headers } = await sent({ kind: 'form', encoding: 'urlencoded', securityKey: 'wrong' });
  expect([...new URLSearchParams(body).keys()]).toEqual(['security_key', 'type']);
  expect(headers.get('authorization')).toBeNull();
  expect(body).not.toContain('security_key=key');
  const right = await sent({ kind: 'form', encoding: 'multipart', securityKey: 'right' });
  expect(right.headers.get('content-type')).toMatch(/^multipart\/form-data; boundary=/);
  expect(right.body).toMatch(/name="security_key"\r\n\r\nkey\r\n/);
});

test('a transaction pays with a card that exists only for tests, and a void with none', async () => {
  const ask = (transaction: TestTransaction['transaction']) =>
    sent({ kind: 'transaction', encoding: 'urlencoded', transaction });
  const sale = await ask({ type: 'sale', amount: '101', currency: 'JPY', orderid: 'order-1' });
  expect(Object.fromEntries(new URLSearchParams(sale.body))).toEqual({
    security_key: 'key',
    type: 'sale',
    amount: '101',
    currency: 'JPY',
    orderid: 'order-1',
    ccnumber: '4111111111111111',
    ccexp: expect.stringMatching(/^12\d\d$/),
    cvv: '123',
  });
  expect([sale.method, new URL(sale.url).pathname]).toEqual(['POST', '/api/transact.php']);
  expect(sale.headers.get('authorization')).toBeNull();
  const check = await ask({ type: 'validate' });
  expect([...new URLSearchParams(check.body).keys()]).toEqual([
    'security_key',
    'type',
    'ccnumber',
    'ccexp',
    'cvv',
  ]);
  const { body } = await ask({ type: 'void', transactionid: '1042' });
  expect(body).toBe('security_key=key&type=void&transactionid=1042');
});

test("a write has a key with the run's id", async () => {
  const write: Question = {
    kind: 'write',
    method: 'POST',
    path: '/v1/customers',
    body: { first_name: 'Probe' },
    operation: 'create',
  };
  const [one, other] = [await sent(write), await sent(write)];
  expect(one.headers.get('idempotency-key')).toMatch(/^pc1:probe\.create:/);
  expect(one.headers.get('idempotency-key')).not.toBe(other.headers.get('idempotency-key'));
});

test('an unreachable service is reported by its failure, without the key', async () => {
  const server = await serve((_, response) => response.destroy());
  onTestFinished(() => server.close());
  const ask = serviceOf((request) => fetch(new URL(new URL(request.url).pathname, server.url)));
  const error: unknown = await ask({ kind: 'read', path: '/v1/products' }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Unanswered);
  expect(String(error)).toMatch(/^Error: [A-Z_]+$/);
  expect(error).not.toHaveProperty('cause');
});
