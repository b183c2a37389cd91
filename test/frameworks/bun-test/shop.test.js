import { expect, test } from 'bun:test';
import { Webhooks } from 'payments-client/webhooks';
import { createTestClient, makeEvent, matchers } from 'payments-client-sandbox/testing';
import { openShop } from './shop.js';

expect.extend(matchers);

const PAYMENTS_WEBHOOK_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

test('an order that is paid twice is charged once', async () => {
  const { payments } = createTestClient();
  const { pay } = openShop({ PAYMENTS_WEBHOOK_SECRET }, payments);
  expect(await pay('order-1042')).toEqual(await pay('order-1042'));
  expect((await payments.charges.list()).items).toHaveLength(1);
});

test('a delivery is handled once, and a forged one is refused', async () => {
  const { payments } = createTestClient();
  const { receiver } = openShop({ PAYMENTS_WEBHOOK_SECRET }, payments);
  const body = JSON.stringify(makeEvent('payment_intent.succeeded'));
  const headers = await new Webhooks({ secret: PAYMENTS_WEBHOOK_SECRET }).sign(body);
  const delivery = { body, headers };
  expect(await receiver.handle(delivery)).toMatchObject({ status: 200, outcome: 'handled' });
  expect(await receiver.handle(delivery)).toMatchObject({ status: 200, outcome: 'duplicate' });
  const forged = { headers, body: `${body} ` };
  expect(await receiver.handle(forged)).toMatchObject({ status: 400, outcome: 'refused' });
});

test('the matchers know outcomes and issues', async () => {
  const { payments, sandbox } = createTestClient();
  const { pay } = openShop({ PAYMENTS_WEBHOOK_SECRET }, payments);
  sandbox.faults.inject({ kind: 'drop_reply' });
  await expect(pay('order-1042')).rejects.toHaveOutcome('unknown');
  const half = payments.paymentIntents.create({ amount: 0.5, currency: 'usd' }, { operationId: 'order-1' });
  await expect(half).rejects.toHaveIssue('amount');
  await expect(pay('order-1043')).resolves.not.toHaveOutcome('unknown');
});
