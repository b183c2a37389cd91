import { ConfigurationError } from 'payments-client';
import { readChecks, typicalVelocityRules } from 'payments-client/fraud';
import { createSandbox, testCards } from 'payments-client-sandbox';
import { describe, expect, test } from 'vitest';
import { startForms, typed } from './support.ts';

const sale = { amount: '12.00', payment_token: 'tok_1' };

describe('scores', () => {
  test.each([
    ['risk10@example.com', 10, 'A'],
    ['risk50@example.com', 50, 'R'],
    ['risk90@example.com', 90, 'D'],
    ['risk95@example.com', 95, 'D'],
  ])('%s scores %i, %s', async (email, score, decision) => {
    const { transact } = startForms();
    for (const address of [email, `Ada+${email.toUpperCase()}`]) {
      const result = await transact.sale({ ...sale, email: address });
      expect(result.risk).toEqual(readChecks({ risk_score: score, risk_decision: decision }).risk);
      expect(result.approved).toBe(decision !== 'D');
    }
  });

  test('other addresses have no fixed score', async () => {
    const { transact } = startForms();
    for (const email of ['ada@example.com', 'risk90', 'arisk90@example.com', 'risk91@example.com']) {
      expect((await transact.sale({ ...sale, email })).risk?.score).toBe(10);
    }
  });

  test('failed checks raise the score', async () => {
    const { transact } = startForms();
    const scoreOf = async ({ number }: { readonly number: string }) =>
      (await transact.sale({ amount: '12.00', ...typed(number) })).risk;
    expect(await scoreOf(testCards.fullMatch)).toMatchObject({ score: 10, decision: 'A' });
    expect(await scoreOf(testCards.noAddressMatch)).toMatchObject({ score: 30, decision: 'A' });
    expect(await scoreOf(testCards.cvvMismatch)).toMatchObject({ score: 40, decision: 'A' });
    expect(await scoreOf(testCards.noMatch)).toMatchObject({ score: 60, decision: 'R' });
  });

  test.each([
    [{ cardholder_auth: 'Y', cavv: 'AAAB', xid: 'x1', eci: '05' }, 0, 'A'],
    [{ cardholder_auth: 'U' }, 30, 'A'],
    [{ eci: '07' }, 30, 'A'],
    [{ cardholder_auth: 'N' }, 90, 'D'],
    [{ cardholder_auth: '?' }, 90, 'D'],
    [{ cardholder_auth: 'N', email: 'risk10@example.com' }, 10, 'A'],
  ])('%j scores %d', async (fields, score, decision) => {
    const { transact } = startForms();
    const result = await transact.sale({ ...sale, ...fields });
    expect(result.risk).toMatchObject({ score, decision });
    expect(result.approved).toBe(decision === 'A');
  });
});

describe('velocity rules', () => {
  const card = typed('4111111111111111');

  test('are off by default', async () => {
    const { transact } = startForms();
    for (let time = 0; time < 8; time += 1) {
      expect((await transact.sale({ ...sale, ...card, payment_token: undefined })).approved).toBe(true);
    }
  });

  test('allow 3 attempts of a card in 10 minutes, by number or token', async () => {
    const { sandbox, transact } = startForms({ velocityRules: 'typical' });
    const byNumber = { amount: '12.00', ...card };
    await transact.sale(byNumber);
    await transact.auth(byNumber);
    await transact.validate({ payment_token: await sandbox.tokenize(card) });
    const blocked = await transact.sale({ amount: '12.00', payment_token: await sandbox.tokenize(card) });
    expect(blocked).toMatchObject({ response: '2', avs: undefined, risk: { decision: 'D' } });
    expect(blocked.responsetext).toBe('Velocity rule card-10-minutes');
    expect(sandbox.transactions.at(-1)).toMatchObject({
      status: 'declined',
      velocityRules: ['card-10-minutes'],
    });
    expect((await transact.sale({ amount: '12.00', ...typed('5555555555554444') })).approved).toBe(true);
    await sandbox.clock.advance('10 min');
    expect((await transact.sale(byNumber)).approved).toBe(true);
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
    const { sandbox, transact } = startForms({
      velocityRules: typicalVelocityRules({ dailyAmountPerCard: '20.00' }),
    });
    const pay = () => transact.sale({ amount: '12.00', ...card });
    expect((await pay()).risk?.decision).toBe('A');
    expect(await pay()).toMatchObject({ approved: true, risk: { score: 10, decision: 'R' } });
    expect(sandbox.transactions.at(-1)?.velocityRules).toEqual(['card-amount-day']);
  });

  test('block a card for a day after 3 failed attempts', async () => {
    const { sandbox, transact } = startForms({ velocityRules: 'typical' });
    const pay = (amount: string) => transact.sale({ amount, ...card });
    for (let time = 0; time < 3; time += 1) {
      expect((await pay('0.50')).responsetext).toBe('DECLINE');
      await sandbox.clock.advance('1 hour');
    }
    expect((await pay('12.00')).responsetext).toBe('Velocity rule card-failures-day');
    await sandbox.clock.advance('21 hours');
    expect((await pay('12.00')).approved).toBe(true);
  });

  test('do not count forms that cannot be processed', async () => {
    const { sandbox, transact } = startForms({ velocityRules: 'typical' });
    const payment_token = await sandbox.tokenize(card);
    expect((await transact.sale({ amount: '12.00', payment_token })).approved).toBe(true);
    for (let time = 0; time < 5; time += 1) {
      expect((await transact.sale({ amount: '12.00', payment_token })).response).toBe('3');
    }
    expect((await transact.sale({ amount: '12.00', ...card })).approved).toBe(true);
  });

  test('do not count concurrent sales that a used token rejects', async () => {
    const { sandbox, transact } = startForms({ velocityRules: 'typical' });
    const payment_token = await sandbox.tokenize(card);
    await Promise.all([1, 2, 3].map(() => transact.sale({ amount: '12.00', payment_token })));
    const results = [];
    for (let time = 0; time < 3; time += 1) results.push(await transact.sale({ amount: '12.00', ...card }));
    expect(results.map(({ approved }) => approved)).toEqual([true, true, false]);
  });

  test('do not count payouts', async () => {
    const { transact } = startForms({ velocityRules: 'typical' });
    for (let time = 0; time < 4; time += 1) {
      expect((await transact.credit({ amount: '12.00', ...card })).approved).toBe(true);
    }
    expect((await transact.sale({ amount: '12.00', ...card })).approved).toBe(true);
  });

  test('hold for concurrent sales', async () => {
    const { transact } = startForms({ velocityRules: 'typical' });
    const sales = Array.from({ length: 8 }, () => transact.sale({ amount: '12.00', ...card }));
    const results = await Promise.all(sales);
    expect(results.filter(({ approved }) => approved)).toHaveLength(3);
  });

  test('reject an invalid rule at once', () => {
    const rule = {
      name: 'r',
      per: 'card',
      counts: 'attempts',
      limit: -1,
      windowMs: 1,
      action: 'block',
    } as const;
    expect(() => createSandbox({ velocityRules: [rule] })).toThrow(ConfigurationError);
  });
});
