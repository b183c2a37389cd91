/** The life of a payment: confirmed, authorized, captured, declined, canceled and refunded. */

import { describe, expect, test } from 'vitest';
import { parse } from '../../../../test/support/parse.ts';
import { idOf, read, refusal, start } from '../../../../test/support/sandbox-requests.ts';

const second = 1_767_225_600; // 2026-01-01T00:00:00Z

async function withIntent(more: Readonly<Record<string, unknown>> = {}) {
  const service = start();
  const created = await service.post('/v1/payment_intents', { amount: 1200, currency: 'jpy', ...more });
  const path = `/v1/payment_intents/${idOf(created)}`;
  await service.sandbox.clock.advance(5_000);
  const act = (move: string, body: unknown = {}) => service.request(`${path}/${move}`, { body });
  const moved = async (move: string, body?: unknown) => {
    const response = await act(move, body);
    expect(response.status).toBe(200);
    return parse('payment_intent', await read(response));
  };
  const now = async () => parse('payment_intent', await read(await service.request(path)));
  const charges = () =>
    service.request('/v1/charges').then(async (response) => Object(await response.json()).data);
  return { ...service, id: idOf(created), act, moved, now, charges };
}

test('a new intent waits for a payment method', async () => {
  const { id, now } = await withIntent({ metadata: { order: '1042' } });
  expect(await now()).toMatchObject({
    amount: 1200,
    currency: 'JPY',
    status: 'requires_payment_method',
    capture_method: 'automatic',
    payment_method: null,
    latest_charge_id: null,
    client_secret: expect.stringMatching(new RegExp(`^${id}_secret_`)),
    metadata: { order: '1042' },
    created_at: second,
  });
});

describe('confirming', () => {
  test.each([
    ['the given payment method', 'pm_attached', { payment_method: 'pm_given' }, 'pm_given'],
    ['the attached one', 'pm_attached', {}, 'pm_attached'],
  ])('charges %s', async (_, payment_method, body, charged) => {
    const { moved, now, charges } = await withIntent({ payment_method });
    const paid = await moved('confirm', body);
    expect(paid).toMatchObject({ status: 'succeeded', payment_method: charged, updated_at: second + 5 });
    expect(await now()).toEqual(paid);
    expect(await charges()).toMatchObject([
      {
        id: paid.latest_charge_id,
        intent_id: paid.id,
        payment_method: charged,
        amount: 1200,
        amount_refunded: 0,
        currency: 'JPY',
        status: 'succeeded',
        decline_code: null,
        created_at: second + 5,
      },
    ]);
  });

  test('needs a payment method, and a retry needs another than the attached one', async () => {
    for (const [more, move, body] of [
      [{}, 'confirm', {}],
      [{}, 'confirm', { payment_method: 'card_1' }],
      [{ payment_method: 'pm_attached' }, 'retry_with_new_payment_method', {}],
      [{}, 'retry_with_new_payment_method', { payment_method: 'card_1' }],
    ] as const) {
      const { act, now } = await withIntent(more);
      const before = await now();
      const refused = await act(move, body);
      expect([refused.status, await read(refused)]).toMatchObject([
        400,
        { error: { code: 'INVALID_PARAMETER', param: 'payment_method' } },
      ]);
      expect(await now()).toEqual(before);
    }
  });

  test('only authorizes an intent with manual capture, and is allowed if action is required', async () => {
    const { sandbox, id, moved, charges } = await withIntent({ capture_method: 'manual' });
    sandbox.update('payment_intent', id, { status: 'requires_action' });
    expect(await moved('confirm', { payment_method: 'pm_given' })).toMatchObject({
      status: 'requires_capture',
      payment_method: 'pm_given',
      latest_charge_id: null,
      updated_at: second + 5,
    });
    expect(await charges()).toEqual([]);
  });
});

describe('a payment method that is declined', () => {
  test.each([
    ['pm_card_declined', 'do_not_honor', 'issuer'],
    ['pm_card_insufficient_funds', 'insufficient_funds', 'issuer'],
    ['pm_card_expired', 'expired_card', 'issuer'],
    ['pm_card_stolen', 'stolen_card', 'issuer'],
    ['pm_card_processing_error', 'processing_error', 'processor'],
    // Of other services.
    ['pm_card_chargeDeclined', 'do_not_honor', 'issuer'],
    ['pm_card_visa_chargeDeclinedInsufficientFunds', 'insufficient_funds', 'issuer'],
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card', 'issuer'],
    ['pm_card_chargeDeclinedLostCard', 'stolen_card', 'issuer'],
    ['pm_card_decline', 'do_not_honor', 'issuer'],
    ['pm_card_chargeCustomerFail', 'do_not_honor', 'issuer'],
    ['pm_card_radarBlock', 'do_not_honor', 'issuer'],
    ['pm_card_threeDSecureRequiredProcessingError', 'processing_error', 'processor'],
  ])(
    '%s: the intent waits for another one, with %s of the %s',
    async (payment_method, decline_code, decline_type) => {
      const capture_method = payment_method === 'pm_card_declined' ? 'manual' : 'automatic';
      const { act, moved, now, charges, request } = await withIntent({ payment_method, capture_method });
      const declined = await act('confirm');
      const error = { code: 'CARD_DECLINED', decline_code, decline_type };
      expect([declined.status, await read(declined)]).toMatchObject([402, { error }]);
      const [charge] = await charges();
      expect(charge).toMatchObject({
        status: 'failed',
        payment_method,
        authorization_code: '',
        decline_code,
        decline_type,
        failure_message: expect.any(String),
      });
      const waiting = {
        status: 'requires_payment_method',
        payment_method: null,
        latest_charge_id: charge.id,
      };
      expect(await now()).toMatchObject({ ...waiting, updated_at: second + 5 });
      // Nothing was charged, so nothing can be refunded.
      expect(await refusal(await act('refund'))).toEqual([422, 'PAYMENT_INTENT_NOT_SUCCEEDED']);
      const refund = await request('/v1/refunds', { body: { charge_id: charge.id } });
      expect(await refusal(refund)).toEqual([409, 'INVALID_STATE_TRANSITION']);
      const retried = await moved('retry_with_new_payment_method', { payment_method: 'pm_good' });
      expect(retried.status).toBe(capture_method === 'manual' ? 'requires_capture' : 'succeeded');
      expect(await charges()).toHaveLength(capture_method === 'manual' ? 1 : 2);
    },
  );

  test.each(['pm_card_visa', 'pm_card_mastercard', 'pm_1PqXyZ', 'pm_card_fails_on_renewal'])(
    'is not %s',
    async (payment_method) => {
      const { moved } = await withIntent();
      expect(await moved('confirm', { payment_method })).toMatchObject({ status: 'succeeded' });
    },
  );

  test('is declined for a buyer too, who then pays with another one', async () => {
    const { sandbox, id } = await withIntent({ payment_method: 'pm_card_declined' });
    expect(sandbox.pay(id)).toMatchObject({ status: 'requires_payment_method', payment_method: null });
    expect(sandbox.pay(id)).toMatchObject({
      status: 'succeeded',
      payment_method: expect.stringMatching(/^pm_/),
    });
  });
});

describe('capturing', () => {
  test.each([
    [undefined, 1200],
    [700, 700],
    [1, 1],
  ])('of %s charges %i, and only that is refundable', async (amount, charged) => {
    const { sandbox, act, moved, charges } = await withIntent({ capture_method: 'manual' });
    await moved('confirm', { payment_method: 'pm_given' });
    await sandbox.clock.advance(1_000);
    for (const [wrong, answer] of [
      [1201, [422, 'CAPTURE_EXCEEDS_AMOUNT']],
      [0, [400, 'INVALID_PARAMETER']],
    ] as const)
      expect(await refusal(await act('capture', { amount: wrong }))).toEqual(answer);
    expect(await charges()).toEqual([]);
    const captured = await moved('capture', { amount });
    const paid = { status: 'succeeded', amount: 1200, payment_method: 'pm_given', updated_at: second + 6 };
    expect(captured).toMatchObject(paid);
    expect(await charges()).toMatchObject([{ amount: charged, payment_method: 'pm_given', currency: 'JPY' }]);
    expect(await refusal(await act('refund', { amount: charged + 1 }))).toEqual([
      422,
      'REFUND_EXCEEDS_CHARGE',
    ]);
    expect(await read(await act('refund'))).toMatchObject({ amount: charged });
  });
});

test.each(['automatic', 'manual'])(
  'an intent with %s capture is canceled before its capture',
  async (capture_method) => {
    const { sandbox, id, moved, charges } = await withIntent({ capture_method, payment_method: 'pm_given' });
    if (capture_method === 'manual') await moved('confirm');
    expect(await moved('cancel')).toMatchObject({ status: 'canceled', updated_at: second + 5 });
    expect(() => sandbox.pay(id)).toThrow(/waits for a payment, got 'pi_\w+', which is 'canceled'/);
    expect(await charges()).toEqual([]);
  },
);

test('an intent is paid once, and an unknown one not at all', async () => {
  const { sandbox, id } = await withIntent();
  sandbox.pay(id);
  expect(() => sandbox.pay(id)).toThrow(/waits for a payment, got 'pi_\w+', which is 'succeeded'/);
  expect(() => sandbox.pay('pi_nowhere')).toThrow(
    /waits for a payment, got 'pi_nowhere', which does not exist/,
  );
});

test('an intent is refunded by its own path, in parts, up to its amount', async () => {
  const { act, moved, charges } = await withIntent();
  const { id, latest_charge_id } = await moved('confirm', { payment_method: 'pm_given' });
  const part = parse('refund', await read(await act('refund', { amount: 500, reason: 'returned' })));
  const first = { amount: 500, reason: 'returned', status: 'pending', currency: 'JPY' };
  expect(part).toMatchObject({ ...first, payment_intent_id: id, charge_id: latest_charge_id });
  expect(await read(await act('refund'))).toMatchObject({ amount: 700, reason: null });
  expect(await refusal(await act('refund'))).toEqual([422, 'CHARGE_ALREADY_REFUNDED']);
  expect(await charges()).toMatchObject([{ amount_refunded: 1200 }]);
});
