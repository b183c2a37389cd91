import { expect, it, test } from 'vitest';
import { start } from './support.ts';

test('lists objects by kind in pages, and shows one with its history', async () => {
  const { call, sandbox } = start();
  const { id } = sandbox.add('refund');
  sandbox.update('refund', id, { status: 'failed', failure_message: 'already_refunded' });
  for (let count = 0; count < 60; count += 1) sandbox.add('customer');
  const first = (await call('objects?kind=customer')).body;
  expect([first.data.length, first.has_more]).toEqual([50, true]);
  const second = (await call(`objects?kind=customer&before=${first.data.at(-1).id}`)).body;
  expect([second.data.length, second.has_more]).toEqual([10, false]);
  const one = (await call(`objects/refund/${id}`)).body;
  expect(one.object).toEqual(sandbox.get('refund', id));
  expect(one.history).toMatchObject([
    { type: 'refund.created', state: 'pending', object: { id, status: 'pending', failure_message: null } },
    { type: 'refund.failed', state: 'failed', object: { id, status: 'failed' } },
  ]);
});

it.each([
  'objects',
  'objects?kind=teapot',
  'objects?kind=reply',
  'objects?kind=payment_token',
  'objects/delivery/dlv_1',
])('rejects an internal kind: %s', async (path) => {
  expect((await start().call(path)).status).toBe(400);
});

test('shows transactions as objects, and responds 404 for an unknown id', async () => {
  const { call, payments } = start();
  await payments.transact.sale({ amount: '12.00', payment_token: 'tok_1' });
  const [transaction] = (await call('objects?kind=transaction')).body.data;
  expect(transaction).toMatchObject({ type: 'sale', amount: '12.00' });
  expect((await call(`objects/transaction/${transaction.id}`)).body.history).toEqual([]);
  expect((await call('objects/refund/rf_nobody')).status).toBe(404);
});

test('filters objects by state and text, with a cursor', async () => {
  const { call, sandbox } = start();
  for (let count = 0; count < 450; count += 1) {
    const email = count % 100 === 7 ? `ada+${count}@shop.example` : `nobody+${count}@shop.example`;
    sandbox.add('customer', { email, deleted: count === 207 });
  }
  const emails = (page: { data: { email: string }[] }) => page.data.map(({ email }) => email);
  // With the '+', since a random id may contain 'ada'.
  const first = (await call('objects?kind=customer&q=ADA%2B&limit=2')).body;
  expect([emails(first), first.has_more]).toEqual([['ada+407@shop.example', 'ada+307@shop.example'], true]);
  const after = `&before=${first.data.at(-1).id}`;
  const second = (await call(`objects?kind=customer&q=ada%2B&limit=3${after}`)).body;
  expect([emails(second), second.has_more]).toEqual([
    ['ada+207@shop.example', 'ada+107@shop.example', 'ada+7@shop.example'],
    false,
  ]);
  const deleted = (await call('objects?kind=customer&state=true')).body;
  expect(emails(deleted)).toEqual(['ada+207@shop.example']);
  sandbox.add('refund', { amount: 5500 });
  sandbox.add('refund', { amount: 550 });
  expect((await call('objects?kind=refund&q=$55.00&state=pending')).body.data).toMatchObject([
    { amount: 5500 },
  ]);
  expect((await call('objects?kind=refund&q=55&state=failed')).body.data).toEqual([]);
});

test.each([
  ['kind=refund&before=rf_none', 'before', /there is no refund 'rf_none'/],
  ['kind=refund&stat=failed', 'stat', /expected one of the parameters .* \(did you mean 'state'\?\)\./],
  ['kind=refund&limit=0', 'limit', /expected an integer from 1/],
])('rejects the query %s', async (query, param, message) => {
  const { status, body } = await start().call(`objects?${query}`);
  expect(status).toBe(400);
  expect(body.error).toMatchObject({ param, message: expect.stringMatching(message) });
});

test('shows no secret of an endpoint or an API key', async () => {
  const { call, payments, sandbox } = start();
  const { id, secret } = sandbox.webhooks.deliverTo('http://localhost:3000/webhooks');
  sandbox.webhooks.rotateSecret(id);
  const key = await payments.apiKeys.create({ name: 'shop', token: 'sk_v1_test_other' });
  for (const path of [
    'objects?kind=webhook_endpoint',
    `objects/webhook_endpoint/${id}`,
    'objects?kind=api_key',
    `objects/api_key/${key.id}`,
    'endpoints',
    `search?q=${id}`,
  ]) {
    const text = JSON.stringify((await call(path)).body);
    expect(text).toContain(path.includes('api_key') ? key.id : id);
    for (const hidden of [
      secret,
      ...sandbox.webhooks.endpoints().map((one) => one.secret),
      'sk_v1_test_other',
    ])
      expect(text).not.toContain(hidden);
  }
});
