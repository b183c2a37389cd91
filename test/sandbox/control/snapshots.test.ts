import { expect, test } from 'vitest';
import { start, startsAt } from './support.ts';

test('takes, restores and deletes snapshots', async () => {
  const { call, sandbox } = start();
  const { id } = sandbox.add('payment_intent');
  const before = (await call('snapshots', 'POST', { name: 'unpaid' })).body;
  expect(before).toMatchObject({ name: 'unpaid', at: startsAt, taken_at: expect.any(Number), objects: 2 });
  sandbox.pay(id);
  await sandbox.clock.advance('1 day');
  const after = (await call('snapshots', 'POST', {})).body;
  expect(after).toMatchObject({ name: 'Snapshot 2', at: startsAt + 86_400_000 });
  expect((await call('snapshots')).body.data).toEqual([after, before]);
  expect((await call(`snapshots/${before.id}/restore`, 'POST')).body).toEqual(before);
  expect(sandbox.get('payment_intent', id)?.status).toBe('requires_payment_method');
  expect(sandbox.clock.now()).toBe(startsAt);
  await call(`snapshots/${after.id}/restore`, 'POST');
  expect(sandbox.get('payment_intent', id)?.status).toBe('succeeded');
  expect((await call(`snapshots/${before.id}`, 'DELETE')).body).toEqual({ deleted: true });
  expect((await call('snapshots')).body.data).toEqual([after]);
  for (const [path, method] of [
    [`snapshots/${before.id}/restore`, 'POST'],
    [`snapshots/${before.id}`, 'DELETE'],
  ] as const) {
    expect(await call(path, method)).toMatchObject({
      status: 404,
      body: { error: { code: 'OBJECT_NOT_FOUND' } },
    });
  }
});

test('keeps 20 snapshots, and drops the oldest', async () => {
  const { call } = start();
  for (let count = 1; count <= 22; count += 1) await call('snapshots', 'POST', { name: String(count) });
  const names = (await call('snapshots')).body.data.map(({ name }: { name: string }) => name);
  expect([names.length, names[0], names.at(-1)]).toEqual([20, '22', '3']);
});

test('a reset keeps the snapshots only', async () => {
  const { call, sandbox } = start();
  const { id } = sandbox.add('customer');
  const { body: snapshot } = await call('snapshots', 'POST', {});
  await sandbox.clock.advance('1 day');
  expect((await call('reset', 'POST')).body).toEqual({ reset: true });
  expect([sandbox.get('customer', id), sandbox.clock.now()]).toEqual([undefined, startsAt]);
  await call(`snapshots/${snapshot.id}/restore`, 'POST');
  expect(sandbox.get('customer', id)).toMatchObject({ id });
});
