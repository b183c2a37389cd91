/** A card sale from CommonJS: recorded before it is sent, and sent at most once. */

import { expect, it } from 'vitest';
import { startMerchant } from './support.ts';

const name = 'card-sale.cjs';
const order = ['order-1042', '12.00', 'tok_1'] as const;

it('prints the recorded sale again, and sends it once', async () => {
  const { sandbox, run } = await startMerchant();
  const first = await run(name, ...order);
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout).toMatch(/^order-1042: paid, transaction \d+\n$/);
  expect(await run(name, ...order)).toEqual(first);
  expect(sandbox.requests).toHaveLength(1);
});

it('sends no sale again whose reply was lost', async () => {
  const { sandbox, run } = await startMerchant();
  sandbox.faults.inject({ kind: 'drop_reply', operation: 'transact.sale' });
  for (const attempt of [1, 2]) {
    const { code, stderr } = await run(name, ...order);
    expect({ attempt, code }).toEqual({ attempt, code: 1 });
    expect(stderr).toMatch(/^order-1042: unknown: /);
  }
  expect(sandbox.requests).toHaveLength(1);
});

it('sells after a decline under another id', async () => {
  const { run } = await startMerchant();
  const declined = { code: 1, stdout: 'order-7: declined\n', stderr: '' };
  expect(await run(name, 'order-7', '0.50', 'tok_1')).toEqual(declined);
  // The recorded decline.
  expect(await run(name, 'order-7', '0.50', 'tok_1')).toEqual(declined);
  const sold = await run(name, 'order-7/2', '12.00', 'tok_2');
  expect(sold.stdout).toMatch(/^order-7\/2: paid, /);
  expect(sold.code).toBe(0);
});
