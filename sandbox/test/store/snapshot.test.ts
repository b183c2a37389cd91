import type { Sandbox } from 'payments-client-sandbox';
import { expect, test } from 'vitest';
import { inProcess, json, start } from '../../../test/support/sandbox-requests.ts';

const path = '/v1/payment_intents';
const intent = { amount: 1200, currency: 'usd' };

function create(sandbox: Sandbox, key: string): Promise<Response> {
  return inProcess(sandbox)(path, json(sandbox, { body: intent, key }));
}

test('a pending delivery is pending again after a restore', async () => {
  let snapshot: ReturnType<Sandbox['snapshot']> | undefined;
  let requests = 0;
  const url = () => {
    requests += 1;
    snapshot ??= sandbox.snapshot();
    return new Response();
  };
  const { sandbox } = start({ webhooks: [{ url }] });
  sandbox.add('customer');
  await sandbox.settled();
  expect(sandbox.webhooks.deliveries()).toMatchObject([{ status: 'delivered' }]);
  if (snapshot !== undefined) sandbox.restore(snapshot);
  expect(sandbox.webhooks.deliveries()).toMatchObject([{ status: 'pending', attempts: [] }]);
  await sandbox.settled();
  expect(requests).toBe(2);
  expect(sandbox.webhooks.deliveries()).toMatchObject([{ status: 'delivered' }]);
});

test('pending advances of the clock end when the sandbox is reset', async () => {
  let arrive = () => {};
  const reached = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  let answer = () => {};
  const answered = new Promise<Response>((resolve) => {
    answer = () => resolve(new Response());
  });
  const url = () => {
    arrive();
    return answered;
  };
  const { sandbox } = start({ webhooks: [{ url }] });
  sandbox.add('customer');
  await reached;
  const moves = [sandbox.clock.advance('1 day'), sandbox.clock.advance('1 day')];
  sandbox.reset();
  answer();
  await Promise.all(moves);
  expect(sandbox.clock.now()).toBe(Date.UTC(2026, 0, 1));
});

test('a fork delivers to the same endpoints and functions, without duplicates', async () => {
  const seen: string[] = [];
  const target = async (request: Request) => {
    seen.push(await request.text());
    return new Response();
  };
  const { sandbox } = start({ webhooks: [{ url: target }] });
  const fork = sandbox.fork();
  fork.add('customer');
  await fork.settled();
  expect(seen).toHaveLength(1);
  expect(fork.webhooks.deliveries()).toMatchObject([{ status: 'delivered' }]);
  expect(sandbox.webhooks.deliveries()).toEqual([]);
});

test('a reset sandbox with a seed equals a new one: the endpoints of its options, and the same ids', async () => {
  const { sandbox } = start({ seed: 7, webhooks: [{ url: 'http://shop.example/hooks' }] });
  const first = await (await create(sandbox, 'order-1')).text();
  await sandbox.clock.advance('1 day');
  sandbox.faults.inject({ kind: 'respond', status: 503 });
  sandbox.reset();
  expect([sandbox.events, sandbox.requests, sandbox.clock.now()]).toEqual([[], [], Date.UTC(2026, 0, 1)]);
  expect(await (await create(sandbox, 'order-1')).text()).toBe(first);
});

test('a reset sandbox without a seed repeats no id, but keeps the secrets of its endpoints', () => {
  const { sandbox } = start({ webhooks: [{ url: 'http://shop.example/hooks' }] });
  const endpoints = sandbox.webhooks.endpoints();
  const ids = Array.from({ length: 20 }, () => sandbox.add('customer').id);
  sandbox.reset();
  expect(sandbox.webhooks.endpoints()).toEqual(endpoints);
  expect(ids).not.toContain(sandbox.add('customer').id);
});

test('an invalid snapshot is rejected, and nothing changes', () => {
  const { sandbox } = start();
  const { id } = sandbox.add('customer');
  for (const state of [{}, null, 'state', undefined]) {
    expect(() => sandbox.restore({ version: 1, state })).toThrow(/^sandbox\.restore: expected a snapshot /);
  }
  expect(sandbox.get('customer', id)?.id).toBe(id);
});
