import { PaymentsClient } from 'payments-client';
import { createSandbox, type Sandbox, testCards } from 'payments-client/sandbox';
import { expect, it, test } from 'vitest';

const startsAt = Date.UTC(2026, 0, 15);

function start(): { sandbox: Sandbox; call: typeof call; payments: PaymentsClient } {
  const sandbox = createSandbox({ startsAt });
  const { url: baseUrl, secretKey, securityKey, fetch } = sandbox;
  const payments = new PaymentsClient({ baseUrl, secretKey, securityKey, fetch, maxRetries: 0 });
  async function call(path: string, method = 'GET', body?: object, key = secretKey) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await fetch(new Request(`${baseUrl}/_sandbox/${path}`, init));
    return { status: response.status, body: JSON.parse(await response.text()) };
  }
  return { sandbox, call, payments };
}

test('the page is let in by a key of its own, and holds no other', async () => {
  const { sandbox, call } = start();
  const page = await (await sandbox.fetch(new Request(`${sandbox.url}/`))).text();
  const [, key = ''] = /data-key="([\w-]+)"/.exec(page) ?? [];
  expect((await call('state', 'GET', undefined, key)).status).toBe(200);
  expect(page).not.toContain(sandbox.secretKey);
  expect(page).not.toContain(sandbox.securityKey);
  const headers = { authorization: `Bearer ${key}` };
  expect((await sandbox.fetch(new Request(`${sandbox.url}/v1/customers`, { headers }))).status).toBe(401);
  const other = start();
  expect((await other.call('state', 'GET', undefined, key)).status).toBe(401);
});

test('the page may do only what it needs', async () => {
  const { sandbox } = start();
  const policy =
    (await sandbox.fetch(new Request(`${sandbox.url}/`))).headers.get('content-security-policy') ?? '';
  for (const rule of [
    "default-src 'none'",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "trusted-types 'none'",
  ]) {
    expect(policy).toContain(rule);
  }
});

test('requests are there with their times, the newest last, and the dashboard’s own are not', async () => {
  const { call, payments, sandbox } = start();
  await payments.customers.list();
  await sandbox.clock.advance('1 hour');
  await payments.refunds.list();
  const { body } = await call('requests?limit=1');
  expect(body.data).toMatchObject([
    { number: 2, at: startsAt + 3_600_000, request: { operation: 'refunds.list', status: 200 } },
  ]);
  expect((await call('requests')).body.data).toHaveLength(2);
  expect((await call('requests?limit=none')).status).toBe(400);
});

test('deliveries are there with their attempts', async () => {
  const { call, sandbox } = start();
  sandbox.webhooks.deliverTo(() => new Response('no', { status: 500 }));
  sandbox.add('customer');
  await sandbox.settled();
  const { body } = await call('deliveries');
  expect(body.data).toMatchObject([
    { type: 'customer.created', status: 'pending', attempts: [{ status: 500 }] },
  ]);
});

test('objects are there by their kind, page by page, and one with its history', async () => {
  const { call, sandbox } = start();
  const { id } = sandbox.add('refund');
  sandbox.update('refund', id, { status: 'failed', failure_message: 'already_refunded' });
  for (let count = 0; count < 60; count += 1) sandbox.add('customer');
  const first = (await call('objects?kind=customer')).body;
  expect([first.data.length, first.has_more]).toEqual([50, true]);
  const second = (await call(`objects?kind=customer&starting_after=${first.data.at(-1).id}`)).body;
  expect([second.data.length, second.has_more]).toEqual([10, false]);
  const one = (await call(`objects/refund/${id}`)).body;
  expect(one.object).toEqual(sandbox.get('refund', id));
  expect(one.history).toMatchObject([
    { type: 'refund.created', state: 'pending' },
    { type: 'refund.failed', state: 'failed' },
  ]);
});

it.each([
  'objects',
  'objects?kind=teapot',
  'objects?kind=reply',
  'objects?kind=payment_token',
  'objects/delivery/dlv_1',
])('nothing that is no object of the service is shown: %s', async (path) => {
  expect((await start().call(path)).status).toBe(400);
});

test('transactions are objects too, and an object that is not there is not found', async () => {
  const { call, payments } = start();
  await payments.transact.sale({ amount: '12.00', payment_token: 'tok_1' });
  const [transaction] = (await call('objects?kind=transaction')).body.data;
  expect(transaction).toMatchObject({ type: 'sale', amount: '12.00' });
  expect((await call(`objects/transaction/${transaction.id}`)).body.history).toEqual([]);
  expect((await call('objects/refund/rf_nobody')).status).toBe(404);
});

test('faults that wait can be seen and withdrawn one by one', async () => {
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

test('a fault that was withdrawn is not mistaken for one that came after a clearing', async () => {
  const { call } = start();
  const idOf = async () => (await call('faults')).body.data[0].id;
  await call('faults', 'POST', { kind: 'unavailable' });
  const first = await idOf();
  await call('faults', 'DELETE');
  await call('faults', 'POST', { kind: 'unavailable' });
  expect(await idOf()).not.toBe(first);
});

test('faults of deliveries can be made, seen, withdrawn and cleared', async () => {
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

test('the figures of fraud are those of the sandbox, over 30 days and day by day', async () => {
  const { call, payments, sandbox } = start();
  const sell = async (name: keyof typeof testCards) => {
    const payment_token = await sandbox.tokenize({
      ccnumber: testCards[name].number,
      ccexp: '1230',
      cvv: '123',
    });
    sandbox.authenticate(payment_token);
    await payments.transact.sale({ amount: '12.00', payment_token });
  };
  await sell('fullMatch');
  await sell('noMatch');
  await sandbox.clock.advance('1 day');
  await sell('cvvMismatch');
  await sell('authenticationFailed');
  sandbox.trigger('chargeback.received', { reason_code: '10.4' });
  const { metrics, days } = (await call('fraud')).body;
  const byName = Object.fromEntries(metrics.map((one: { metric: string }) => [one.metric, one]));
  expect(byName['chargeback_rate']).toMatchObject({ sample: 4, value: 0.25, status: 'action' });
  expect(byName['fraud_rate']).toMatchObject({ value: 0.25 });
  expect(byName['three_d_secure_success']).toMatchObject({ sample: 4, value: 0.75 });
  expect(byName['avs_match_rate']).toMatchObject({ sample: 4, value: 0.75 });
  expect(byName['cvv_match_rate']).toMatchObject({ sample: 4, value: 0.5 });
  expect(byName['average_fraud_score']).toMatchObject({ sample: 4, value: (10 + 60 + 40 + 10) / 4 });
  expect(days.map(({ start }: { start: number }) => start)).toEqual([startsAt, startsAt + 86_400_000]);
  expect(days.map(({ values }: { values: object }) => values)).toMatchObject([
    { avs_match_rate: 0.5, chargeback_rate: 0, average_fraud_score: 35 },
    { avs_match_rate: 1, chargeback_rate: 0.5, three_d_secure_success: 0.5 },
  ]);
  await sandbox.clock.advance('40 days');
  expect((await call('fraud')).body.days).toEqual([]);
});
