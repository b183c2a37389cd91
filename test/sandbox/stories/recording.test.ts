import { expect, it } from 'vitest';
import { clientOf, dashboardOf, fails, record } from './support.ts';

const order = { amount: 5500, currency: 'USD' } as const;

it('orders a request before its changes, and these before a later request', async () => {
  const { sandbox, payments, entries } = await record();
  const held = sandbox.faults.inject({ kind: 'hold', operation: 'paymentIntents.create' });
  const slow = payments.paymentIntents.create(order, { operationId: 'slow' });
  await held.reached;
  await payments.paymentIntents.create(order, { operationId: 'fast' });
  held.release();
  await slow;
  const told = (await entries()).toReversed().map((entry) => {
    if (entry.kind === 'request') return `${entry.number} ${entry.operationId}`;
    return entry.kind === 'change' ? `${entry.number} by ${entry.cause}` : `${entry.number} ${entry.kind}`;
  });
  expect(told).toEqual(['1 action', '2 fast', '3 by 2', '4 slow', '5 by 4']);
});

it('records the changes of a request whose connection broke during execution', async () => {
  const { sandbox, payments, story } = await record();
  const work = sandbox.faults.inject({ kind: 'drop_during', operation: 'paymentIntents.create' });
  await fails(payments.paymentIntents.create(order, { operationId: 'order-100' }));
  expect((await story('order-100')).verdict).toBe('nothing_happened');
  work.release();
  await sandbox.settled();
  await expect.poll(async () => (await story('order-100')).verdict).toBe('unknown_to_app');
});

it('records actions of code, but not failed ones', async () => {
  const { sandbox, entries } = await record();
  const { id } = sandbox.add('payment_intent', order);
  sandbox.pay(id);
  expect(() => sandbox.pay(id)).toThrow();
  await sandbox.clock.advance('1 hour');
  sandbox.settle();
  sandbox.faults.clear();
  const actions = (await entries('kind=action&limit=50')).toReversed();
  expect(actions.map((entry) => entry.kind === 'action' && entry.name)).toEqual([
    'add',
    'pay',
    'clock.advance',
    'settle',
    'faults.clear',
  ]);
});

it('records the signed bytes of a delivery, its signature and the response', async () => {
  const { sandbox, payments, entries } = await record();
  const received: { body: string; signature: string | null }[] = [];
  sandbox.webhooks.deliverTo(async (request) => {
    received.push({ body: await request.text(), signature: request.headers.get('webhook-signature') });
    return new Response('not yet', { status: received.length === 1 ? 500 : 200 });
  });
  await payments.paymentIntents.create(order, { operationId: 'order-100' });
  await sandbox.settled();
  await sandbox.clock.advance('1 hour');
  const deliveries = (await entries('kind=delivery')).toReversed();
  expect(deliveries).toMatchObject([
    { attempt: 1, status: 'pending', responseStatus: 500, responseText: 'not yet' },
    { attempt: 2, status: 'delivered', responseStatus: 200 },
  ]);
  expect(deliveries.map((one) => one.kind === 'delivery' && one.request)).toMatchObject(
    received.map(({ body, signature }) => ({ body, headers: { 'webhook-signature': signature } })),
  );
});

it('records whether each reply arrived', async () => {
  const { sandbox, payments, entries } = await record();
  for (const kind of ['drop_request', 'drop_reply', 'truncate_body', 'malformed_body'] as const) {
    sandbox.faults.inject({ kind, operation: 'customers.create' });
    await fails(payments.customers.create({}, { operationId: kind }));
  }
  await payments.customers.create({});
  const requests = (await entries('kind=request&operation=customers.create')).toReversed();
  expect(
    requests.map((one) => one.kind === 'request' && [one.fault?.kind, one.arrived, one.reply?.status]),
  ).toEqual([
    ['drop_request', false, undefined],
    ['drop_reply', false, 200],
    ['truncate_body', false, 200],
    ['malformed_body', false, 200],
    [undefined, true, 200],
  ]);
});

it('keeps the latest 4,000 entries, and marks a story whose start was dropped', async () => {
  const { sandbox, payments, story, entries } = await record();
  const intent = await payments.paymentIntents.create(order, { operationId: 'order-100' });
  for (let count = 0; count < 2_100; count += 1) sandbox.add('product');
  sandbox.pay(intent.id);
  expect(await story('order-100').then(({ verdict }) => verdict)).toBeUndefined();
  expect(await story(intent.id)).toMatchObject({ verdict: 'charged_once', isCut: true });
  expect((await entries('limit=1'))[0]?.number).toBeGreaterThan(4_000);
});

it('forks the sandbox with the state after any entry', async () => {
  const { sandbox, payments, entries, call } = await record();
  const { id } = await payments.paymentIntents.create(order, { operationId: 'order-100' });
  await sandbox.clock.advance('1 hour');
  sandbox.pay(id);
  await payments.refunds.create({ payment_intent_id: id }, { operationId: 'order-100' });
  await sandbox.clock.advance('1 hour');
  const created = (await entries('limit=500')).findLast((one) => one.kind === 'change');
  const { body } = await call('forks', { entry: created?.number });
  const { url } = body as { url: string };
  const fork = clientOf({
    ...sandbox,
    url,
    secretKey: sandbox.secretKey,
    securityKey: sandbox.securityKey,
  } as typeof sandbox);
  expect((await fork.paymentIntents.retrieve(id)).status).toBe('requires_payment_method');
  expect((await fork.refunds.list()).items).toEqual([]);
  // The fork is independent, with new ids, its own clock and its own recording.
  await fork.paymentIntents.create(order, { operationId: 'order-101' });
  expect((await payments.paymentIntents.list()).items.length).toBe(1);
  const { stories } = dashboardOf({ url, secretKey: sandbox.secretKey } as typeof sandbox);
  expect((await stories()).map(({ title, startedAt }) => [title, startedAt])).toEqual([
    ['order-101', created?.at],
  ]);
  await sandbox.close();
  await fails(fetch(url));
});

it('runs scheduled work in a fork as in the original', async () => {
  const { sandbox, payments, entries, call } = await record();
  const { id } = await payments.paymentIntents.create(order, { operationId: 'order-100' });
  sandbox.pay(id);
  const refund = await payments.refunds.create({ payment_intent_id: id }, { operationId: 'order-100' });
  const [last] = await entries('limit=1');
  await sandbox.clock.advance('1 hour');
  const { url } = (await call('forks', { entry: last?.number })).body as { url: string };
  const fork = {
    ...sandbox,
    url,
    secretKey: sandbox.secretKey,
    securityKey: sandbox.securityKey,
  } as typeof sandbox;
  expect((await clientOf(fork).refunds.retrieve(refund.id)).status).toBe('pending');
  await dashboardOf(fork).call('clock', { advance: '2 minutes' });
  expect((await clientOf(fork).refunds.retrieve(refund.id)).status).toBe('succeeded');
});

it('rejects a fork from an entry before a restore', async () => {
  const { sandbox, payments, entries, call } = await record();
  const before = sandbox.snapshot();
  await payments.paymentIntents.create(order, { operationId: 'order-100' });
  sandbox.restore(before);
  const request = (await entries()).find(({ kind }) => kind === 'request');
  expect(await call('forks', { entry: request?.number })).toMatchObject({
    status: 409,
    body: { error: { code: 'ENTRY_TOO_OLD' } },
  });
  const [restored] = await entries('limit=1');
  expect(await call('forks', { entry: restored?.number })).toMatchObject({ status: 409 });
});

it('is cleared by a reset', async () => {
  const { sandbox, payments, stories, entries } = await record();
  await payments.paymentIntents.create(order, { operationId: 'order-100' });
  sandbox.reset();
  expect([await stories(), await entries()]).toEqual([[], []]);
});
