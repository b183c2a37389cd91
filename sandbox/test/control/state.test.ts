import { expect, test } from 'vitest';
import { start, startsAt } from './support.ts';

const minute = 60_000;
const hour = 60 * minute;

test('lists what falls due next, earliest first, at most five', async () => {
  const { call, payments, sandbox } = start();
  const session = sandbox.add('checkout_session', { amount_total: 2400 });
  const refund = sandbox.add('refund', { amount: 500 });
  const sale = await payments.transact.sale({ amount: '12.00', payment_token: 'tok_1' });
  const held = await payments.transact.auth({ amount: '7.00', payment_token: 'tok_2' });
  sandbox.webhooks.deliverTo(() => new Response('no', { status: 500 }));
  sandbox.add('customer');
  await sandbox.settled();
  const { due } = (await call('state')).body;
  const url = sandbox.webhooks.endpoints()[0]?.url;
  expect(due.map(({ at, what }: { at: number; what: string }) => [at - startsAt, what])).toEqual([
    [5_000, `retry of customer.created to ${url}`],
    [minute, `refund ${refund.id} of $5.00 succeeds or fails`],
    [24 * hour, `checkout session ${session.id} of $24.00 expires`],
    [24 * hour, `sale ${sale.transactionid} of $12.00 is settled`],
    [7 * 24 * hour, `auth ${held.transactionid} of $7.00 expires`],
  ]);
  expect(due[1]).toMatchObject({ kind: 'refund', id: refund.id });
});

test('describes first deliveries, subscriptions, invoices and settlements', async () => {
  const { call, payments, sandbox } = start({ settlement: 'daily' });
  const due = async () => {
    const { body } = await call('state');
    return body.due.map(({ what }: { what: string }) => what);
  };
  sandbox.webhooks.deliverTo('http://localhost:1/webhooks', { events: ['invoice.paid'] });
  const customer = sandbox.add('customer', { payment_settings: { default_payment_method: 'pm_card' } }).id;
  sandbox.add('price', { id: 'price_gold', unit_amount: 900 });
  const { id } = await payments.subscriptions.create(
    { customer, items: [{ price: 'price_gold' }], collection_method: 'charge_automatically' },
    { operationId: 'subscribe-1' },
  );
  expect(await due()).toContain(`subscription ${id} is renewed`);
  await sandbox.settled();
  const [charge] = (await payments.charges.list()).items;
  expect(await due()).toEqual([
    'delivery of invoice.paid to http://localhost:1/webhooks',
    `charge ${charge?.id} is settled`,
    `subscription ${id} is renewed`,
  ]);
});

test('listing the schedule changes neither its order nor its work', async () => {
  const { call, sandbox } = start();
  const ids = Array.from({ length: 8 }, () => sandbox.add('refund').id);
  sandbox.update('refund', ids[0] ?? '', { status: 'succeeded' });
  const due = async () => (await call('state')).body.due.map(({ id }: { id: string }) => id);
  expect(await due()).toEqual(ids.slice(1, 6));
  expect(await due()).toEqual(ids.slice(1, 6));
  await sandbox.clock.advance('1 minute');
  const ended = sandbox.events.filter(({ type }) => type === 'refund.succeeded');
  expect(ended.map(({ data }) => Reflect.get(data.object, 'id'))).toEqual(ids);
  expect(await due()).toEqual([]);
});

test('counts failing deliveries until a later one succeeds, and armed faults', async () => {
  let status = 500;
  const { call, command, sandbox } = start();
  const figures = async () => {
    const { body } = await call('state');
    return [body.pending_deliveries, body.failing_deliveries, body.armed_faults];
  };
  const { id } = sandbox.webhooks.deliverTo(() => new Response(null, { status }));
  sandbox.add('customer');
  expect(await figures()).toEqual([1, 0, 0]);
  await sandbox.settled();
  expect(await figures()).toEqual([1, 1, 0]);
  await sandbox.clock.advance('2 days');
  expect(await figures()).toEqual([0, 1, 0]);
  status = 204;
  expect((await command('webhooks.redeliver', { id })).body).toEqual({ count: 1 });
  await sandbox.settled();
  expect(await figures()).toEqual([0, 0, 0]);
  expect((await command('webhooks.redeliver', { id })).body).toEqual({ count: 0 });
  await command('faults.inject', { kind: 'unavailable' });
  await command('faults.inject', { kind: 'drop_delivery' });
  expect(await figures()).toEqual([0, 0, 2]);
});

test('an advance of the clock reports how many events and deliveries there were', async () => {
  const { command, sandbox } = start();
  let status = 500;
  sandbox.webhooks.deliverTo(() => new Response(null, { status }), { events: ['refund.succeeded'] });
  for (let count = 0; count < 2; count += 1) sandbox.add('refund');
  sandbox.add('checkout_session');
  const first = (await command('clock.advance', { advance: '1 minute' })).body.summary;
  expect(first).toEqual({
    events: [{ type: 'refund.succeeded', count: 2 }],
    delivered: 0,
    failed: 2,
    text: '2 events happened; 0 deliveries arrived and 2 failed.',
  });
  status = 204;
  expect((await command('clock.advance', { advance: '5 s' })).body.summary).toMatchObject({
    delivered: 2,
    text: '0 events happened; 2 deliveries arrived and 0 failed.',
  });
  expect((await command('clock.advance', { advance: 0 })).body.summary.text).toBe('Nothing happened.');
});

test('reports the currency that a broken snapshot unbalances', async () => {
  const { call, sandbox } = start();
  sandbox.add('charge', { amount: 1200 });
  expect((await call('state')).body.books).toEqual({ balanced: true, problem: null });
  const text = JSON.stringify(sandbox.snapshot());
  sandbox.restore(JSON.parse(text.replace('"debits":1200', '"debits":1300')));
  expect((await call('state')).body.books).toEqual({
    balanced: false,
    problem: 'The debits in USD are 1300 and the credits 1200, in minor units.',
  });
});
