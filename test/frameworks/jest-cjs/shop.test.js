const { PaymentsClient } = require('payments-client');
const { memoryStore } = require('payments-client/stores');
const { createTestClient, makeEvent, matchers } = require('payments-client-sandbox/testing');
const { Webhooks } = require('payments-client/webhooks');

expect.extend(matchers);

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const params = { amount: 1200, currency: 'usd' };

test('an order that is paid twice is charged once', async () => {
  const { payments } = createTestClient();
  const pay = async () => {
    const by = { operationId: 'order-1042' };
    const { id } = await payments.paymentIntents.create(params, by);
    return payments.paymentIntents.confirm(id, { payment_method: 'pm_card' }, by);
  };
  expect(await pay()).toEqual(await pay());
  expect((await payments.charges.list()).items).toHaveLength(1);
});

test('a delivery is handled once, and a forged one is refused', async () => {
  const webhooks = new Webhooks({ secret });
  const receiver = webhooks.receiver({
    store: memoryStore(),
    on: { 'payment_intent.succeeded': () => {} },
    onError: () => {},
  });
  const body = JSON.stringify(makeEvent('payment_intent.succeeded'));
  const headers = await webhooks.sign(body);
  const delivery = { body, headers };
  expect(await receiver.handle(delivery)).toMatchObject({ status: 200, outcome: 'handled' });
  expect(await receiver.handle(delivery)).toMatchObject({ status: 200, outcome: 'duplicate' });
  const forged = { headers, body: `${body} ` };
  expect(await receiver.handle(forged)).toMatchObject({ status: 400, outcome: 'refused' });
});

test('the matchers know outcomes and issues, also of a client that the application made', async () => {
  const { sandbox } = createTestClient();
  const { url: baseUrl, secretKey, fetch } = sandbox;
  const payments = new PaymentsClient({ baseUrl, secretKey, fetch, maxRetries: 0 });
  sandbox.faults.inject({ kind: 'drop_reply' });
  const call = payments.paymentIntents.create(params, { operationId: 'order-1' });
  await expect(call).rejects.toHaveOutcome('unknown');
  const half = payments.paymentIntents.create({ ...params, amount: 0.5 }, { operationId: 'order-2' });
  await expect(half).rejects.toHaveIssue('amount');
});
