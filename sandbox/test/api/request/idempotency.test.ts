import { describe, expect, onTestFinished, test } from 'vitest';
import {
  idOf,
  json,
  overHttp,
  read,
  readPage,
  refusal,
  start,
} from '../../../../test/support/sandbox-requests.ts';

const intent = { amount: 1200, currency: 'usd' };
const path = '/v1/payment_intents';

async function countIntents({ request }: Pick<ReturnType<typeof start>, 'request'>): Promise<number> {
  return (await readPage(await request(path))).data.length;
}

const isReplayed = ({ headers }: Response) => headers.get('idempotent-replayed') === 'true';

describe('the same key, endpoint and body', () => {
  test('return the original result, marked as a replay, and execute once, whatever happened to the object', async () => {
    const service = start();
    const first = await service.request(path, { body: intent, key: 'order-1' });
    const text = await first.text();
    service.sandbox.pay(JSON.parse(text).id);
    const second = await service.request(path, { body: intent, key: 'order-1' });
    expect([first.headers.has('idempotent-replayed'), isReplayed(second)]).toEqual([false, true]);
    expect([second.status, await second.text()]).toEqual([first.status, text]);
    expect(await countIntents(service)).toBe(1);
    expect(service.sandbox.requests.slice(0, 2).map(({ replayed }) => replayed)).toEqual([false, true]);
  });

  test('return the same refusal, also when the request would succeed now', async () => {
    const { sandbox, request, post } = start();
    const { id } = await post(path, intent);
    const refund = { body: { payment_intent_id: id }, key: 'refund-1' };
    const first = await request('/v1/refunds', refund);
    sandbox.pay(String(id));
    const second = await request('/v1/refunds', refund);
    expect([first.status, second.status, isReplayed(second)]).toEqual([422, 422, true]);
  });

  test('return the same decline, without another attempt', async () => {
    const { request, post } = start();
    const { id } = await post(path, { ...intent, payment_method: 'pm_card_declined' });
    const confirm = () => request(`${path}/${id}/confirm`, { body: {}, key: 'order-1' });
    await confirm();
    const again = await confirm();
    expect([again.status, isReplayed(again)]).toEqual([402, true]);
    expect((await readPage(await request('/v1/charges'))).data).toHaveLength(1);
  });
});

describe('the same key is rejected', () => {
  test.each([
    ['with another body', path, { ...intent, amount: 1 }, 'IDEMPOTENCY_BODY_MISMATCH'],
    ['with another order of fields', path, { currency: 'usd', amount: 1200 }, 'IDEMPOTENCY_BODY_MISMATCH'],
    ['on another endpoint', '/v1/customers', intent, 'IDEMPOTENCY_ROUTE_CONFLICT'],
  ])('%s, while the first request runs and afterwards', async (_, to, body, code) => {
    const { sandbox, request } = start();
    const hold = sandbox.faults.inject({ kind: 'hold', operation: 'paymentIntents.create' });
    const first = request(path, { body: intent, key: 'order-1' });
    await hold.reached;
    expect(await refusal(await request(to, { body, key: 'order-1' }))).toEqual([422, code]);
    hold.release();
    await first;
    expect(await refusal(await request(to, { body, key: 'order-1' }))).toEqual([422, code]);
    expect(sandbox.events).toHaveLength(1);
  });

  test('for the same operation on another object', async () => {
    const { request, post } = start();
    const [one, two] = [idOf(await post('/v1/customers', {})), idOf(await post('/v1/customers', {}))];
    const restore = (id: string) => request(`/v1/customers/${id}/restore`, { body: {}, key: 'restore' });
    await restore(one);
    expect(await refusal(await restore(two))).toEqual([422, 'IDEMPOTENCY_ROUTE_CONFLICT']);
  });
});

test.each([
  ['a failure before execution', {}, 503],
  ['a rejected caller', { secretKey: 'wrong' }, 401],
  ['an unreadable body', { body: '{' }, 400],
])('%s leaves the key free', async (_, wrong, status) => {
  const { sandbox, request } = start();
  if (status === 503) sandbox.faults.inject({ kind: 'unavailable' });
  const send = (more: object = {}) => request(path, { body: intent, key: 'order-1', ...more });
  expect((await send(wrong)).status).toBe(status);
  const reply = await send();
  expect([reply.status, isReplayed(reply)]).toEqual([200, false]);
});

test('requests without a key execute each time, and a key of another method is ignored', async () => {
  const service = start();
  for (const _ of [1, 2]) await service.request(path, { body: intent });
  expect(await countIntents(service)).toBe(2);
  const { id } = await service.post('/v1/customers', {});
  const remove = () => service.request(`/v1/customers/${id}`, { method: 'DELETE', key: 'k'.repeat(300) });
  expect((await remove()).status).toBe(200);
  expect(isReplayed(await remove())).toBe(false);
});

test.each([
  [255, 200],
  [256, 400],
])('a key of %i characters has the answer %i', async (length, status) => {
  const service = start();
  const reply = await service.request(path, { body: intent, key: 'k'.repeat(length) });
  expect(reply.status).toBe(status);
  if (status === 400) expect(await refusal(reply)).toEqual([400, 'IDEMPOTENCY_KEY_TOO_LONG']);
  expect(await countIntents(service)).toBe(status === 200 ? 1 : 0);
});

describe.each(['in process', 'over HTTP'])('%s', (way) => {
  async function service() {
    const { sandbox, request } = start();
    if (way === 'in process') return { sandbox, request };
    await sandbox.listen();
    onTestFinished(() => sandbox.close());
    const send = overHttp(sandbox);
    return {
      sandbox,
      request: (to: string, init?: Parameters<typeof json>[1]) => send(to, json(sandbox, init)),
    };
  }

  test('of concurrent requests with one key, one executes, and the others get its response or 409', async () => {
    const { sandbox, request } = await service();
    const keys = ['order-0', 'order-1', 'order-2'];
    const replies = await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const key = keys[index % keys.length] ?? '';
        const response = await request(path, { body: { ...intent, metadata: { key } }, key });
        return { key, status: response.status, replayed: isReplayed(response), body: await response.text() };
      }),
    );
    for (const key of keys) {
      const done = replies.filter((reply) => reply.key === key && reply.status === 200);
      expect(done.filter(({ replayed }) => !replayed)).toHaveLength(1);
      expect(new Set(done.map(({ body }) => body)).size).toBe(1);
    }
    const others = replies.filter(({ status }) => status !== 200);
    expect(others.every(({ status, body }) => status === 409 && body.includes('IN_PROGRESS'))).toBe(true);
    expect(await countIntents({ request })).toBe(keys.length);
    expect(sandbox.events).toHaveLength(keys.length);
  });

  test('a request is rejected while the first one runs, and replayed afterwards', async () => {
    const { sandbox, request } = await service();
    const hold = sandbox.faults.inject({ kind: 'hold', operation: 'paymentIntents.create' });
    const send = () => request(path, { body: intent, key: 'order-1' });
    const first = send();
    await hold.reached;
    expect(await refusal(await send())).toEqual([409, 'IDEMPOTENCY_KEY_IN_PROGRESS']);
    expect(await countIntents({ request })).toBe(0);
    hold.release();
    const original = await read(await first);
    const after = await send();
    expect([isReplayed(after), await read(after)]).toEqual([true, original]);
    expect(sandbox.events).toHaveLength(1);
  });
});
