/** What the fraud protection decides about a form payment: scores, and the merchant's velocity rules. */

import { ConfigurationError } from 'payments-client';
import { readChecks, typicalVelocityRules } from 'payments-client/fraud';
import { createSandbox, testCards } from 'payments-client-sandbox';
import { describe, expect, test } from 'vitest';
import { daily, startForms, typed } from './support.ts';

const sale = { amount: '12.00', payment_token: 'tok_1' };

describe('the score', () => {
  test.each([
    ['risk10@example.com', 10, 'A'],
    ['risk50@example.com', 50, 'R'],
    ['risk90@example.com', 90, 'D'],
    ['risk95@example.com', 95, 'D'],
    // No test addresses.
    ['ada@example.com', 10, 'A'],
    ['risk90', 10, 'A'],
    ['arisk90@example.com', 10, 'A'],
    ['risk91@example.com', 10, 'A'],
  ])('of %s is %i, %s', async (email, score, decision) => {
    const { transact } = startForms();
    const addresses = score === 10 ? [email] : [email, `Ada+${email.toUpperCase()}`];
    for (const address of addresses) {
      const result = await transact.sale({ ...sale, email: address });
      expect(result.risk).toEqual(readChecks({ risk_score: score, risk_decision: decision }).risk);
      expect(result.approved).toBe(decision !== 'D');
    }
  });

  test.each([
    ['fullMatch', 10, 'A'],
    ['noAddressMatch', 30, 'A'],
    ['cvvMismatch', 40, 'A'],
    ['noMatch', 60, 'R'],
  ] as const)('of the card %s is %i, %s', async (card, score, decision) => {
    const { transact } = startForms();
    const result = await transact.sale({ amount: '12.00', ...typed(testCards[card].number) });
    expect(result.risk).toMatchObject({ score, decision });
  });

  test.each([
    [{ cardholder_auth: 'Y', cavv: 'AAAB', xid: 'x1', eci: '05' }, 0, 'A'],
    [{ cardholder_auth: 'U' }, 30, 'A'],
    [{ eci: '07' }, 30, 'A'],
    [{ cardholder_auth: 'N' }, 90, 'D'],
    [{ cardholder_auth: '?' }, 90, 'D'],
    [{ cardholder_auth: 'N', email: 'risk10@example.com' }, 10, 'A'],
  ])('after 3-D Secure with %j is %d', async (fields, score, decision) => {
    const { transact } = startForms();
    const result = await transact.sale({ ...sale, ...fields });
    expect(result).toMatchObject({ approved: decision === 'A', risk: { score, decision } });
  });
});

describe('velocity rules', () => {
  const card = typed('4111111111111111');
  const byCard = { amount: '12.00', ...card };

  test('are off by default', async () => {
    const { transact } = startForms();
    for (let time = 0; time < 8; time += 1) expect((await transact.sale(byCard)).approved).toBe(true);
  });

  test('allow 3 attempts of a card in 10 minutes to the millisecond, by number or token, and any of another', async () => {
    const { sandbox, transact } = startForms({ velocityRules: 'typical' });
    await transact.sale(byCard);
    await transact.auth(byCard);
    await transact.validate({ payment_token: await sandbox.tokenize(card) });
    await sandbox.clock.advance(10 * 60_000 - 1);
    const blocked = await transact.sale({ amount: '12.00', payment_token: await sandbox.tokenize(card) });
    expect(blocked).toMatchObject({ response: '2', avs: undefined, risk: { decision: 'D' } });
    expect(blocked.responsetext).toBe('Velocity rule card-10-minutes');
    const velocityRules = ['card-10-minutes'];
    expect(sandbox.transactions.at(-1)).toMatchObject({ status: 'declined', velocityRules });
    expect((await transact.sale({ amount: '12.00', ...typed('5555555555554444') })).approved).toBe(true);
    await sandbox.clock.advance(1);
    expect((await transact.sale(byCard)).approved).toBe(true);
  });

  test('allow 5 attempts of an address in an hour', async () => {
    const { sandbox, transact } = startForms({ velocityRules: 'typical' });
    const pay = (time: number) =>
      transact.sale({ amount: '12.00', payment_token: `tok_${time}`, ipaddress: '192.0.2.7' });
    for (const time of [1, 2, 3, 4, 5]) expect((await pay(time)).approved).toBe(true);
    expect((await pay(6)).responsetext).toBe('Velocity rule ip-hour');
    await sandbox.clock.advance('1 hour');
    expect((await pay(7)).approved).toBe(true);
  });

  test('send more than the daily amount of a card to review', async () => {
    const velocityRules = typicalVelocityRules({ dailyAmountPerCard: '20.00' });
    const { sandbox, transact } = startForms({ velocityRules });
    expect((await transact.sale(byCard)).risk?.decision).toBe('A');
    expect(await transact.sale(byCard)).toMatchObject({ approved: true, risk: { score: 10, decision: 'R' } });
    expect(sandbox.transactions.at(-1)?.velocityRules).toEqual(['card-amount-day']);
  });

  test('block a card for a day after 3 failed attempts', async () => {
    const { sandbox, transact } = startForms({ velocityRules: 'typical' });
    for (let time = 0; time < 3; time += 1) {
      expect((await transact.sale({ ...byCard, amount: '0.50' })).responsetext).toBe('DECLINE');
      await sandbox.clock.advance('1 hour');
    }
    expect((await transact.sale(byCard)).responsetext).toBe('Velocity rule card-failures-day');
    await sandbox.clock.advance('21 hours');
    expect((await transact.sale(byCard)).approved).toBe(true);
  });

  test('count neither payouts, nor forms that cannot be processed, nor concurrent sales that a used token rejects', async () => {
    const { sandbox, transact } = startForms({ velocityRules: 'typical' });
    for (let time = 0; time < 4; time += 1) expect((await transact.credit(byCard)).approved).toBe(true);
    const payment_token = await sandbox.tokenize(card);
    const sales = await Promise.all([1, 2, 3].map(() => transact.sale({ amount: '12.00', payment_token })));
    expect(sales.filter(({ approved }) => approved)).toHaveLength(1);
    expect((await transact.sale({ amount: '12.00', payment_token })).response).toBe('3');
    const results = [];
    for (let time = 0; time < 3; time += 1) results.push((await transact.sale(byCard)).approved);
    expect(results).toEqual([true, true, false]);
  });

  test('hold for concurrent sales', async () => {
    const { transact } = startForms({ velocityRules: 'typical' });
    const results = await Promise.all(Array.from({ length: 8 }, () => transact.sale(byCard)));
    expect(results.filter(({ approved }) => approved)).toHaveLength(3);
  });

  test.each([
    [
      '2.000',
      undefined,
      'currency',
      { amount: '1.200', currency: 'KWD' },
      { amount: '1.20', currency: 'USD' },
    ],
    // A sale without a currency is in dollars.
    ['20.00', 'USD', 'currency', { amount: '12.00' }, { amount: '1200', currency: 'JPY' }],
    ['15.00', undefined, 'integer', { amount: '1200' }, { amount: '1200', currency: 'JPY' }],
  ] as const)(
    'limit an amount of %s (currency %s) in each currency by itself, with %s amounts',
    async (...row) => {
      const [limit, currency, formAmounts, counted, other] = row;
      const rule = { ...daily, limit, ...(currency !== undefined && { currency }) };
      const { transact } = startForms({ velocityRules: [rule], interface: { formAmounts } });
      const pay = (fields: { amount: string; currency?: string }) =>
        transact.sale({ payment_token: 'tok_1', ...fields });
      expect(await pay(counted)).toMatchObject({ approved: true });
      if (formAmounts !== 'integer') expect(await pay(other)).toMatchObject({ approved: true });
      expect(await pay(counted)).toMatchObject({ approved: false, responsetext: 'Velocity rule daily' });
    },
  );

  test('are refused at once if one is invalid', () => {
    const rule = { ...daily, limit: '-1' };
    expect(() => createSandbox({ velocityRules: [rule] })).toThrow(ConfigurationError);
  });
});
