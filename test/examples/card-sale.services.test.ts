/** A card sale from CommonJS: recorded before it is sent, and sent at most once while its outcome is not known. */

import { expect, it } from 'vitest';
import { type Merchant, startMerchant } from './support.ts';

const name = 'card-sale.cjs';
const order = ['sell', 'order-1042', '1200', 'tok_1'] as const;

const amountsOf = ({ sandbox }: Merchant) => sandbox.transactions.map(({ amount }) => amount);

it('sells an order once, however often it runs', async () => {
  const merchant = await startMerchant();
  const paid = { code: 0, stdout: 'order-1042: paid\n', stderr: '' };
  expect(await merchant.run(name, ...order)).toEqual(paid);
  expect(await merchant.run(name, ...order)).toEqual(paid);
  expect(amountsOf(merchant)).toEqual(['12.00']);
  const other = await merchant.run(name, 'sell', 'order-1042', '1300', 'tok_2');
  expect(other).toEqual({ code: 1, stdout: '', stderr: 'order-1042: expected 1200, got 1300.\n' });
  expect(amountsOf(merchant)).toEqual(['12.00']);
});

it.each([
  ['the transaction that a person found', 'order-1042: paid\n', 0],
  ['none, and sells then', 'order-1042: unpaid\n', 1],
])('sends no sale again whose reply was lost, until a person resolves it: %s', async (_, stdout, code) => {
  const merchant = await startMerchant();
  const { sandbox, run } = merchant;
  sandbox.faults.inject({ kind: 'drop_reply', operation: 'transact.sale' });
  const lost = await run(name, ...order);
  expect(lost.code).toBe(1);
  expect(lost.stderr).toContain('Money may have moved');
  const again = { code: 1, stdout: 'order-1042: in_progress\n', stderr: '' };
  expect(await run(name, ...order)).toEqual(again);
  expect(sandbox.transactions).toHaveLength(1);
  const found = code === 0 ? (sandbox.transactions[0]?.id ?? '') : 'none';
  expect(await run(name, 'resolve', 'order-1042', found)).toEqual({ code, stdout, stderr: '' });
  expect((await run(name, ...order)).code).toBe(0);
  expect(sandbox.transactions).toHaveLength(code === 0 ? 1 : 2);
});

it('sends no second sale after it was killed before the reply', async () => {
  const { sandbox, launch, run } = await startMerchant();
  const selling = sandbox.faults.inject({ kind: 'hold', operation: 'transact.sale' });
  const killed = launch(name, ...order);
  await selling.reached;
  await killed.stop('SIGKILL');
  selling.release();
  await sandbox.settled();
  expect(await run(name, ...order)).toEqual({ code: 1, stdout: 'order-1042: in_progress\n', stderr: '' });
  expect(sandbox.requests.filter(({ operation }) => operation === 'transact.sale')).toHaveLength(1);
});

it('sells after a decline with another token', async () => {
  const { sandbox, run } = await startMerchant();
  const declined = { code: 1, stdout: 'order-7: declined\n', stderr: '' };
  expect(await run(name, 'sell', 'order-7', '50', 'tok_1')).toEqual(declined);
  expect(await run(name, 'sell', 'order-7', '50', 'tok_2')).toEqual(declined);
  expect((await run(name, 'sell', 'order-8', '1200', 'tok_3')).stdout).toBe('order-8: paid\n');
  expect(sandbox.transactions.map(({ approved }) => approved)).toEqual([false, false, true]);
});

it.each([[], ['sell', 'order-1042', '1200'], ['resolve', 'order-1042'], ['order-1042', '1200', 'tok_1']])(
  'says how it is run after %s %s %s',
  async (...args) => {
    const { sandbox, run } = await startMerchant();
    const { code, stderr } = await run(name, ...args);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringMatching(/^Expected: node /) });
    expect(sandbox.requests).toEqual([]);
  },
);

it('says that nothing waits for a person', async () => {
  const { run } = await startMerchant();
  await run(name, ...order);
  const { code, stderr } = await run(name, 'resolve', 'order-1042', 'none');
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('Nothing was changed.') });
});
