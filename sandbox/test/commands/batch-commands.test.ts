import { expect, it } from 'vitest';
import { start } from '../control/support.ts';

it('settles no transaction of the form endpoint, and says what does', async () => {
  const { sandbox, call, payments } = start();
  const settle = async () => (await call('commands', 'POST', { name: 'settle' })).body;
  const sale = { amount: '12.00', payment_token: 'tok_1' };
  await payments.transact.sale(sale);
  await payments.transact.sale(sale);
  expect(await settle()).toMatchObject({
    message: 'No charge or refund is unsettled.',
    details: [
      "The clock settles 2 transactions of the form endpoint, without a batch, after a day: clock advance '1 day'",
    ],
  });
  await sandbox.clock.advance('1 day');
  expect(await settle()).toMatchObject({ message: 'No charge or refund is unsettled.', details: [] });
  expect(sandbox.transactions.map(({ status }) => status)).toEqual(['settled', 'settled']);
});
