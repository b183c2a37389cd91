import { expect, test } from 'vitest';
import { record } from '../stories/support.ts';

test('lists requests with their times, newest last, without those of the dashboard', async () => {
  const { call, payments, sandbox } = record();
  const startsAt = sandbox.clock.now();
  await payments.customers.list();
  await sandbox.clock.advance('1 hour');
  await payments.refunds.list();
  expect((await call('requests?limit=1')).body).toMatchObject({
    data: [{ at: startsAt + 3_600_000, operation: 'refunds.list', status: 200 }],
  });
  expect((await call('requests')).body).toMatchObject({ data: [{}, {}] });
  for (const query of ['limit=none', 'limit=0', 'limt=1'])
    expect((await call(`requests?${query}`)).status, query).toBe(400);
});
