/** What `beforeCall` sees of a call: enough to decide, and no secret. */

import { type CallToCheck, PaymentsClient } from 'payments-client';
import { expect, it } from 'vitest';
import { anything } from '../../support/anything.ts';
import { paymentIntent, refund, saleParams } from '../../support/fixtures.ts';
import { baseUrl, json, secretKey } from '../../support/mock-service.ts';
import { useScriptedService } from '../../support/scripted-service.ts';
import { everyForm, forms } from '../forms.ts';

const service = useScriptedService();
const card = '4929876512340988';

/** A client, and what its `beforeCall` saw. */
function watched(options = {}) {
  const calls: CallToCheck[] = [];
  const payments = service.createClient({ beforeCall: (call) => void calls.push(call), ...options });
  return { payments, calls };
}

it.each(everyForm)('sees %s', async (_name, form) => {
  const { payments, calls } = watched();
  service.answers(json(form.result));
  await form.call(payments);
  const { operation, method, path, movesMoney } = form;
  const operationId = form.idempotencyKey && movesMoney ? 'order-1' : undefined;
  expect(calls).toMatchObject([{ operation, method, path, movesMoney, operationId }]);
});

it('sees what is sent, frozen, and the id of the hooks', async () => {
  const ids: string[] = [];
  const { payments, calls } = watched({
    hooks: { start: ({ callId }: CallToCheck) => ids.push(callId) },
    extraParameters: { 'refunds.create': ['metadata'] },
  });
  service.answers(json(refund));
  const params = {
    charge_id: 'ch_1',
    amount: 100,
    reason: 'requested_by_customer',
    metadata: { lines: ['a'] },
  };
  await payments.refunds.create(anything(params), { idempotencyKey: 'key-1' });
  const [call] = calls;
  expect(call).toEqual({
    callId: ids[0],
    operation: 'refunds.create',
    method: 'POST',
    path: '/v1/refunds',
    movesMoney: true,
    operationId: 'key-1',
    operationKey: 'key-1',
    params,
  });
  expect(JSON.parse(service.arrivals[0]?.body ?? '')).toEqual(params);
  const { metadata } = Object(call?.params);
  for (const part of [call, call?.params, metadata, metadata.lines]) expect(Object.isFrozen(part)).toBe(true);
});

it('sees query and body of a raw request, of which the body wins', async () => {
  const { payments, calls } = watched();
  service.answers(json({}));
  const request = {
    method: 'POST',
    path: '/v1/payouts',
    query: { amount: 1, note: 'a' },
    body: { amount: 2 },
  } as const;
  await payments.request(request, { operationId: 'payout-1' });
  expect(calls[0]?.params).toEqual({ amount: 2, note: 'a' });
});

it.each([
  [
    'a list by the index of its items',
    [{ amount: 1 }, `to ${card}`],
    { 0: { amount: 1 }, 1: 'to [redacted]' },
  ],
  ['no text', card, {}],
  ['no number', 7, {}],
  ['not nothing', null, {}],
])('sees of a raw body %s', async (_what, body, params) => {
  const { payments, calls } = watched();
  service.answers(json({}));
  await payments.request({ method: 'POST', path: '/v1/payouts', body }, { operationId: 'payout-1' });
  expect(calls[0]?.params).toEqual(params);
});

it('sees no secret, by its name or by its value, and every amount', async () => {
  const { payments, calls } = watched();
  service.answers(json(forms['a sale'].result));
  const { payment_token: _, ...sale } = saleParams;
  const sent = {
    ...sale,
    // The buyer chose these so that they stand where a limit looks.
    amount: '123.00',
    cvv: '123',
    email: 'amount@example.com',
    ccnumber: card,
    ccexp: '1230',
    phone: '123456',
    ponumber: `card ${card}`,
    order_description: `of amount@example.com with ${secretKey}`,
    orderid: 'order-7',
  };
  await payments.transact.sale(anything(sent));
  expect(calls[0]?.params).toEqual({
    type: 'sale',
    amount: '123.00',
    cvv: '[redacted]',
    email: '[redacted]',
    ccnumber: '[redacted]',
    ccexp: '[redacted]',
    phone: '[redacted]',
    ponumber: 'card [redacted]',
    order_description: 'of [redacted] with [redacted]',
    orderid: 'order-7',
  });
  expect(service.arrivals[0]?.body).toContain(`ccnumber=${card}`);
});

it.each(['cvc', 'cvv2', 'security_code', 'card_cvc', 'card_code', 'ccexp'])(
  'sees no security code by the name %s, at any depth',
  async (name) => {
    const { payments, calls } = watched();
    service.answers(json({ id: 'tok_1' }));
    const body = { [name]: '7391', card: { [name]: 7391 }, note: 'it is 7391' };
    await payments.request({ method: 'POST', path: '/v1/tokens', body }, { operationId: 'token-1' });
    const hidden = { [name]: '[redacted]', card: { [name]: '[redacted]' }, note: 'it is [redacted]' };
    expect(calls[0]?.params).toEqual(hidden);
    expect(service.arrivals[0]?.body).toContain('7391');
  },
);

it('sees the amount, whatever text a buyer sends as a token', async () => {
  const { payments, calls } = watched();
  service.answers(json(forms['a sale'].result));
  for (const token of ['amount', '999999.00', '[redacted]']) {
    await payments.transact.sale({ amount: '999999.00', payment_token: token });
    expect(calls.pop()?.params).toEqual({ type: 'sale', amount: '999999.00', payment_token: '[redacted]' });
  }
});

it.each(['5', '123456789012345', '1.5', '1.2345'])(
  'sees the amount %s, though it is a token too',
  async (text) => {
    const { payments, calls } = watched();
    service.answers(json(forms['a sale'].result));
    const tips = { tip_amount: text, other_amount: `${text} `, last_amount: `x${text}` };
    await payments.transact.submit({ type: 'sale', payment_token: text, ...tips });
    const [call] = calls;
    expect(call?.params['tip_amount']).toBe(text);
    // What is no amount is hidden as everywhere, from ten characters on.
    const hidden = text.length > 9 ? { other_amount: '[redacted] ', last_amount: 'x[redacted]' } : {};
    expect(call?.params).toMatchObject(hidden);
  },
);

it('sees no number of a card, not as an amount and not where a text is cut', async () => {
  const { payments, calls } = watched();
  service.answers(json(paymentIntent));
  const metadata = { amount: '378282246310005', quantity: '5', note: `${'y'.repeat(8192 - 15)}${card}` };
  await payments.paymentIntents.create({ amount: 5, currency: 'usd', metadata }, { operationId: 'order-1' });
  const shown = Object(calls[0]?.params['metadata']);
  expect(shown).toMatchObject({ amount: '[redacted]', quantity: '5' });
  expect(shown.note).not.toMatch(/\d/);
  await payments.request(
    { method: 'POST', path: '/v1/x', body: { amount: Number(card) } },
    { operationId: 'x' },
  );
  expect(calls.at(-1)?.params).toEqual({ amount: '[redacted]' });
});

it('sees what names an operation among all: its scope and its method too', async () => {
  service.answers(json(refund));
  const keys: unknown[] = [];
  const beforeCall = ({ operationKey }: CallToCheck) => void keys.push(operationKey);
  for (const operationScope of ['shop-a', 'shop-b', undefined]) {
    const payments = service.createClient({ beforeCall, operationScope });
    await payments.refunds.create({ charge_id: 'ch_1' }, { operationId: 'return-1' });
    await payments.refunds.create({ charge_id: 'ch_1' }, { idempotencyKey: 'return-1' });
  }
  await service.createClient({ beforeCall }).refunds.retrieve('rf_1');
  expect(new Set(keys).size).toBe(5);
  expect(keys.at(-1)).toBeUndefined();
});

it('sees ids of its own that look like cards, exactly, since they tell operations apart', async () => {
  const { payments, calls } = watched();
  service.answers(json(refund));
  const params = { charge_id: 'ch_1', amount: Number(card) };
  await payments.refunds.create({ ...params, amount: 100 }, { operationId: card });
  const body = { number: Number(card), cvv: 123, payment_token: 'abc', payment_method: { secret: ['x'] } };
  const request = { method: 'POST', path: `/v1/cards/${card}`, body } as const;
  await payments.request(request, { operationId: `${card}-2` });
  expect(calls.map(({ operationId }) => operationId)).toEqual([card, `${card}-2`]);
  const [, raw] = calls;
  expect([raw?.path, raw?.params]).toEqual([
    '/v1/cards/[redacted]',
    {
      number: '[redacted]',
      cvv: '[redacted]',
      payment_token: '[redacted]',
      payment_method: { secret: ['[redacted]'] },
    },
  ]);
});

it('is called without the client, so that no this is needed', async () => {
  const selves: unknown[] = [];
  function beforeCall(this: unknown) {
    selves.push(this);
  }
  service.answers(json(refund));
  const fetch = async () => json(refund);
  await new PaymentsClient({ baseUrl, secretKey, fetch, beforeCall }).refunds.retrieve('rf_1');
  expect(selves).toEqual([undefined]);
});
