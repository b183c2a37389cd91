import { expect, onTestFinished, test } from 'vitest';
import {
  codeOf,
  idOf,
  json,
  overHttp,
  read,
  readPage,
  start,
} from '../../../../test/support/sandbox-requests.ts';

const intent = { amount: 1200, currency: 'usd' };
const path = '/v1/payment_intents';

async function countIntents({ request }: ReturnType<typeof start>): Promise<number> {
  const { data } = await readPage(await request(path));
  return data.length;
}

test('the same key, endpoint and body return the original result, marked as a replay, and execute once', async () => {
  const service = start();
  const first = await service.request(path, { body: intent, key: 'order-1' });
  const second = await service.request(path, { body: intent, key: 'order-1' });
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(second.status).toBe(first.status);
  expect(await second.text()).toBe(await first.text());
  expect(await countIntents(service)).toBe(1);
  expect(service.sandbox.requests.slice(0, 2).map(({ replayed }) => replayed)).toEqual([false, true]);
});

test('the replay shows the original result even when the object has changed since', async () => {
  const { sandbox, request } = start();
  const created = await read(await request(path, { body: intent, key: 'order-1' }));
  sandbox.pay(idOf(created));
  const replayed = await read(await request(path, { body: intent, key: 'order-1' }));
  expect(replayed).toMatchObject({ status: 'requires_payment_method' });
});

test('the same key with any other body is rejected', async () => {
  const { request } = start();
  await request(path, { body: '{"amount":1200,"currency":"usd"}', key: 'order-1' });
  const refused = await request(path, { body: '{"currency":"usd","amount":1200}', key: 'order-1' });
  expect(refused.status).toBe(422);
  expect(await codeOf(refused)).toBe('IDEMPOTENCY_BODY_MISMATCH');
});

test('the same operation on two objects has two endpoints', async () => {
  const { request, post } = start();
  const [one, two] = [await post('/v1/customers', {}), await post('/v1/customers', {})];
  await request(`/v1/customers/${one['id']}/restore`, { body: {}, key: 'restore' });
  const refused = await request(`/v1/customers/${two['id']}/restore`, { body: {}, key: 'restore' });
  expect(await codeOf(refused)).toBe('IDEMPOTENCY_ROUTE_CONFLICT');
});

test('the same key is rejected while the first request runs, and replayed afterwards', async () => {
  const service = start();
  const hold = service.sandbox.faults.inject({ kind: 'hold', operation: 'paymentIntents.create' });
  const first = service.request(path, { body: intent, key: 'order-1' });
  await hold.reached;

  const during = await service.request(path, { body: intent, key: 'order-1' });
  expect(during.status).toBe(409);
  expect(await codeOf(during)).toBe('IDEMPOTENCY_KEY_IN_PROGRESS');
  const differing = await service.request(path, { body: { ...intent, amount: 1 }, key: 'order-1' });
  expect(await codeOf(differing)).toBe('IDEMPOTENCY_BODY_MISMATCH');
  expect(await countIntents(service)).toBe(0);

  hold.release();
  const original = await (await first).text();
  const after = await service.request(path, { body: intent, key: 'order-1' });
  expect(await after.text()).toBe(original);
  expect(await countIntents(service)).toBe(1);
});

test('of many concurrent requests with one key, exactly one executes', async () => {
  const service = start();
  const replies = await Promise.all(
    Array.from({ length: 50 }, () => service.request(path, { body: intent, key: 'order-1' })),
  );
  const fresh = replies.filter(
    ({ status, headers }) => status === 200 && !headers.has('idempotent-replayed'),
  );
  expect(fresh).toHaveLength(1);
  expect(replies.every(({ status }) => status === 200 || status === 409)).toBe(true);
  expect(await countIntents(service)).toBe(1);
});

test('a refusal of a valid request is replayed', async () => {
  const { sandbox, request, post } = start();
  const { id } = await post(path, intent);
  const refund = { payment_intent_id: id };
  const first = await request('/v1/refunds', { body: refund, key: 'refund-1' });
  sandbox.pay(String(id));
  const second = await request('/v1/refunds', { body: refund, key: 'refund-1' });
  expect([first.status, second.status]).toEqual([422, 422]);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
});

test('a failure before execution, a rejected caller and an unreadable body leave the key free', async () => {
  const { sandbox, request } = start();
  sandbox.faults.inject({ kind: 'respond', status: 503, body: { error: { code: 'DOWN' } } });
  expect((await request(path, { body: intent, key: 'order-1' })).status).toBe(503);
  expect((await request(path, { body: intent, key: 'order-1', secretKey: 'wrong' })).status).toBe(401);
  expect((await request(path, { body: '{', key: 'order-1' })).status).toBe(400);
  const reply = await request(path, { body: intent, key: 'order-1' });
  expect(reply.status).toBe(200);
  expect(reply.headers.has('idempotent-replayed')).toBe(false);
});

test('requests without a key execute each time', async () => {
  const service = start();
  await service.request(path, { body: intent });
  await service.request(path, { body: intent });
  expect(await countIntents(service)).toBe(2);
});

test('a key on a request other than POST is ignored', async () => {
  const { request, post } = start();
  const { id } = await post('/v1/customers', {});
  const remove = () => request(`/v1/customers/${id}`, { method: 'DELETE', key: 'k'.repeat(300) });
  expect((await remove()).status).toBe(200);
  expect((await remove()).headers.has('idempotent-replayed')).toBe(false);
});

/** Starts a sandbox over HTTP, for concurrent requests. */
async function startListening() {
  const { sandbox } = start();
  await sandbox.listen();
  onTestFinished(() => sandbox.close());
  const send = overHttp(sandbox);
  return {
    sandbox,
    request: (to: string, init: Parameters<typeof json>[1]) => send(to, json(sandbox, init)),
  };
}

test('over HTTP, concurrent identical requests have one effect and one result', async () => {
  const service = await startListening();
  const keys = Array.from({ length: 10 }, (_, index) => `order-${index}`);
  const requests = Array.from({ length: 200 }, (_, index) => keys[index % keys.length] ?? '');
  const replies = await Promise.all(
    requests.map(async (key) => {
      const response = await service.request(path, { body: { ...intent, metadata: { key } }, key });
      const { status, headers } = response;
      return { key, status, replayed: headers.has('idempotent-replayed'), body: await response.text() };
    }),
  );
  for (const key of keys) {
    const done = replies.filter((reply) => reply.key === key && reply.status === 200);
    expect(done.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(new Set(done.map(({ body }) => body)).size).toBe(1);
  }
  const others = replies.filter(({ status }) => status !== 200);
  expect(others.every(({ status, body }) => status === 409 && body.includes('IN_PROGRESS'))).toBe(true);
  const { data } = await readPage(await service.request(path, {}));
  expect(data).toHaveLength(keys.length);
  expect(service.sandbox.events).toHaveLength(keys.length);
});

test('over HTTP, requests during a held one are rejected, and replayed afterwards', async () => {
  const { sandbox, request } = await startListening();
  const hold = sandbox.faults.inject({ kind: 'hold', operation: 'paymentIntents.create' });
  const first = request(path, { body: intent, key: 'order-1' });
  await hold.reached;
  const again = () =>
    Promise.all(Array.from({ length: 20 }, () => request(path, { body: intent, key: 'order-1' })));
  for (const response of await again()) {
    expect([response.status, await codeOf(response)]).toEqual([409, 'IDEMPOTENCY_KEY_IN_PROGRESS']);
  }
  const elsewhere = await request('/v1/customers', { body: intent, key: 'order-1' });
  expect(await codeOf(elsewhere)).toBe('IDEMPOTENCY_ROUTE_CONFLICT');
  const differing = await request(path, { body: { ...intent, amount: 1 }, key: 'order-1' });
  expect(await codeOf(differing)).toBe('IDEMPOTENCY_BODY_MISMATCH');
  expect((await request(path, { body: intent, key: 'k'.repeat(256) })).status).toBe(400);
  hold.release();
  const original = await (await first).text();
  for (const response of await again()) {
    expect(response.headers.get('idempotent-replayed')).toBe('true');
    expect(await response.text()).toBe(original);
  }
  expect(sandbox.events).toHaveLength(1);
});

test('over HTTP, a lost reply is replayed', async () => {
  const { sandbox, request } = await startListening();
  sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.create' });
  await expect(request(path, { body: intent, key: 'order-1' })).rejects.toThrow(TypeError);
  const replayed = await request(path, { body: intent, key: 'order-1' });
  expect([replayed.status, replayed.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  expect(sandbox.events).toHaveLength(1);
});
