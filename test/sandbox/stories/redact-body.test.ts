/** Secrets, tokens and card data never enter the recording, whatever field or body they come in. */

import { expect, it } from 'vitest';
import { pageOf } from '../../support/sandbox.ts';
import { type dashboardOf, fails, record } from './support.ts';

const card = { ccnumber: '4111111111111111', ccexp: '1230', cvv: '987' };

/** Returns everything that the dashboard can read. */
async function everythingSeen({ call, stories, story }: ReturnType<typeof dashboardOf>): Promise<string> {
  const pages = await Promise.all([
    call('entries?limit=500'),
    call('requests?limit=500'),
    call('stories?limit=500'),
  ]);
  const all = await Promise.all((await stories('limit=500')).map(({ id }) => story(id)));
  return JSON.stringify([pages, all]);
}

it('records no card, token, code or key of a form', async () => {
  const { sandbox, payments, ...dashboard } = await record();
  const payment_token = await sandbox.tokenize(card);
  await payments.transact.sale({
    amount: '12.00',
    payment_token,
    orderid: 'shop-7',
    email: 'ada@example.com',
  });
  const form = new URLSearchParams({
    ...card,
    type: 'sale',
    amount: '13.00',
    security_key: sandbox.securityKey,
    track_1: 'B4111',
  });
  await fetch(`${sandbox.url}/api/transact.php`, { method: 'POST', body: form });
  const multipart = new FormData();
  for (const [name, value] of form) multipart.set(name, value);
  await fetch(`${sandbox.url}/api/transact.php`, { method: 'POST', body: multipart });
  for (const kind of ['drop_request', 'unavailable'] as const) {
    for (const body of [form, multipart]) {
      sandbox.faults.inject({ kind });
      await fetch(`${sandbox.url}/api/transact.php`, { method: 'POST', body }).catch(() => undefined);
    }
  }
  const seen = await everythingSeen(dashboard);
  // As words, since ids and durations contain such digits too.
  for (const digits of [card.cvv, card.ccexp]) {
    expect(seen).not.toMatch(new RegExp(`(?<![\\w.])${digits}(?!\\w)`));
  }
  for (const secret of [card.ccnumber, payment_token, sandbox.securityKey, sandbox.secretKey, 'B4111']) {
    expect(seen).not.toContain(secret);
  }
  expect(seen).toContain('ada%40example.com');
});

it('records no secret of a resource in a request, a reply, a change or a delivery', async () => {
  const { sandbox, payments, ...dashboard } = await record();
  const { secret } = sandbox.webhooks.deliverTo(() => new Response(`thanks`));
  const intent = await payments.paymentIntents.create(
    { amount: 5500, currency: 'usd' },
    { operationId: 'order-100' },
  );
  const method = {
    type: 'card',
    card: { number: card.ccnumber, exp_month: 12, exp_year: 2031, cvc: card.cvv, last4: '1111' },
  };
  await payments.request({ method: 'POST', path: '/v1/payment_methods', body: method, movesMoney: false });
  const endpoint = await payments.webhookEndpoints.create({
    url: 'http://127.0.0.1:1/hooks',
    enabled_events: ['*'],
  });
  sandbox.update('webhook_endpoint', endpoint.id, { secret: 'whsec_c2VjcmV0c2VjcmV0c2VjcmV0' });
  await sandbox.settled();
  const seen = await everythingSeen(dashboard);
  const secrets = [
    secret,
    String(Reflect.get(endpoint, 'secret')),
    'c2VjcmV0c2VjcmV0',
    sandbox.secretKey,
    card.ccnumber,
    '2031',
  ];
  for (const one of secrets) expect(seen).not.toContain(one);
  expect(seen).toContain(intent.id);
  expect(seen).toContain('1111');
});

it('records only the headers that explain a request', async () => {
  const { sandbox, entries } = await record();
  await fetch(`${sandbox.url}/v1/customers`, {
    headers: {
      authorization: `Bearer ${sandbox.secretKey}`,
      cookie: 'session=abc',
      'x-api-key': 'k-123',
      accept: 'application/json',
    },
  });
  const [entry] = await entries();
  expect(entry).toMatchObject({
    request: { headers: { accept: 'application/json', authorization: '[redacted]' } },
    reply: {
      status: 200,
      headers: { 'content-type': 'application/json', 'x-request-id': expect.stringMatching(/^req_/) },
    },
  });
  expect(JSON.stringify(entry)).not.toMatch(/session=abc|k-123/);
});

it('redacts a card number in a query, a path, a key and plain text', async () => {
  const { sandbox, payments, ...dashboard } = await record();
  const headers = { authorization: `Bearer ${sandbox.secretKey}` };
  await fetch(`${sandbox.url}/v1/customers?email=${card.ccnumber}&token=tok_abc123def`, { headers });
  await fetch(`${sandbox.url}/v1/customers/${card.ccnumber}`, { headers });
  await fetch(`${sandbox.url}/v1/customers`, { method: 'POST', headers, body: `not JSON: ${card.ccnumber}` });
  const params = { amount: 100, currency: 'usd', metadata: { note: `card ${card.ccnumber}` } } as const;
  await payments.paymentIntents.create(params, { idempotencyKey: `pay ${card.ccnumber}` });
  const seen = await everythingSeen(dashboard);
  expect(seen).not.toContain(card.ccnumber);
  expect(seen).not.toContain('tok_abc123def');
});

it('redacts a card number in JSON as a number, a name, in groups with any separator, and twice', async () => {
  const { sandbox, payments, ...dashboard } = await record();
  const long = 6_304_917_082_640_395_711n;
  const grouped = [
    '4111 1111 1111 1111',
    '4111/1111/1111/1111',
    '4111 - 1111 - 1111 - 1111',
    '4111\n1111\n1111\n1111',
  ];
  const post = (body: string, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
    fetch(`${sandbox.url}/v1/products`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sandbox.secretKey}`, ...headers },
      body,
    });
  const number = card.ccnumber;
  await post(`{"note":${number},"deep":[{"note":${number}.0}],"long":${long},"minus":-${number}}`);
  await post(`{"${number}":"name","deep":{"4111-1111-1111-1111":{"${number}":1}}}`);
  await post(`{"note":"${number}","note":"replaced"}`);
  for (const text of grouped) await post(JSON.stringify({ text, [text]: 1 }));
  await post(`${number}=1&a=${number}`, { 'content-type': 'application/x-www-form-urlencoded' });
  await payments.customers.create({ metadata: { [number]: 'a name' } });
  const seen = await everythingSeen(dashboard);
  for (const secret of [number, '630491708264', ...grouped]) expect(seen).not.toContain(secret);
  expect(seen).not.toMatch(/4111\W+1111/);
  expect(seen).toContain('[redacted]');
});

it('records other numbers as they are', async () => {
  const { sandbox, payments, entries } = await record();
  const params = {
    amount: 411_111_111_111_111,
    currency: 'usd',
    metadata: { time: '1795658868123' },
  } as const;
  await payments.paymentIntents.create(params, { operationId: 'order-1' });
  sandbox.add('product', { sold_at: 1_795_658_868_123 });
  const text = JSON.stringify(await entries());
  expect(text).toContain('411111111111111');
  expect(text).toContain('1795658868123');
});

it("records no body of a buyer's page", async () => {
  const { sandbox, payments, ...dashboard } = await record();
  const session = await payments.checkoutSessions.create(
    {
      mode: 'payment',
      line_items: [{ name: 'Tea', amount: 1200, currency: 'usd', quantity: 1 }],
      success_url: 'https://shop.example/paid',
      cancel_url: 'https://shop.example/cart',
    },
    { operationId: 'order-100' },
  );
  const body = new URLSearchParams({ ...card, name: 'Ada Lovelace', email: 'buyer@example.com' });
  await fetch(pageOf(sandbox, session.id), { method: 'POST', body, redirect: 'manual' });
  const [entry] = (await dashboard.entries('kind=page_view')) ?? [];
  expect(entry).toMatchObject({ operation: 'checkout.pay', request: { body: null }, reply: { body: null } });
  const seen = await everythingSeen(dashboard);
  expect(seen).not.toContain(card.ccnumber);
});

it('truncates long bodies, and marks such a request as not repeatable', async () => {
  const { payments, entries } = await record();
  const metadata = Object.fromEntries(
    Array.from({ length: 400 }, (_, index) => [`key-${index}`, 'x'.repeat(100)]),
  );
  await payments.customers.create({ metadata });
  await fails(payments.customers.create({ metadata: { a: 'b' } }, { idempotencyKey: '' }));
  const [long] = await entries('kind=request');
  expect(long).toMatchObject({ isWhole: false });
  expect(long?.kind === 'request' && long.request.body?.length).toBe(16_385);
});
