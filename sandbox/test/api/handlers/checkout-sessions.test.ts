import { describe, expect, test } from 'vitest';
import { parse } from '../../../../test/support/parse.ts';
import {
  illegalMove,
  read,
  refusal,
  sessionParams,
  start,
} from '../../../../test/support/sandbox-requests.ts';

const second = 1_767_225_600; // 2026-01-01T00:00:00Z

async function withSession(more: Readonly<Record<string, unknown>> = {}) {
  const service = start();
  const { id } = parse('checkout_session', await service.post('/v1/checkout/sessions', sessionParams(more)));
  const path = `/v1/checkout/sessions/${id}`;
  await service.sandbox.clock.advance(5_000);
  const act = (move: string, body: unknown = {}) => service.request(`${path}/${move}`, { body });
  const now = async () => parse('checkout_session', await read(await service.request(path)));
  const expand = async () => read(await service.request(`${path}/expand`));
  return { ...service, id, act, now, expand };
}

test('an open session can be expired once, and stays expired', async () => {
  const { sandbox, act, now } = await withSession();
  const expired = parse('checkout_session', await read(await act('expire')));
  expect(expired).toMatchObject({ status: 'expired', payment_status: 'unpaid', updated_at: second + 5 });
  const refused = await act('expire');
  expect(refused.status).toBe(409);
  expect(await read(refused)).toMatchObject({
    error: {
      code: 'INVALID_STATE_TRANSITION',
      message: expect.stringMatching(/checkout session.*'expire'.*status is 'expired'/),
    },
  });
  await sandbox.clock.advance(2 * 86_400_000);
  expect(await now()).toEqual(expired);
});

test('a session whose end was moved stays open until then', async () => {
  const { sandbox, id, now } = await withSession();
  const { expires_at } = await now();
  sandbox.update('checkout_session', id, { expires_at: expires_at + 86_400 });
  await sandbox.clock.advance(1.5 * 86_400_000);
  expect(await now()).toMatchObject({ status: 'open' });
  await sandbox.clock.advance(86_400_000);
  expect(await now()).toMatchObject({ status: 'expired' });
});

test('a paid session completes with its own intent', async () => {
  const { sandbox, id, act, now, request } = await withSession();
  const intent = sandbox.pay(id);
  expect(intent).toMatchObject({ amount: 2400, currency: 'USD', status: 'succeeded', customer: null });
  expect(await read(await request(`/v1/payment_intents/${intent.id}`))).toEqual(intent);
  expect(await now()).toMatchObject({
    status: 'complete',
    payment_status: 'paid',
    payment_intent_id: intent.id,
    updated_at: second + 5,
  });
  expect(() => sandbox.pay(id)).toThrow(/waits for a payment, got 'cs_\w+', which is 'complete'/);
  expect(await refusal(await act('expire'))).toEqual(illegalMove);
  await sandbox.clock.advance(2 * 86_400_000);
  expect(await now()).toMatchObject({ status: 'complete' });
});

test('a session whose declined intent was canceled completes with another one', async () => {
  const { sandbox, id, act, now, request } = await withSession();
  const declined = sandbox.pay(id, { payment_method: 'pm_card_declined' });
  expect(await now()).toMatchObject({ status: 'open', payment_intent_id: declined.id });
  await request(`/v1/payment_intents/${declined.id}/cancel`, { body: {} });
  const paid = sandbox.pay(id);
  expect(paid.id).not.toBe(declined.id);
  expect(await now()).toMatchObject({ payment_status: 'paid', payment_intent_id: paid.id });
  expect(await read(await act('refund'))).toMatchObject({ payment_intent_id: paid.id, amount: 2400 });
});

test('a session that expired, or does not exist, cannot be paid', async () => {
  const { sandbox, id, act } = await withSession();
  await act('expire');
  expect(() => sandbox.pay(id)).toThrow(/waits for a payment, got 'cs_\w+', which is 'expired'/);
  expect(() => sandbox.pay('cs_nowhere')).toThrow(
    /waits for a payment, got 'cs_nowhere', which does not exist/,
  );
});

test('an expanded session contains the objects that it refers to', async () => {
  const { sandbox, id, now, expand } = await withSession();
  expect(await expand()).toEqual({ ...(await now()), expanded: { payment_intent: null, customer: null } });
  const intent = sandbox.pay(id);
  expect(await expand()).toEqual({ ...(await now()), expanded: { payment_intent: intent, customer: null } });
});

/** Fields that the SDK infers from a session's own fields. */
const inferredFields = {
  client_reference_id: 'order-1',
  customer_email: 'ada@example.com',
  locale: 'de',
  customer: 'cus_none',
  metadata: { order: 'order-1' },
  collect_config: { phone: 'required' },
};

test('with onlyShownFields a session drops every field that the interface does not show', async () => {
  const create = (params: object) =>
    start({ onlyShownFields: true, seed: 'same ids' }).post('/v1/checkout/sessions', params);
  const session = await create(sessionParams(inferredFields));
  expect(session).toEqual(await create(sessionParams()));
  expect(session).toMatchObject({ ...sessionParams({ line_items: [{ amount: 1200 }] }), amount_total: 2400 });
  expect(session).toMatchObject({ client_reference_id: null, customer: null, metadata: {} });
});

test('a completed session can be refunded in parts, up to its amount', async () => {
  const { sandbox, id, act } = await withSession();
  const intent = sandbox.pay(id);
  const part = parse('refund', await read(await act('refund', { amount: 400, reason: 'returned' })));
  expect(part).toMatchObject({
    amount: 400,
    reason: 'returned',
    payment_intent_id: intent.id,
    charge_id: intent.latest_charge_id,
  });
  expect(await read(await act('refund'))).toMatchObject({ amount: 2000 });
  expect(await refusal(await act('refund'))).toEqual([422, 'CHARGE_ALREADY_REFUNDED']);
  expect(await refusal(await act('refund', { amount: 0 }))).toEqual([400, 'INVALID_PARAMETER']);
});

test('an unpaid session cannot be refunded', async () => {
  const { sandbox, act, request } = await withSession();
  expect(await refusal(await act('refund'))).toEqual(illegalMove);
  const refund = async (payment_intent_id: `pi_${string}` | null) => {
    const { id } = sandbox.add('checkout_session', { status: 'complete', payment_intent_id });
    return refusal(await request(`/v1/checkout/sessions/${id}/refund`, { body: {} }));
  };
  expect(await refund(null)).toEqual([422, 'PAYMENT_INTENT_MISSING']);
  expect(await refund('pi_nowhere')).toEqual([422, 'OBJECT_NOT_FOUND']);
});

describe('checkout sessions', () => {
  test('a new session is open and unpaid for 24 hours, with the total of its lines', async () => {
    const { post, request } = start();
    const line_items = [
      { name: 'Tea', amount: 1200, currency: 'usd', quantity: 2 },
      { name: 'Cup', amount: 350, currency: 'usd', quantity: 1 },
    ];
    const session = parse(
      'checkout_session',
      await post('/v1/checkout/sessions', sessionParams({ line_items })),
    );
    expect(session).toMatchObject({
      id: expect.stringMatching(/^cs_[0-9a-z]{16}$/),
      amount_subtotal: 2750,
      amount_total: 2750,
      currency: 'USD',
      status: 'open',
      payment_status: 'unpaid',
      livemode: false,
      customer: null,
      created_at: second,
      expires_at: second + 86_400,
      line_items: [
        { name: 'Tea', currency: 'USD', quantity: 2 },
        { name: 'Cup', currency: 'USD', quantity: 1 },
      ],
    });
    expect(await read(await request(`/v1/checkout/sessions/${session.id}`))).toEqual(session);
  });

  test('a session expires at its time, not before', async () => {
    const { sandbox, post, request } = start();
    const { id } = await post('/v1/checkout/sessions', sessionParams());
    const session = async () => read(await request(`/v1/checkout/sessions/${id}`));
    await sandbox.clock.advance(86_400_000 - 1);
    expect(await session()).toMatchObject({ status: 'open', updated_at: second });
    await sandbox.clock.advance(1);
    expect(await session()).toMatchObject({ status: 'expired', updated_at: second + 86_400 });
  });

  test('a session that expired during an advance has its own expiry time', async () => {
    const { sandbox, post, request } = start();
    const { id } = await post('/v1/checkout/sessions', sessionParams());
    await sandbox.clock.advance(2 * 86_400_000);
    const session = await read(await request(`/v1/checkout/sessions/${id}`));
    expect(session).toMatchObject({ status: 'expired', updated_at: second + 86_400 });
  });

  test.each(['http://localhost:3000/thanks?order=1', 'https://shop.example'])(
    'an absolute one is stored as it is: %s',
    async (success_url) => {
      const { post } = start();
      const session = await post('/v1/checkout/sessions', sessionParams({ success_url }));
      expect(session).toMatchObject({ success_url });
    },
  );
});
