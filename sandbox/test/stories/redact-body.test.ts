/** What of a request is recorded. `test/security/secrets/sandbox.test.ts` shows that no secret is. */

import { expect, it } from 'vitest';
import { pageOf } from '../../../test/support/sandbox.ts';
import { fails, record } from './support.ts';

const card = { ccnumber: '4111111111111111', ccexp: '1230', cvv: '987' };

it('records only the headers that explain a request', async () => {
  const { sandbox, entries } = record();
  const headers = { cookie: 'session=abc', 'x-api-key': 'k-123', accept: 'application/json' };
  const authorization = `Bearer ${sandbox.secretKey}`;
  await sandbox.fetch(new Request(`${sandbox.url}/v1/customers`, { headers: { authorization, ...headers } }));
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

it('records other numbers as they are', async () => {
  const { sandbox, payments, entries } = record();
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
  const { sandbox, payments, ...dashboard } = record();
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
  await sandbox.fetch(new Request(pageOf(sandbox, session.id), { method: 'POST', body }));
  const [entry] = (await dashboard.entries('kind=page_view')) ?? [];
  expect(entry).toMatchObject({ operation: 'checkout.pay', request: { body: null }, reply: { body: null } });
});

it('truncates long bodies, and marks such a request as not repeatable', async () => {
  const { payments, entries } = record();
  const fields = Array.from({ length: 400 }, (_, index) => [`key-${index}`, 'x'.repeat(100)]);
  const metadata = { checkaccount: '24413815', ...Object.fromEntries(fields) };
  await payments.customers.create({ metadata });
  await fails(payments.customers.create({ metadata: { a: 'b' } }, { idempotencyKey: '' }));
  const [long] = await entries('kind=request');
  expect(long).toMatchObject({ isWhole: false });
  expect(long?.kind === 'request' && long.request.body?.length).toBe(16_385);
  expect(JSON.stringify(long)).not.toContain('24413815');
});
