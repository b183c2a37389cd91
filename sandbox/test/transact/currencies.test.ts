/** Sales in currencies with 0 and with 3 decimals, from `toDecimalAmount` to the ledger. */

import { toDecimalAmount } from 'payments-client';
import { expect, test } from 'vitest';
import { daily, startForms } from './support.ts';

test.each([
  { currency: 'JPY', sold: '1200', part: '500', rest: '700', none: '0' },
  { currency: 'KWD', sold: '1.200', part: '0.500', rest: '0.700', none: '0.000' },
  { currency: 'kwd', sold: '1.200', part: '0.500', rest: '0.700', none: '0.000' },
  { currency: 'CLF', sold: '1.2000', part: '0.0005', rest: '1.1995', none: '0.0000' },
])('a sale in $currency is paid and refunded in parts', async ({ currency, sold, part, rest, none }) => {
  const { transact, transaction } = startForms();
  const sale = await transact.sale({ amount: sold, currency, payment_token: 'tok_1' });
  const { transactionid } = sale;
  expect(sale.approved).toBe(true);
  expect(transaction(transactionid)).toMatchObject({ amount: sold, captured: sold, refunded: none });

  expect(await transact.refund({ transactionid, amount: part })).toMatchObject({ approved: true });
  expect(transaction(transactionid)).toMatchObject({ captured: sold, refunded: part });
  const tooMuch = await transact.refund({ transactionid, amount: sold });
  expect(tooMuch.responsetext).toMatch(
    new RegExp(`^Invalid amount: at most ${rest} is left to refund REFID:`),
  );

  expect(await transact.refund({ transactionid, amount: rest })).toMatchObject({ approved: true });
  expect(transaction(transactionid)).toMatchObject({ captured: sold, refunded: sold });
  const zero = await transact.refund({ transactionid, amount: rest });
  expect(zero.responsetext).toMatch(/^There is nothing to refund/);
});

test.each(['USD', 'JPY', 'KWD'])('toDecimalAmount formats the amount of a sale in %s', async (currency) => {
  const { transact, sandbox } = startForms();
  const amount = toDecimalAmount(1200, currency);
  expect(await transact.sale({ amount, currency, payment_token: 'tok_1' })).toMatchObject({ approved: true });
  expect(sandbox.transactions).toMatchObject([{ amount, captured: amount }]);
});

test.each([
  ['JPY', '1200', '500'],
  ['KWD', '1.200', '0.500'],
])('an authorization in %s is captured in part, and voided', async (currency, amount, part) => {
  const { transact, transaction } = startForms();
  const { transactionid } = await transact.auth({ amount, currency, payment_token: 'tok_1' });
  await transact.capture({ transactionid, amount: part });
  expect(transaction(transactionid)).toMatchObject({ amount, captured: part, status: 'pending' });
  await transact.void({ transactionid });
  expect(transaction(transactionid)).toMatchObject({ status: 'voided' });
  expect(Number(transaction(transactionid).captured)).toBe(0);
});

test.each([
  ['JPY', '1', true],
  ['KWD', '1.000', true],
  ['KWD', '0.999', false],
])('a sale in %s of %s is approved: %s', async (currency, amount, approved) => {
  const { transact } = startForms();
  expect(await transact.sale({ amount, currency, payment_token: 'tok_1' })).toMatchObject({ approved });
});

test.each([
  ['', '1200', '12.00'],
  ['', '1.200', '12.00'],
  ['USD', '1200', '12.00'],
  ['JPY', '12.00', '12'],
  ['KWD', '12.00', '12.000'],
  ['KWD', '1200', '12.000'],
])('a sale (currency %j) of %s is rejected for its decimals', async (currency, amount, example) => {
  const { sandbox, submit } = startForms();
  const fields = { type: 'sale', payment_token: 'tok_1', currency, amount };
  expect((await submit(fields)).get('responsetext')).toMatch(
    new RegExp(
      `^Invalid amount: expected one such as ${example}, with the decimals of its currency \\(default USD\\) REFID:`,
    ),
  );
  expect(sandbox.transactions).toEqual([]);
});

test('a refund has the decimals of its sale', async () => {
  const { transact, transaction } = startForms();
  const { transactionid } = await transact.sale({ amount: '1200', currency: 'JPY', payment_token: 'tok_1' });
  const refused = await transact.refund({ transactionid, amount: '5.00' });
  expect(refused.responsetext).toMatch(/^Invalid amount: expected one such as 12, /);
  expect(transaction(transactionid).refunded).toBe('0');
});

test('a currency without a minor unit is rejected', async () => {
  const { submit } = startForms();
  const fields = { type: 'sale', payment_token: 'tok_1', currency: 'XXX', amount: '12.00' };
  expect((await submit(fields)).get('responsetext')).toMatch(/^Invalid currency: .+ REFID:/);
});

test('a velocity rule sums each currency separately', async () => {
  const { transact } = startForms({ velocityRules: [{ ...daily, limit: '2.000' }] });
  const sale = { amount: '1.200', currency: 'KWD', payment_token: 'tok_1' };
  expect(await transact.sale(sale)).toMatchObject({ approved: true });
  expect(await transact.sale({ amount: '1.20', payment_token: 'tok_1' })).toMatchObject({ approved: true });
  expect(await transact.sale(sale)).toMatchObject({ approved: false, responsetext: 'Velocity rule daily' });
});

test('a velocity rule in dollars counts the sales that name no currency', async () => {
  const { transact } = startForms({ velocityRules: [{ ...daily, limit: '20.00', currency: 'USD' }] });
  const sale = { amount: '12.00', payment_token: 'tok_1' };
  expect(await transact.sale(sale)).toMatchObject({ approved: true });
  expect(await transact.sale(sale)).toMatchObject({ approved: false });
});
