import { expect, test } from 'vitest';
import { start } from './support.ts';

test('armed faults are listed and cleared one by one', async () => {
  const { call, payments, sandbox } = start();
  for (const kind of ['unavailable', 'rate_limit']) await call('faults', 'POST', { kind, times: 9 });
  await payments.customers.list().catch(() => {});
  const armed = (await call('faults')).body;
  expect(armed.data).toMatchObject([
    { fault: { kind: 'unavailable', times: 9 }, hits: 1 },
    { fault: { kind: 'rate_limit', times: 9 }, hits: 0 },
  ]);
  expect(armed.history).toMatchObject([{ fault: { kind: 'unavailable' }, operation: 'customers.list' }]);
  expect((await call(`faults/${armed.data[0].id}`, 'DELETE')).status).toBe(200);
  expect((await call(`faults/${armed.data[0].id}`, 'DELETE')).status).toBe(404);
  await payments.customers.list().catch(() => {});
  expect(sandbox.requests.map(({ status }) => status)).toEqual([503, 429]);
});

test('the id of a cleared fault is not reused', async () => {
  const { call } = start();
  const idOf = async () => (await call('faults')).body.data[0].id;
  await call('faults', 'POST', { kind: 'unavailable' });
  const first = await idOf();
  await call('faults', 'DELETE');
  await call('faults', 'POST', { kind: 'unavailable' });
  expect(await idOf()).not.toBe(first);
});

test('faults of deliveries can be injected, listed and cleared', async () => {
  const { call } = start();
  expect((await call('faults', 'POST', { kind: 'duplicate_delivery' })).status).toBe(200);
  const [waiting] = (await call('faults')).body.deliveries;
  expect(waiting).toMatchObject({ kind: 'duplicate_delivery', left: 1 });
  await call(`faults/${waiting.id}`, 'DELETE');
  expect((await call('faults')).body.deliveries).toEqual([]);
  expect((await call('faults', 'POST', { kind: 'storm' })).status).toBe(400);
  expect((await call('faults', 'POST', {})).status).toBe(400);
  await call('faults', 'POST', { kind: 'drop_delivery' });
  await call('faults', 'DELETE');
  expect((await call('faults')).body.deliveries).toEqual([]);
});
