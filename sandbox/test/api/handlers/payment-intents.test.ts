import { describe, expect, test } from 'vitest';
import { parse } from '../../../../test/support/parse.ts';
import {
  codeOf,
  idOf,
  illegalMove,
  paidIntent,
  read,
  refusal,
  start,
} from '../../../../test/support/sandbox-requests.ts';

const second = 1_767_225_600;
async function withIntent(more: Readonly<Record<string, unknown>> = {}) {
  const service = start();
  const created = await service.post('/v1/payment_intents', { amount: 1200, currency: 'usd', ...more });
  const path = `/v1/payment_intents/${idOf(created)}`;
  await service.sandbox.clock.advance(5_000);
  const act = (move: string, body: unknown = {}) => service.request(`${path}/${move}`, { body });
  const moved = async (move: string, body?: unknown) => {
    const response = await act(move, body);
    expect(response.status).toBe(200);
    return parse('payment_intent', await read(response));
  };
  const now = async () => parse('payment_intent', await read(await service.request(path)));
  const charge = async () => {
    const { latest_charge_id } = await now();
    return parse('charge', await read(await service.request(`/v1/charges/${latest_charge_id}`)));
  };
  return { ...service, act, moved, now, charge };
}

describe('confirming', () => {
  test('charges the given payment method', async () => {
    const { moved, now, charge } = await withIntent({ payment_method: 'pm_attached' });
    const paid = await moved('confirm', { payment_method: 'pm_given' });
    expect(paid).toMatchObject({
      status: 'succeeded',
      payment_method: 'pm_given',
      updated_at: second + 5,
    });
    expect(await now()).toEqual(paid);
    expect(await charge()).toMatchObject({
      id: paid.latest_charge_id,
      intent_id: paid.id,
      payment_method: 'pm_given',
      amount: 1200,
      amount_refunded: 0,
      currency: 'USD',
      status: 'succeeded',
      decline_code: null,
      created_at: second + 5,
    });
  });

  test('charges the attached payment method', async () => {
    const { moved } = await withIntent({ payment_method: 'pm_attached' });
    expect(await moved('confirm')).toMatchObject({ status: 'succeeded', payment_method: 'pm_attached' });
  });

  test('needs a payment method', async () => {
    const { act, now } = await withIntent();
    const before = await now();
    const refused = await act('confirm');
    expect(refused.status).toBe(400);
    expect(await read(refused)).toMatchObject({
      error: { code: 'INVALID_PARAMETER', param: 'payment_method' },
    });
    expect(await now()).toEqual(before);
  });

  test('only authorizes an intent with manual capture', async () => {
    const { moved, request } = await withIntent({ capture_method: 'manual' });
    expect(await moved('confirm', { payment_method: 'pm_given' })).toMatchObject({
      status: 'requires_capture',
      payment_method: 'pm_given',
      latest_charge_id: null,
      updated_at: second + 5,
    });
    expect(await read(await request('/v1/charges'))).toEqual({ data: [], has_more: false });
  });

  test('is allowed for an intent that requires action', async () => {
    const { sandbox, moved, now } = await withIntent({ payment_method: 'pm_attached' });
    sandbox.update('payment_intent', (await now()).id, { status: 'requires_action' });
    expect(await moved('confirm')).toMatchObject({ status: 'succeeded' });
  });
});

describe('a payment method that is declined', () => {
  test.each([
    ['pm_card_chargeDeclined', 'do_not_honor'],
    ['pm_card_visa_chargeDeclinedInsufficientFunds', 'insufficient_funds'],
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card'],
    ['pm_card_decline', 'do_not_honor'],
    ['pm_card_chargeCustomerFail', 'do_not_honor'],
    ['pm_card_radarBlock', 'do_not_honor'],
    ['pm_card_threeDSecureRequiredProcessingError', 'processing_error'],
  ])('may be one of another service: %s, %s', async (payment_method, decline_code) => {
    const { act, charge } = await withIntent({ payment_method });
    expect((await act('confirm')).status).toBe(402);
    expect(await charge()).toMatchObject({ decline_code });
  });

  test.each(['pm_card_visa', 'pm_card_mastercard', 'pm_1PqXyZ'])('is not %s', async (payment_method) => {
    const { moved } = await withIntent();
    expect(await moved('confirm', { payment_method })).toMatchObject({ status: 'succeeded' });
  });

  test.each(['automatic', 'manual'])('leaves an intent with %s capture open', async (capture_method) => {
    const { act, now, charge } = await withIntent({ capture_method, payment_method: 'pm_card_declined' });
    const declined = await act('confirm');
    expect(declined.status).toBe(402);
    expect(await read(declined)).toMatchObject({
      error: { code: 'CARD_DECLINED', decline_code: 'do_not_honor', decline_type: 'issuer' },
    });
    expect(await now()).toMatchObject({
      status: 'requires_payment_method',
      payment_method: null,
      latest_charge_id: expect.stringMatching(/^ch_/),
      updated_at: second + 5,
    });
    expect(await charge()).toMatchObject({
      status: 'failed',
      payment_method: 'pm_card_declined',
      authorization_code: '',
      decline_code: 'do_not_honor',
      decline_type: 'issuer',
      failure_message: expect.stringMatching(/declined/),
    });
  });

  test('can be replaced by one that succeeds', async () => {
    const { act, moved, charge } = await withIntent({ payment_method: 'pm_card_declined' });
    await act('confirm');
    const path = 'retry_with_new_payment_method';
    expect((await act(path, { payment_method: 'pm_card_declined' })).status).toBe(402);
    expect(await moved(path, { payment_method: 'pm_good' })).toMatchObject({
      status: 'succeeded',
      payment_method: 'pm_good',
    });
    expect(await charge()).toMatchObject({ status: 'succeeded', payment_method: 'pm_good' });
  });

  test('leaves nothing to refund', async () => {
    const { act, now, request } = await withIntent({ payment_method: 'pm_card_declined' });
    await act('confirm');
    const { latest_charge_id: charge_id } = await now();
    expect(await refusal(await act('refund'))).toEqual([422, 'PAYMENT_INTENT_NOT_SUCCEEDED']);
    expect(await refusal(await request('/v1/refunds', { body: { charge_id } }))).toEqual(illegalMove);
  });

  test('is declined for a buyer too', async () => {
    const { sandbox, now } = await withIntent({ payment_method: 'pm_card_declined' });
    const { id } = await now();
    expect(sandbox.pay(id)).toMatchObject({ status: 'requires_payment_method', payment_method: null });
    expect(sandbox.pay(id)).toMatchObject({ status: 'succeeded' });
  });

  test('replays the decline under the same key, without a new attempt', async () => {
    const { now, request } = await withIntent({ payment_method: 'pm_card_declined' });
    const path = `/v1/payment_intents/${(await now()).id}/confirm`;
    await request(path, { body: {}, key: 'order-1' });
    const again = await request(path, { body: {}, key: 'order-1' });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([402, 'true']);
    expect(await read(await request('/v1/charges'))).toMatchObject({ data: [{ status: 'failed' }] });
  });
});

describe('capturing', () => {
  async function withHeld() {
    const service = await withIntent({ capture_method: 'manual' });
    await service.moved('confirm', { payment_method: 'pm_given' });
    await service.sandbox.clock.advance(1_000);
    return service;
  }

  test('captures the whole authorization', async () => {
    const { moved, charge } = await withHeld();
    expect(await moved('capture')).toMatchObject({
      status: 'succeeded',
      payment_method: 'pm_given',
      updated_at: second + 6,
    });
    expect(await charge()).toMatchObject({ amount: 1200, payment_method: 'pm_given' });
  });

  test('captures a part, and only that part is refundable', async () => {
    const { act, moved, charge } = await withHeld();
    expect(await moved('capture', { amount: 700 })).toMatchObject({ status: 'succeeded', amount: 1200 });
    expect(await charge()).toMatchObject({ amount: 700 });
    expect(await refusal(await act('refund', { amount: 701 }))).toEqual([422, 'REFUND_EXCEEDS_CHARGE']);
  });

  test('rejects zero, and more than the authorization', async () => {
    const { act, now } = await withHeld();
    const before = await now();
    expect(await refusal(await act('capture', { amount: 1201 }))).toEqual([422, 'CAPTURE_EXCEEDS_AMOUNT']);
    expect(await refusal(await act('capture', { amount: 0 }))).toEqual([400, 'INVALID_PARAMETER']);
    expect(await now()).toEqual(before);
  });

  test('requires an authorization', async () => {
    const { act } = await withIntent({ payment_method: 'pm_attached' });
    const refused = await act('capture');
    expect(refused.status).toBe(409);
    expect(await read(refused)).toMatchObject({
      error: {
        code: 'INVALID_STATE_TRANSITION',
        message: expect.stringMatching(/'capture'.*status is 'requires_payment_method'/),
      },
    });
  });

  test('happens once', async () => {
    const { act, moved } = await withHeld();
    await moved('capture');
    expect(await refusal(await act('capture'))).toEqual(illegalMove);
  });
});

describe('canceling', () => {
  test('is possible before capture', async () => {
    const waiting = await withIntent();
    expect(await waiting.moved('cancel')).toMatchObject({ status: 'canceled', updated_at: second + 5 });
    const held = await withIntent({ capture_method: 'manual', payment_method: 'pm_given' });
    await held.moved('confirm');
    expect(await held.moved('cancel')).toMatchObject({ status: 'canceled', latest_charge_id: null });
  });

  test.each(['confirm', 'capture', 'cancel', 'retry_with_new_payment_method'])(
    'prevents a later %s',
    async (move) => {
      const { act, moved, now } = await withIntent();
      const canceled = await moved('cancel');
      expect(await refusal(await act(move, { payment_method: 'pm_1' }))).toEqual(illegalMove);
      expect(await now()).toEqual(canceled);
    },
  );

  test('prevents a payment', async () => {
    const { sandbox, moved } = await withIntent();
    const { id } = await moved('cancel');
    expect(() => sandbox.pay(id)).toThrow(/waits for a payment, got 'pi_\w+', which is 'canceled'/);
  });
});

test.each(['confirm', 'cancel', 'retry_with_new_payment_method'])(
  'an intent that has succeeded cannot %s',
  async (move) => {
    const { act, moved } = await withIntent();
    await moved('confirm', { payment_method: 'pm_given' });
    expect(await refusal(await act(move, { payment_method: 'pm_1' }))).toEqual(illegalMove);
  },
);

test('a retry can name another payment method than the attached one', async () => {
  const { act } = await withIntent({ payment_method: 'pm_attached' });
  expect(await refusal(await act('retry_with_new_payment_method'))).toEqual([400, 'INVALID_PARAMETER']);
});

test('an intent is refunded by its own path, in parts, up to its amount', async () => {
  const { act, moved, request } = await withIntent();
  const { id, latest_charge_id } = await moved('confirm', { payment_method: 'pm_given' });
  const part = parse('refund', await read(await act('refund', { amount: 500, reason: 'returned' })));
  expect(part).toMatchObject({
    amount: 500,
    reason: 'returned',
    status: 'pending',
    payment_intent_id: id,
    charge_id: latest_charge_id,
  });
  expect(await read(await act('refund'))).toMatchObject({ amount: 700, reason: null });
  expect(await refusal(await act('refund'))).toEqual([422, 'CHARGE_ALREADY_REFUNDED']);
  expect(await read(await request(`/v1/charges/${latest_charge_id}`))).toMatchObject({
    amount_refunded: 1200,
  });
});

test('an invalid payment method is rejected', async () => {
  const { act, request } = await withIntent();
  const body = { amount: 1200, currency: 'usd', payment_method: 'card_1' };
  expect(await refusal(await request('/v1/payment_intents', { body }))).toEqual([400, 'INVALID_PARAMETER']);
  for (const move of ['confirm', 'retry_with_new_payment_method']) {
    const refused = await act(move, { payment_method: 'card_1' });
    expect(refused.status).toBe(400);
    expect(await read(refused)).toMatchObject({ error: { param: 'payment_method' } });
  }
});

test.each(['confirm', 'capture', 'cancel', 'retry_with_new_payment_method', 'refund'])(
  'an intent that does not exist cannot %s',
  async (move) => {
    const { request } = start();
    const refused = await request(`/v1/payment_intents/pi_nowhere/${move}`, { body: {} });
    expect([refused.status, await codeOf(refused)]).toEqual([404, 'OBJECT_NOT_FOUND']);
  },
);

const intentParams = { amount: 1200, currency: 'usd', metadata: { order: '1042' } };

describe('payment intents', () => {
  test('a new intent requires a payment method', async () => {
    const { post, request } = start();
    const intent = parse('payment_intent', await post('/v1/payment_intents', intentParams));
    expect(intent).toMatchObject({
      amount: 1200,
      currency: 'USD',
      status: 'requires_payment_method',
      capture_method: 'automatic',
      latest_charge_id: null,
      metadata: { order: '1042' },
    });
    expect(intent.client_secret).toMatch(new RegExp(`^${intent.id}_secret_`));
    expect(await read(await request(`/v1/payment_intents/${intent.id}`))).toEqual(intent);
  });

  test('a paid intent has succeeded, with a charge and a payment method', async () => {
    const service = start();
    const { id } = await service.post('/v1/payment_intents', intentParams);
    await service.sandbox.clock.advance(5_000);
    const paid = parse('payment_intent', service.sandbox.pay(String(id)));
    expect(paid).toMatchObject({
      status: 'succeeded',
      latest_charge_id: expect.stringMatching(/^ch_/),
      payment_method: expect.stringMatching(/^pm_/),
      updated_at: second + 5,
    });
    expect(await read(await service.request(`/v1/payment_intents/${id}`))).toEqual(paid);
  });

  test('an intent can be paid once; an unknown one is rejected', async () => {
    const service = start();
    const { id } = await paidIntent(service);
    expect(() => service.sandbox.pay(id)).toThrow(/waits for a payment/);
    expect(() => service.sandbox.pay('pi_nowhere')).toThrow(/waits for a payment/);
  });

  test.each([{ amount: 0 }, { amount: '1200' }, { amount: undefined }, { currency: 'us' }])(
    'an intent with %j is rejected',
    async (wrong) => {
      const { request } = start();
      expect((await request('/v1/payment_intents', { body: { ...intentParams, ...wrong } })).status).toBe(
        400,
      );
    },
  );
});
