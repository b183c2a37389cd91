import { expect, test } from 'vitest';
import { start } from './support.ts';

test('armed faults are listed and cleared one by one', async () => {
  const { call, command, payments, sandbox } = start();
  for (const kind of ['unavailable', 'rate_limit']) await command('faults.inject', { kind, times: 9 });
  await payments.customers.list().catch(() => {});
  const armed = (await call('faults')).body;
  expect(armed.data).toMatchObject([
    { fault: { kind: 'unavailable', times: 9 }, hits: 1 },
    { fault: { kind: 'rate_limit', times: 9 }, hits: 0 },
  ]);
  expect((await command('faults.withdraw', { id: armed.data[0].id })).status).toBe(200);
  expect((await command('faults.withdraw', { id: armed.data[0].id })).status).toBe(404);
  await payments.customers.list().catch(() => {});
  expect(sandbox.requests.map(({ status }) => status)).toEqual([503, 429]);
});

test('a misspelt operation is refused with the one that was probably meant', async () => {
  const { command } = start();
  const args = { kind: 'drop_reply', operation: 'paymentIntent.create' };
  expect(await command('faults.inject', args)).toMatchObject({
    status: 400,
    body: {
      error: {
        param: 'operation',
        message: expect.stringMatching(/did you mean 'paymentIntents\.create'\?/),
      },
    },
  });
});

test('the id of a cleared fault is not reused', async () => {
  const { call, command } = start();
  const idOf = async () => (await call('faults')).body.data[0].id;
  await command('faults.inject', { kind: 'unavailable' });
  const first = await idOf();
  await command('faults.clear');
  await command('faults.inject', { kind: 'unavailable' });
  expect(await idOf()).not.toBe(first);
});

test('faults of deliveries can be injected, listed and cleared', async () => {
  const { call, command } = start();
  expect((await command('faults.inject', { kind: 'duplicate_delivery' })).status).toBe(200);
  const [waiting] = (await call('faults')).body.deliveries;
  expect(waiting).toMatchObject({ kind: 'duplicate_delivery', left: 1 });
  await command('faults.withdraw', { id: waiting.id });
  expect((await call('faults')).body.deliveries).toEqual([]);
  expect((await command('faults.inject', { kind: 'storm' })).status).toBe(400);
  expect((await command('faults.inject', {})).status).toBe(400);
  await command('faults.inject', { kind: 'drop_delivery' });
  await command('faults.clear');
  expect((await call('faults')).body.deliveries).toEqual([]);
});
