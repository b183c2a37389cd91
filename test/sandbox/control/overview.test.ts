import { expect, test } from 'vitest';
import { start, startsAt } from './support.ts';

const day = 86_400_000;

test('sums charges, refunds, disputes and declines by currency', async () => {
  const { call, payments, sandbox } = start();
  for (const [amount, method] of [
    [5500, 'pm_card'],
    [1000, 'pm_card_declined'],
    [1000, 'pm_card_insufficient_funds'],
    [1000, 'pm_card_declined'],
  ] as const) {
    const { id } = sandbox.add('payment_intent', { amount });
    sandbox.pay(id, { payment_method: method });
  }
  const paid = sandbox.add('payment_intent', { amount: 700, currency: 'EUR' });
  sandbox.pay(paid.id);
  await payments.refunds.create({ payment_intent_id: paid.id, amount: 200 }, { operationId: 'return-1' });
  const sale = await payments.transact.sale({ amount: '12.00', payment_token: 'tok_1' });
  await payments.transact.auth({ amount: '3.00', payment_token: 'tok_2' });
  await payments.transact.sale({ amount: '0.50', payment_token: 'tok_3' });
  sandbox.trigger('chargeback.received', { transaction_id: sale.transactionid, amount: '12.00' });
  const { body } = await call('overview');
  expect(body.currencies).toEqual([
    {
      currency: 'USD',
      gross: 6700,
      refunded: 0,
      disputed: 1200,
      net: 5500,
      payments: { succeeded: 2, declined: 4, open: 4 },
      decline_reasons: [
        { code: 'do_not_honor', count: 2 },
        { code: 'insufficient_funds', count: 1 },
        { code: '200', count: 1 },
      ],
    },
    {
      currency: 'EUR',
      gross: 700,
      refunded: 200,
      disputed: 0,
      net: 500,
      payments: { succeeded: 1, declined: 0, open: 0 },
      decline_reasons: [],
    },
  ]);
});

test('shows the gross volume of each of the last 30 days', async () => {
  const { call, sandbox } = start();
  sandbox.add('charge', { amount: 100 });
  await sandbox.clock.advance('10 days');
  sandbox.add('charge', { amount: 200 });
  sandbox.add('charge', { amount: 300, currency: 'EUR' });
  const { days } = (await call('overview')).body;
  expect(days).toHaveLength(30);
  expect(days.at(-1)).toEqual({ start: startsAt + 10 * day, gross: { USD: 200, EUR: 300 } });
  expect(days.at(-2)).toEqual({ start: startsAt + 9 * day, gross: {} });
  expect(days.at(-11)).toEqual({ start: startsAt, gross: { USD: 100 } });
  await sandbox.clock.advance('30 days');
  const later = (await call('overview')).body;
  expect(later.days.every(({ gross }: { gross: object }) => Object.keys(gross).length === 0)).toBe(true);
  expect(later.currencies).toMatchObject([{ currency: 'USD', gross: 300 }, { currency: 'EUR' }]);
});

test('is empty before the first payment', async () => {
  const { body } = await start().call('overview');
  expect([body.currencies, body.days.length]).toEqual([[], 30]);
});

test('dates the money of sample data by its charges', async () => {
  const { call, sandbox } = start();
  sandbox.seed({ customers: 2, intents: 40, months: 2 });
  const { days } = (await call('overview')).body;
  const busy = days.filter(({ gross }: { gross: object }) => Object.keys(gross).length > 0);
  expect(busy.length).toBeGreaterThan(5);
  const { lines } = (await call('ledger')).body;
  for (const { at, object } of lines.filter(({ text }: { text: string }) => text === 'Charge')) {
    const { created_at: created } = (await call(`objects/${object.kind}/${object.id}`)).body.object;
    expect(at).toBe(created * 1_000);
  }
});
