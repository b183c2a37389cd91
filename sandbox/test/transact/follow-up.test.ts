/** The lives of form payments: each is a history of forms, with what each answers and what is captured and refunded then. */

import type { Sandbox } from 'payments-client-sandbox';
import { createTestClient } from 'payments-client-sandbox/testing';
import { describe, expect, test } from 'vitest';
import { everyNth } from '../../../test/support/size.ts';
import { startForms } from './support.ts';

const payment_token = 'tok_1';
const day = 86_400_000;

/** Currencies with 2, 0, 3 and 4 decimals. A code may be in lower case. */
const currencies = [
  ['USD', 2],
  ['JPY', 0],
  ['kwd', 3],
  ['CLF', 4],
] as const;

/** Writes minor units as a decimal, by other code than the sandbox's. */
function decimal(minorUnits: number, digits: number): string {
  return (minorUnits / 10 ** digits).toFixed(digits);
}

/** The payment after a row, in minor units. */
type After = readonly [status: string, captured: number, refunded: number];
/** A form with its amount and its answer, or a wait in ms. */
type Row =
  | readonly [form: string, amount: number | null, answer: RegExp, after: After]
  | readonly [wait: number, after: After];

const ok = /^SUCCESS$/;
/** Each amount is in minor units, whatever the currency is. */
const lives: Readonly<Record<string, readonly Row[]>> = {
  'a sale is refunded in parts, up to its amount': [
    ['sale', 130_000, ok, ['pending', 130_000, 0]],
    ['refund', 0, /^Invalid amount: expected more than ZERO REFID:\d+$/, ['pending', 130_000, 0]],
    [
      'refund',
      130_001,
      /^Invalid amount: at most WHOLE is left to refund REFID:\d+$/,
      ['pending', 130_000, 0],
    ],
    ['refund', 10_000, ok, ['pending', 130_000, 10_000]],
    ['void', null, /with refunds cannot be voided/, ['pending', 130_000, 10_000]],
    [day, ['settled', 130_000, 10_000]],
    ['refund', 119_999, ok, ['settled', 130_000, 129_999]],
    ['refund', 2, /^Invalid amount: at most UNIT is left/, ['settled', 130_000, 129_999]],
    ['refund', 1, ok, ['settled', 130_000, 130_000]],
    ['refund', 1, /^There is nothing to refund/, ['settled', 130_000, 130_000]],
  ],
  'an authorization is captured in part, once': [
    ['auth', 130_000, ok, ['authorized', 0, 0]],
    ['refund', 1, /nothing to refund: this one is authorized/, ['authorized', 0, 0]],
    ['capture', 0, /^Invalid amount: expected more than ZERO REFID:\d+$/, ['authorized', 0, 0]],
    ['capture', 130_001, /^Invalid amount: at most WHOLE is authorized REFID:\d+$/, ['authorized', 0, 0]],
    ['capture', 70_500, ok, ['pending', 70_500, 0]],
    [
      'capture',
      1,
      /^Only authorized transactions can be captured: this one is pending/,
      ['pending', 70_500, 0],
    ],
    ['refund', 70_501, /at most PART is left/, ['pending', 70_500, 0]],
    ['void', null, ok, ['voided', 0, 0]],
    ['refund', 1, /nothing to refund: this one is voided/, ['voided', 0, 0]],
    ['void', null, /this one is voided/, ['voided', 0, 0]],
  ],
  'an authorization is captured in full without an amount, and settled a day after its capture': [
    ['auth', 130_000, ok, ['authorized', 0, 0]],
    [3 * day, ['authorized', 0, 0]],
    ['capture', null, ok, ['pending', 130_000, 0]],
    [day - 1, ['pending', 130_000, 0]],
    [1, ['settled', 130_000, 0]],
    ['void', null, /pending settlement can be voided: this one is settled/, ['settled', 130_000, 0]],
  ],
  'an authorization expires after 7 days to the millisecond': [
    ['auth', 130_000, ok, ['authorized', 0, 0]],
    [7 * day - 1, ['authorized', 0, 0]],
    [1, ['expired', 0, 0]],
    ['capture', null, /this one is expired/, ['expired', 0, 0]],
    ['void', null, /this one is expired/, ['expired', 0, 0]],
  ],
  'a void of an authorization releases it': [
    ['auth', 130_000, ok, ['authorized', 0, 0]],
    ['void', null, ok, ['voided', 0, 0]],
    [7 * day, ['voided', 0, 0]],
  ],
  'a credit can be voided but not refunded': [
    ['credit', 130_000, ok, ['pending', 0, 0]],
    ['refund', 1, /nothing to refund/, ['pending', 0, 0]],
    ['void', null, ok, ['voided', 0, 0]],
  ],
};

describe.each(['currency', 'integer'] as const)('with %s amounts', (formAmounts) => {
  const own = formAmounts === 'integer' ? everyNth(currencies, 2, 1) : currencies;
  describe.each(own)('in %s', (currency, digits) => {
    const write = (amount: number) => (formAmounts === 'integer' ? String(amount) : decimal(amount, digits));
    const named: Readonly<Record<string, number>> = { ZERO: 0, UNIT: 1, PART: 70_500, WHOLE: 130_000 };
    const expectedText = (pattern: RegExp) =>
      new RegExp(pattern.source.replace(/ZERO|UNIT|PART|WHOLE/, (name) => write(named[name] ?? 0)));

    test.each(Object.entries(lives))('%s', async (_, rows) => {
      const { sandbox, submit, transaction } = startForms({ interface: { formAmounts } });
      let transactionid = '';
      for (const row of rows) {
        if (row.length === 2) await sandbox.clock.advance(row[0]);
        else {
          const [type, amount, answer] = row;
          const isFirst = transactionid === '';
          const result = await submit({
            type,
            ...(amount !== null && { amount: write(amount) }),
            ...(isFirst ? { payment_token, currency } : { transactionid }),
          });
          expect(result.get('responsetext')).toMatch(expectedText(answer));
          expect(result.get('response')).toBe(answer === ok ? '1' : '3');
          if (isFirst) transactionid = result.get('transactionid') ?? '';
          // A capture and a void answer with the payment, a refund with its own id, and an error with none.
          const isOwn = result.get('transactionid') === transactionid;
          if (!isFirst) expect(isOwn).toBe(answer === ok && type !== 'refund');
        }
        const { status, captured, refunded, currency: known } = transaction(transactionid);
        const [state, ...sums] = row.length === 2 ? row[1] : row[3];
        expect([status, captured, refunded, known]).toEqual([
          state,
          ...sums.map((sum) => decimal(sum, digits)),
          currency.toUpperCase(),
        ]);
      }
    });
  });
});

test('a voided refund no longer counts, in its own amount', async () => {
  const { transact, transaction } = startForms();
  const { transactionid } = await transact.sale({ amount: '12.00', payment_token });
  const kept = await transact.refund({ transactionid, amount: '2.00' });
  const refund = await transact.refund({ transactionid, amount: '10.00' });
  expect((await transact.void({ transactionid: refund.transactionid })).approved).toBe(true);
  expect(transaction(transactionid).refunded).toBe('2.00');
  expect((await transact.void({ transactionid: kept.transactionid })).approved).toBe(true);
  expect((await transact.void({ transactionid })).approved).toBe(true);
});

test('a refund has the order number of its sale, or its own', async () => {
  const { submit, transaction } = startForms();
  const sale = await submit({ type: 'sale', amount: '12.00', payment_token, orderid: '1042' });
  const transactionid = sale.get('transactionid') ?? '';
  const orders = [];
  for (const orderid of ['', 'return-7']) {
    const refund = await submit({ type: 'refund', transactionid, amount: '1.00', orderid });
    const made = transaction(refund.get('transactionid') ?? '');
    expect(made).toMatchObject({ type: 'refund', amount: '1.00', refundOf: transactionid });
    orders.push(made.orderid);
  }
  expect(orders).toEqual(['1042', 'return-7']);
});

test('a validation, a decline and an unknown transaction have nothing to capture, void or refund', async () => {
  const { sandbox, transact, submit } = startForms();
  const checked = await transact.validate({ payment_token });
  expect([checked.approved, checked.avs?.code, checked.cvv?.code]).toEqual([true, 'Y', 'M']);
  const declined = await transact.sale({ amount: '0.99', payment_token });
  const before = sandbox.transactions;
  expect(before).toMatchObject([
    { amount: '0.00', status: 'validated' },
    { captured: '0.00', status: 'declined' },
  ]);
  for (const transactionid of ['1234567890', checked.transactionid, declined.transactionid]) {
    for (const type of ['capture', 'void', 'refund']) {
      const result = await submit({ type, transactionid, amount: '0.10' });
      expect([result.get('response'), result.get('transactionid')]).toEqual(['3', '']);
    }
  }
  expect(sandbox.transactions).toEqual(before);
});

/** Amounts that are not written as their currency has them: `1200` may mean 12.00, so it is not guessed. */
test.each([
  ['currency', '', '1200', '12.00'],
  ['currency', '', '1.200', '12.00'],
  ['currency', 'USD', '12345678901.00', '12.00'],
  ['currency', 'USD', '1.', '12.00'],
  ['currency', 'USD', '.50', '12.00'],
  ['currency', 'USD', '-1.00', '12.00'],
  ['currency', 'USD', '', '12.00'],
  ['currency', 'JPY', '12.00', '12'],
  ['currency', 'KWD', '12.00', '12.000'],
  ['currency', 'KWD', '1200', '12.000'],
  ['two-decimals', 'USD', '1200', '12.00'],
  ['two-decimals', 'JPY', '1200', '12.00'],
  ['two-decimals', 'JPY', '12.50', '12.00'],
  ['two-decimals', 'KWD', '12.000', '12.00'],
  ['integer', 'USD', '12.00', '1200'],
  ['integer', 'JPY', '12.00', '12'],
] as const)('as %s in %j, an amount of %j is refused', async (formAmounts, currency, amount, example) => {
  const { sandbox, submit } = startForms({ interface: { formAmounts } });
  const answer = await submit({ type: 'sale', payment_token, currency, amount });
  expect(answer.get('responsetext')).toContain(`Invalid amount: expected one such as ${example}, `);
  expect([answer.get('response'), sandbox.transactions]).toEqual(['3', []]);
});

test.each([
  ['USD', '12.00', '12.00'],
  ['JPY', '1200.00', '1200'],
  ['KWD', '1.20', '1.200'],
])('with two decimals in %s, %s is %s, and its refund too', async (currency, amount, stored) => {
  const { submit, transaction } = startForms({ interface: { formAmounts: 'two-decimals' } });
  const sold = await submit({ type: 'sale', payment_token, currency, amount });
  const transactionid = sold.get('transactionid') ?? '';
  expect(transaction(transactionid)).toMatchObject({ amount: stored });
  const refunded = await submit({ type: 'refund', transactionid, amount });
  expect(refunded.get('response')).toBe('1');
});

test('a refund has the decimals of its sale', async () => {
  const { submit, transact, transaction } = startForms();
  const { transactionid } = await transact.sale({ amount: '1200', currency: 'JPY', payment_token });
  for (const amount of ['5.00', '']) {
    const refused = await submit({ type: 'refund', transactionid, amount });
    expect(refused.get('responsetext')).toMatch(/^Invalid amount: /);
  }
  expect(transaction(transactionid).refunded).toBe('0');
});

test.each([
  ['USD', '0.99', '1.00'],
  ['JPY', '0', '1'],
  ['KWD', '0.999', '1.000'],
])('a sale in %s of %s is declined, and one of %s is approved', async (currency, less, least) => {
  const { submit } = startForms();
  for (const [amount, response] of [
    [less, '2'],
    [least, '1'],
  ] as const) {
    const answer = await submit({ type: 'sale', amount, currency, payment_token });
    expect(answer.get('response')).toBe(response);
  }
});

test('a currency without a minor unit is refused', async () => {
  const { submit } = startForms();
  const answer = await submit({ type: 'sale', payment_token, currency: 'XXX', amount: '12.00' });
  expect(answer.get('responsetext')).toMatch(/^Invalid currency: .+ REFID:/);
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

test('neither a sale nor what follows it sends an event or makes a charge', async () => {
  const { payments, sandbox } = createTestClient();
  const { transact } = payments;
  const { transactionid } = await transact.sale({ amount: '12.00', payment_token });
  await transact.refund({ transactionid, amount: '5.00' });
  const other = await transact.sale({ amount: '12.00', payment_token });
  await transact.void({ transactionid: other.transactionid });
  await sandbox.clock.advance('2 days');
  const statuses = (all: Sandbox['transactions']) => all.map(({ status }) => status);
  expect(statuses(sandbox.transactions)).toEqual(['settled', 'settled', 'voided']);
  expect([sandbox.events, (await payments.charges.list()).items]).toEqual([[], []]);
});
