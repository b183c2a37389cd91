import { expect, test } from 'vitest';
import { start } from './support.ts';

test('lists deliveries with their attempts', async () => {
  const { call, sandbox } = start();
  sandbox.webhooks.deliverTo(() => new Response('no', { status: 500 }));
  sandbox.add('customer');
  await sandbox.settled();
  const { body } = await call('deliveries');
  expect(body.data).toMatchObject([
    { type: 'customer.created', status: 'pending', attempts: [{ status: 500 }] },
  ]);
});

test('filters deliveries and events, and pages them by the oldest one', async () => {
  const { call, sandbox } = start();
  sandbox.webhooks.deliverTo(() => new Response(null, { status: 500 }), { events: ['refund.created'] });
  const { id: endpoint } = sandbox.webhooks.deliverTo(() => new Response());
  for (let count = 0; count < 3; count += 1) sandbox.add('refund');
  await sandbox.settled();
  const [first, second, third] = sandbox.events.map(({ id }) => id);
  const page = async (path: string) => {
    const { body } = await call(path);
    const events = body.data.map((one: { id: string; eventId?: string }) => one.eventId ?? one.id);
    return [events, body.has_more];
  };
  expect(await page('deliveries?status=delivered&limit=2')).toEqual([[second, third], true]);
  expect(await page('deliveries?status=pending')).toEqual([[first, second, third], false]);
  expect(await page(`deliveries?endpoint=${endpoint}&event=${first}`)).toEqual([[first], false]);
  expect(await page('events?limit=2')).toEqual([[second, third], true]);
  expect(await page(`events?limit=2&before=${second}`)).toEqual([[first], false]);
  expect(await page('events?type=refund.failed')).toEqual([[], false]);
  expect(await page('events?q=REFUND.cre&limit=1')).toEqual([[third], true]);
  expect(await page(`events?q=${Reflect.get(sandbox.events[0]?.data.object ?? {}, 'id')}`)).toEqual([
    [first],
    false,
  ]);
  for (const [query, param] of [
    ['deliveries?status=lost', 'status'],
    ['deliveries?before=dlv_none', 'before'],
    ['deliveries?limit=0', 'limit'],
    ['events?kind=refund', 'kind'],
    ['events?before=evt_none', 'before'],
  ] as const) {
    const { status, body } = await call(query);
    expect([status, body.error.param], query).toEqual([400, param]);
  }
});

test('lists failing deliveries, as many as the state counts', async () => {
  const { call, sandbox } = start();
  let status = 500;
  sandbox.webhooks.deliverTo(() => new Response(null, { status }));
  sandbox.add('refund');
  await sandbox.settled();
  const [event] = sandbox.events;
  const failing = async () => {
    const [deliveries, state] = [await call('deliveries?status=failing'), await call('state')];
    return [deliveries.body.data.length, state.body.failing_deliveries];
  };
  expect(await failing()).toEqual([1, 1]);
  status = 200;
  sandbox.webhooks.replay(event?.id ?? '');
  await sandbox.settled();
  expect(await failing()).toEqual([0, 0]);
});

test('lists events with their deliveries', async () => {
  const { call, sandbox } = start();
  sandbox.webhooks.deliverTo(() => new Response());
  for (let count = 0; count < 3; count += 1) sandbox.add('refund');
  await sandbox.settled();
  const { data, deliveries } = (await call('events?limit=2&deliveries')).body;
  expect(deliveries.map((one: { eventId: string }) => one.eventId)).toEqual(
    data.map((one: { id: string }) => one.id),
  );
});
