import { expect, test } from 'vitest';
import { start } from './support.ts';

test('filters events by type, and pages them by the oldest one', async () => {
  const { call, sandbox } = start();
  for (let count = 0; count < 3; count += 1) sandbox.add('refund');
  const [first, second, third] = sandbox.events.map(({ id }) => id);
  const page = async (path: string) => {
    const { body } = await call(path);
    return [body.data.map(({ id }: { id: string }) => id), body.has_more];
  };
  expect(await page('events?limit=2')).toEqual([[second, third], true]);
  expect(await page(`events?limit=2&before=${second}`)).toEqual([[first], false]);
  expect(await page('events?type=refund.failed')).toEqual([[], false]);
  expect(await page('events?type=refund.created&limit=1')).toEqual([[third], true]);
  for (const [query, param] of [
    ['events?kind=refund', 'kind'],
    ['events?before=evt_none', 'before'],
    ['events?limit=0', 'limit'],
  ] as const) {
    const { status, body } = await call(query);
    expect([status, body.error.param], query).toEqual([400, param]);
  }
});
