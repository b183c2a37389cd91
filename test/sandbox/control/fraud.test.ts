import { testCards } from 'payments-client/sandbox';
import { expect, test } from 'vitest';
import { start, startsAt } from './support.ts';

test('the fraud metrics cover the last 30 days, in total and by day', async () => {
  const { call, payments, sandbox } = start();
  const sell = async (name: keyof typeof testCards) => {
    const payment_token = await sandbox.tokenize({
      ccnumber: testCards[name].number,
      ccexp: '1230',
      cvv: '123',
    });
    sandbox.authenticate(payment_token);
    await payments.transact.sale({ amount: '12.00', payment_token });
  };
  await sell('fullMatch');
  await sell('noMatch');
  await sandbox.clock.advance('1 day');
  await sell('cvvMismatch');
  await sell('authenticationFailed');
  sandbox.trigger('chargeback.received', { reason_code: '10.4' });
  const { metrics, days } = (await call('fraud')).body;
  const byName = Object.fromEntries(metrics.map((one: { metric: string }) => [one.metric, one]));
  expect(byName['chargeback_rate']).toMatchObject({ sample: 4, value: 0.25, status: 'action' });
  expect(byName['fraud_rate']).toMatchObject({ value: 0.25 });
  expect(byName['three_d_secure_success']).toMatchObject({ sample: 4, value: 0.75 });
  expect(byName['avs_match_rate']).toMatchObject({ sample: 4, value: 0.75 });
  expect(byName['cvv_match_rate']).toMatchObject({ sample: 4, value: 0.5 });
  expect(byName['average_fraud_score']).toMatchObject({ sample: 4, value: (10 + 60 + 40 + 10) / 4 });
  expect(days.map(({ start }: { start: number }) => start)).toEqual([startsAt, startsAt + 86_400_000]);
  expect(days.map(({ values }: { values: object }) => values)).toMatchObject([
    { avs_match_rate: 0.5, chargeback_rate: 0, average_fraud_score: 35 },
    { avs_match_rate: 1, chargeback_rate: 0.5, three_d_secure_success: 0.5 },
  ]);
  await sandbox.clock.advance('40 days');
  expect((await call('fraud')).body.days).toEqual([]);
});
