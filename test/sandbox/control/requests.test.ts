import { expect, test } from 'vitest';
import { start, startsAt } from './support.ts';

test('lists requests with their times, newest last, without those of the dashboard', async () => {
  const { call, payments, sandbox } = start();
  await payments.customers.list();
  await sandbox.clock.advance('1 hour');
  await payments.refunds.list();
  const { body } = await call('requests?limit=1');
  expect(body.data).toMatchObject([
    { number: 2, at: startsAt + 3_600_000, request: { operation: 'refunds.list', status: 200 } },
  ]);
  expect((await call('requests')).body.data).toHaveLength(2);
  for (const query of ['limit=none', 'limit=0', 'limt=1'])
    expect((await call(`requests?${query}`)).status, query).toBe(400);
});
