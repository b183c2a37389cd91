import { createTestClient } from 'payments-client-sandbox/testing';
import { expect, test } from 'vitest';
import { startForms } from './support.ts';

const payment_token = 'tok_1';

test('an authorization can be captured whole or in part', async () => {
  const { transact, transaction } = startForms();
  const held = await transact.auth({ amount: '12.00', payment_token });
  expect(transaction(held.transactionid)).toMatchObject({ status: 'authorized', captured: '0.00' });
  const { transactionid } = await transact.capture({ transactionid: held.transactionid, amount: '7.05' });
  expect(transactionid).toBe(held.transactionid);
  expect(transaction(transactionid)).toMatchObject({ type: 'auth', status: 'pending', captured: '7.05' });
  const again = await transact.capture({ transactionid, amount: '1.00' });
  expect(again.responsetext).toMatch(
    /^Only authorized transactions can be captured: this one is pending REFID:/,
  );

  const other = await transact.auth({ amount: '12.00', payment_token });
  await transact.capture({ transactionid: other.transactionid });
  expect(transaction(other.transactionid).captured).toBe('12.00');
});

test('a capture cannot exceed the authorization', async () => {
  const { transact, transaction } = startForms();
  const { transactionid } = await transact.auth({ amount: '12.00', payment_token });
  const result = await transact.capture({ transactionid, amount: '12.01' });
  expect(result).toMatchObject({ approved: false, errored: true });
  expect(result.responsetext).toMatch(/^Invalid amount: at most 12.00 is authorized REFID:\d+$/);
  expect(transaction(transactionid).status).toBe('authorized');
});

test('a capture of zero is rejected: a void cancels the authorization', async () => {
  const { submit, transact, transaction } = startForms();
  const { transactionid } = await transact.auth({ amount: '12.00', payment_token });
  const result = await submit({ type: 'capture', transactionid, amount: '0.00' });
  expect(result.get('responsetext')).toMatch(/^Invalid amount: expected more than 0.00 REFID:\d+$/);
  expect(transaction(transactionid).status).toBe('authorized');
});

test('a refund has the order number of its sale, or its own', async () => {
  const { submit, transaction } = startForms();
  const sale = await submit({ type: 'sale', amount: '12.00', payment_token, orderid: '1042' });
  const transactionid = sale.get('transactionid') ?? '';
  const orders = [];
  for (const orderid of ['', 'return-7']) {
    const refund = await submit({ type: 'refund', transactionid, amount: '1.00', orderid });
    orders.push(transaction(refund.get('transactionid') ?? '').orderid);
  }
  expect(orders).toEqual(['1042', 'return-7']);
});

test('an authorization that is not captured within 7 days expires', async () => {
  const { sandbox, transact, transaction } = startForms();
  const { transactionid } = await transact.auth({ amount: '12.00', payment_token });
  await sandbox.clock.advance('7 days');
  expect(transaction(transactionid).status).toBe('expired');
  expect((await transact.capture({ transactionid })).responsetext).toMatch(/this one is expired/);
});

test('refunds in parts cannot exceed the captured amount', async () => {
  const { sandbox, transact, transaction } = startForms();
  const { transactionid } = await transact.sale({ amount: '1.30', payment_token });
  for (const amount of ['0.10', '1.10']) {
    const refund = await transact.refund({ transactionid, amount });
    expect(refund.approved).toBe(true);
    expect(transaction(refund.transactionid)).toMatchObject({
      type: 'refund',
      amount,
      refundOf: transactionid,
    });
  }
  expect(transaction(transactionid).refunded).toBe('1.20');
  const tooMuch = await transact.refund({ transactionid, amount: '0.11' });
  expect(tooMuch.responsetext).toMatch(/^Invalid amount: at most 0.10 is left to refund REFID:\d+$/);
  expect((await transact.refund({ transactionid, amount: '0.10' })).approved).toBe(true);
  expect((await transact.refund({ transactionid, amount: '0.01' })).responsetext).toMatch(
    /nothing to refund/,
  );
  expect(sandbox.transactions).toHaveLength(4);
});

test.each(['0.00', '', '5'])('a refund of "%s" is rejected', async (amount) => {
  const { sandbox, transact, submit } = startForms();
  const { transactionid } = await transact.sale({ amount: '12.00', payment_token });
  const result = await submit({ type: 'refund', transactionid, amount });
  expect(result.get('response')).toBe('3');
  expect(result.get('responsetext')).toMatch(/^Invalid amount: .* REFID:\d+$/);
  expect(sandbox.transactions).toMatchObject([{ refunded: '0.00' }]);
});

test('a sale can be voided until its settlement after a day', async () => {
  const { sandbox, transact, transaction } = startForms();
  const first = await transact.sale({ amount: '12.00', payment_token });
  const second = await transact.sale({ amount: '12.00', payment_token });
  expect((await transact.void({ transactionid: first.transactionid })).transactionid).toBe(
    first.transactionid,
  );
  expect(transaction(first.transactionid)).toMatchObject({ status: 'voided', captured: '0.00' });
  expect((await transact.void({ transactionid: first.transactionid })).approved).toBe(false);
  expect((await transact.refund({ transactionid: first.transactionid, amount: '1.00' })).approved).toBe(
    false,
  );
  await sandbox.clock.advance('1 day');
  expect(transaction(second.transactionid).status).toBe('settled');
  const late = await transact.void({ transactionid: second.transactionid });
  expect(late.responsetext).toMatch(
    /^Only transactions pending settlement can be voided: this one is settled REFID:\d+$/,
  );
  expect((await transact.refund({ transactionid: second.transactionid, amount: '12.00' })).approved).toBe(
    true,
  );
});

test('a voided refund no longer counts', async () => {
  const { transact, transaction } = startForms();
  const { transactionid } = await transact.sale({ amount: '12.00', payment_token });
  const refund = await transact.refund({ transactionid, amount: '12.00' });
  expect((await transact.void({ transactionid })).responsetext).toMatch(/with refunds cannot be voided/);
  expect((await transact.void({ transactionid: refund.transactionid })).approved).toBe(true);
  expect(transaction(transactionid).refunded).toBe('0.00');
  expect((await transact.void({ transactionid })).approved).toBe(true);
});

test('a credit can be voided but not refunded', async () => {
  const { transact, transaction } = startForms();
  const { transactionid, risk } = await transact.credit({ amount: '0.50', payment_token });
  expect(transaction(transactionid)).toMatchObject({ type: 'credit', status: 'pending', captured: '0.00' });
  expect(risk).toBeUndefined();
  expect((await transact.refund({ transactionid, amount: '0.50' })).approved).toBe(false);
  expect((await transact.void({ transactionid })).approved).toBe(true);
});

test('a validation checks the card and charges nothing', async () => {
  const { transact, transaction } = startForms();
  const result = await transact.validate({ payment_token });
  expect([result.approved, result.avs?.code, result.cvv?.code]).toEqual([true, 'Y', 'M']);
  expect(transaction(result.transactionid)).toMatchObject({ amount: '0.00', status: 'validated' });
  for (const type of ['capture', 'void', 'refund']) {
    const { transactionid } = result;
    expect((await transact.submit({ type, transactionid, amount: '1.00' })).approved).toBe(false);
  }
});

test('an unknown or declined earlier transaction is an error', async () => {
  const { transact } = startForms();
  const declined = await transact.sale({ amount: '0.50', payment_token });
  for (const transactionid of ['1234567890', declined.transactionid]) {
    for (const type of ['capture', 'void', 'refund']) {
      const result = await transact.submit({ type, transactionid, amount: '0.10' });
      expect([result.response, result.transactionid]).toEqual(['3', '']);
    }
  }
});

test('the response of a follow-up has the same fields, without checks', async () => {
  const { submit } = startForms();
  const held = await submit({ type: 'auth', amount: '12.00', payment_token, orderid: '7' });
  const id = held.get('transactionid') ?? '';
  const captured = await submit({ type: 'capture', transactionid: id });
  expect([...captured]).toEqual([
    ['response', '1'],
    ['responsetext', 'SUCCESS'],
    ['authcode', held.get('authcode')],
    ['transactionid', id],
    ['avsresponse', ''],
    ['cvvresponse', ''],
    ['orderid', '7'],
    ['type', 'capture'],
    ['response_code', '100'],
  ]);
});

test.each(['unescaped', 'escaped', 'json'] as const)(
  'the SDK reads responses that are %s',
  async (formResponse) => {
    const { transact } = startForms({ interface: { formResponse } });
    const sale = await transact.sale({ amount: '12.00', payment_token });
    expect(sale).toMatchObject({ approved: true, avs: { code: 'Y' }, risk: { score: 10, decision: 'A' } });
    const refused = await transact.refund({ transactionid: sale.transactionid, amount: '13.00' });
    expect(refused.responsetext).toMatch(/^Invalid amount: at most 12.00 is left to refund REFID:\d+$/);
  },
);

test('neither a sale nor what follows it sends an event or makes a charge', async () => {
  const { payments, sandbox } = createTestClient();
  const { transact } = payments;
  const sold = await transact.sale({ amount: '12.00', payment_token });
  await transact.refund({ transactionid: sold.transactionid, amount: '5.00' });
  const other = await transact.sale({ amount: '12.00', payment_token });
  const results = [sold, await transact.void({ transactionid: other.transactionid })];
  await sandbox.clock.advance('2 days');
  expect(results.map(({ approved }) => approved)).toEqual([true, true]);
  expect(sandbox.events).toEqual([]);
  expect((await payments.charges.list()).items).toEqual([]);
});
