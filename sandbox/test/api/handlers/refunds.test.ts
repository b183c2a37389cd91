import { unlisted } from 'payments-client';
import { describe, expect, test } from 'vitest';
import { parse } from '../../../../test/support/parse.ts';
import { clientOf } from '../../../../test/support/sandbox.ts';
import { codeOf, idOf, paidIntent, read, refusal, start } from '../../../../test/support/sandbox-requests.ts';
import { startForms } from '../../transact/support.ts';

const second = 1_767_225_600;
async function withRefund(amount = 1200) {
  const service = start();
  const created = await service.post('/v1/payment_intents', { amount: 1200, currency: 'usd' });
  const intent = service.sandbox.pay(idOf(created));
  const refund = parse('refund', await service.post('/v1/refunds', { payment_intent_id: intent.id, amount }));
  await service.sandbox.clock.advance(5_000);
  const retry = () => service.request(`/v1/refunds/${refund.id}/retry`, { method: 'POST' });
  const refundAgain = (more = amount) =>
    service.request('/v1/refunds', { body: { payment_intent_id: intent.id, amount: more } });
  const refunded = () => service.sandbox.get('charge', refund.charge_id)?.amount_refunded;
  return { ...service, refund, retry, refundAgain, refunded };
}

test('a failed refund does not count as refunded until its retry', async () => {
  const { sandbox, refund, retry, refunded } = await withRefund(500);
  expect(refunded()).toBe(500);
  sandbox.update('refund', refund.id, { status: 'failed', failure_message: 'already_refunded' });
  expect(refunded()).toBe(0);
  sandbox.update('refund', refund.id, { failure_message: unlisted('closed') });
  expect(refunded()).toBe(0);
  const again = parse('refund', await read(await retry()));
  expect(again).toEqual({ ...refund, status: 'pending', failure_message: null, updated_at: second + 5 });
  expect(refunded()).toBe(500);
  sandbox.update('refund', refund.id, { status: 'succeeded' });
  expect(refunded()).toBe(500);
});

test('a failed refund releases its amount, and cannot be retried once another refund uses it', async () => {
  const { sandbox, refund, retry, refundAgain, refunded } = await withRefund();
  sandbox.update('refund', refund.id, { status: 'failed' });
  expect((await refundAgain(700)).status).toBe(200);
  expect(await refusal(await retry())).toEqual([422, 'REFUND_EXCEEDS_CHARGE']);
  expect((await refundAgain(500)).status).toBe(200);
  expect(await refusal(await retry())).toEqual([422, 'CHARGE_ALREADY_REFUNDED']);
  expect(sandbox.get('refund', refund.id)?.status).toBe('failed');
  expect(refunded()).toBe(1200);
});

test('a refund of an unknown charge, and an unknown refund, cannot be retried', async () => {
  const { sandbox, request } = start();
  const { id } = sandbox.add('refund', { status: 'failed' });
  const orphan = await request(`/v1/refunds/${id}/retry`, { method: 'POST' });
  expect(await refusal(orphan)).toEqual([422, 'OBJECT_NOT_FOUND']);
  const none = await request('/v1/refunds/rf_nowhere/retry', { method: 'POST' });
  expect(await refusal(none)).toEqual([404, 'OBJECT_NOT_FOUND']);
});

const intentParams = { amount: 1200, currency: 'usd', metadata: { order: '1042' } };

test('says how to refund a transaction of the form endpoint', async () => {
  const { sandbox, transact } = startForms();
  const { transactionid } = await transact.sale({ amount: '12.00', payment_token: 'tok_1' });
  const { refunds } = clientOf(sandbox, { fetch: sandbox.fetch });
  await expect(refunds.create({ charge_id: transactionid }, { operationId: 'order-1' })).rejects.toThrow(
    `There is no charge '${transactionid}': it is a transaction of the form endpoint. Refund it by transact.refund.`,
  );
});

describe('refunds', () => {
  test('a refund without an amount covers the rest, and is pending at first', async () => {
    const service = start();
    const intent = await paidIntent(service);
    await service.post('/v1/refunds', { payment_intent_id: intent.id, amount: 500, reason: 'returned' });
    const rest = parse('refund', await service.post('/v1/refunds', { charge_id: intent.latest_charge_id }));
    expect(rest).toMatchObject({
      amount: 700,
      currency: 'USD',
      status: 'pending',
      payment_intent_id: intent.id,
      charge_id: intent.latest_charge_id,
      reason: null,
    });
    expect(await read(await service.request(`/v1/refunds/${rest.id}`))).toEqual(rest);
  });

  test('refunds cannot exceed the payment', async () => {
    const service = start();
    const { id } = await paidIntent(service);
    const refund = (amount?: number) =>
      service.request('/v1/refunds', { body: { payment_intent_id: id, amount } });
    const tooMuch = await refund(1201);
    expect([tooMuch.status, await codeOf(tooMuch)]).toEqual([422, 'REFUND_EXCEEDS_CHARGE']);

    const replies = await Promise.all(Array.from({ length: 10 }, () => refund(300)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(4);
    const empty = await refund();
    expect([empty.status, await codeOf(empty)]).toEqual([422, 'CHARGE_ALREADY_REFUNDED']);
  });

  test('an intent that has not succeeded cannot be refunded', async () => {
    const { request, post } = start();
    const { id } = await post('/v1/payment_intents', intentParams);
    const refused = await request('/v1/refunds', { body: { payment_intent_id: id } });
    expect(refused.status).toBe(422);
    expect(await read(refused)).toMatchObject({
      error: { code: 'PAYMENT_INTENT_NOT_SUCCEEDED', param: 'payment_intent_id' },
    });
  });

  test.each([
    [{}, 'body: expected either payment_intent_id or charge_id, got neither.'],
    [
      { payment_intent_id: 'ch_1' },
      "payment_intent_id: expected the id of a payment intent ('pi_…'), got the id of a charge.",
    ],
    [
      { payment_intent_id: 'pi_1', amount: '12' },
      /^amount: expected an integer in .+, got a string of 2 char/,
    ],
    [[], 'body: expected an object, got an array of 0.'],
  ])('a refund of %j is rejected with what was expected', async (body, message) => {
    const { request } = start();
    const { error } = await read(await request('/v1/refunds', { body }));
    const expected = typeof message === 'string' ? message : expect.stringMatching(message);
    expect(error).toMatchObject({ code: 'INVALID_PARAMETER', message: expected });
  });
});
