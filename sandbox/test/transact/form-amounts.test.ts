/** Amounts in minor units, from the form endpoint to the ledger. */

import { expect, test } from 'vitest';
import { daily, startForms } from './support.ts';

const integer = { formAmounts: 'integer' } as const;

test.each([
  { currency: 'USD', sold: '12.00', rest: '7.00' },
  { currency: 'JPY', sold: '1200', rest: '700' },
  { currency: 'KWD', sold: '1.200', rest: '0.700' },
])('1200 minor units of $currency are sold, captured and refunded', async ({ currency, sold, rest }) => {
  const { transact, transaction, sandbox } = startForms({ interface: integer });
  const { transactionid, approved } = await transact.auth({
    amount: '1200',
    currency,
    payment_token: 'tok_1',
  });
  expect(approved).toBe(true);
  expect(transaction(transactionid)).toMatchObject({ amount: sold });

  const over = await transact.capture({ transactionid, amount: '1201' });
  expect(over.responsetext).toMatch(/^Invalid amount: at most 1200 is authorized REFID:/);
  await transact.capture({ transactionid, amount: '1200' });
  await transact.refund({ transactionid, amount: '500' });
  const tooMuch = await transact.refund({ transactionid, amount: '701' });
  expect(tooMuch.responsetext).toMatch(/^Invalid amount: at most 700 is left to refund REFID:/);
  await transact.refund({ transactionid, amount: '700' });
  expect(transaction(transactionid)).toMatchObject({ captured: sold, refunded: sold });
  expect(sandbox.transactions).toContainEqual(expect.objectContaining({ type: 'refund', amount: rest }));
});

test.each(['12345678901.00', '1.0', '1.', '.50', '-1.00'])('%s is no amount', async (amount) => {
  const refused = await startForms().submit({ type: 'sale', payment_token: 'tok_1', amount });
  expect(refused.get('responsetext')).toMatch(/^Invalid amount: expected one such as 12\.00/);
});

test('neither format is mistaken for the other', async () => {
  const sale = { type: 'sale', payment_token: 'tok_1' };
  const integers = await startForms({ interface: integer }).submit({ ...sale, amount: '12.00' });
  expect(integers.get('responsetext')).toMatch(
    /^Invalid amount: expected one such as 1200, in minor units REFID:/,
  );
  const decimals = await startForms().submit({ ...sale, amount: '1200' });
  expect(decimals.get('responsetext')).toMatch(
    /^Invalid amount: expected one such as 12\.00, with the decimals/,
  );
});

test('rejects zero, and an amount with validate', async () => {
  const { submit, transact } = startForms({ interface: integer });
  const { transactionid } = await transact.sale({ amount: '1200', payment_token: 'tok_1' });
  const zero = await submit({ type: 'refund', transactionid, amount: '0' });
  expect(zero.get('responsetext')).toMatch(/^Invalid amount: expected more than 0 REFID:/);
  const check = { type: 'validate', payment_token: 'tok_1' };
  expect((await submit({ ...check, amount: '0' })).get('response')).toBe('1');
  expect((await submit({ ...check, amount: '1' })).get('responsetext')).toMatch(
    /^Invalid amount: expected none/,
  );
});

test('a decimal limit applies to minor units', async () => {
  const { transact } = startForms({ interface: integer, velocityRules: [{ ...daily, limit: '15.00' }] });
  const sale = { amount: '1200', payment_token: 'tok_1' };
  expect(await transact.sale(sale)).toMatchObject({ approved: true });
  expect(await transact.sale(sale)).toMatchObject({ approved: false, responsetext: 'Velocity rule daily' });
});
