/** Partial refunds: each is made once, never more than the captured amount, and each stays open until its result is known. */

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { unlisted } from 'payments-client';
import type { Sandbox } from 'payments-client-sandbox';
import { make } from 'payments-client-sandbox/testing';
import { expect, it } from 'vitest';
import { clientOf } from '../support/sandbox.ts';
import { everyNth, thorough } from '../support/size.ts';
import { type Merchant, startMerchant } from './support.ts';

/** A payment of 24.00. */
function pay(sandbox: Sandbox): string {
  const { id } = sandbox.add('payment_intent', { amount: 2400 });
  sandbox.pay(id);
  return id;
}

/** Returns the amounts of the refunds, oldest first. */
async function refundsOf(sandbox: Sandbox): Promise<readonly number[]> {
  const refunds = await clientOf(sandbox).refunds.list().toArray({ max: 10 });
  return refunds.map(({ amount }) => amount).toReversed();
}

function returnsOf({ folder }: Merchant): readonly string[] {
  const database = new DatabaseSync(join(folder, 'returns.sqlite'), { readOnly: true });
  const rows = database.prepare('SELECT id, amount, status FROM returns ORDER BY id').all();
  database.close();
  return rows.map(({ id, amount, status }) => `${id} ${amount} ${status}`);
}

it('refunds each return once, even if it runs again', async () => {
  const merchant = await startMerchant();
  const { sandbox, run } = merchant;
  const intent = pay(sandbox);
  for (const amount of ['500', '500']) await run('refunds', intent, 'return-77', amount);
  const other = await run('refunds', intent, 'return-77', '700');
  expect(other.stderr).toContain(`return-77: accepted before, over 500 of ${intent}.`);
  await run('refunds', intent, 'return-78', '1900');
  expect(await refundsOf(sandbox)).toEqual([500, 1900]);
  await sandbox.clock.advance('2 min');
  const { stdout, code } = await run('refunds');
  expect(stdout).toMatch(/^return-77: rf_\w+ succeeded\nreturn-78: rf_\w+ succeeded\n$/);
  expect(code).toBe(0);
  expect(returnsOf(merchant)).toEqual(['return-77 500 succeeded', 'return-78 1900 succeeded']);
});

it('never refunds more than the captured amount', thorough, async () => {
  const merchant = await startMerchant();
  const { sandbox, run } = merchant;
  const intent = pay(sandbox);
  await run('refunds', intent, 'return-77', '2000');
  const { code, stderr } = await run('refunds', intent, 'return-78', '401');
  expect(code).toBe(1);
  expect(stderr).toContain('return-78: 401 is more than is left of 2400 captured.');
  expect(returnsOf(merchant)).toEqual(['return-77 2000 pending']);
  expect(await refundsOf(sandbox)).toEqual([2000]);
});

it('retries a refund with an unknown outcome, and receives the one refund', async () => {
  const merchant = await startMerchant();
  const { sandbox, run } = merchant;
  const intent = pay(sandbox);
  sandbox.faults.inject({ kind: 'bad_gateway', operation: 'refunds.create', committed: true, times: 3 });
  const first = await run('refunds', intent, 'return-77', '500');
  expect(first.code).toBe(1);
  expect(first.stderr).toMatch(/^return-77: run again: /);
  expect(returnsOf(merchant)).toEqual(['return-77 500 accepted']);
  expect((await run('refunds')).stdout).toMatch(/^return-77: rf_\w+ pending\n$/);
  expect(await refundsOf(sandbox)).toEqual([500]);
});

it('leaves a refused return open until a person closes it', thorough, async () => {
  const merchant = await startMerchant();
  const { sandbox, run } = merchant;
  const intent = pay(sandbox);
  const elsewhere = { payment_intent_id: intent, amount: 2400 };
  await clientOf(sandbox).refunds.create(elsewhere, { operationId: 'from the control panel' });
  const { stderr } = await run('refunds', intent, 'return-77', '500');
  expect(stderr).toMatch(/^return-77: look into it: /);
  expect(returnsOf(merchant)).toEqual(['return-77 500 accepted']);
  for (const _ of ['once', 'again'])
    expect(await run('refunds', 'close', 'return-77')).toMatchObject({ code: 0, stdout: '' });
  const { code, stderr: closed } = await run('refunds', intent, 'return-77', '500');
  expect(code).toBe(1);
  expect(closed).toContain('return-77: closed before, without a refund.');
  expect(returnsOf(merchant)).toEqual(['return-77 500 closed']);
});

it.each(
  everyNth(
    [
      ['422', { kind: 'respond', status: 422, body: { code: 'REFUND_NOT_ALLOWED' } } as const],
      ['429', { kind: 'rate_limit', times: 3, retryAfter: 0 } as const],
      ['503', { kind: 'unavailable', times: 3, retryAfter: 0 } as const],
    ],
    3,
  ),
)('keeps a return open after a lost response and a %s, and finds its refund', async (_, fault) => {
  const merchant = await startMerchant();
  const { sandbox, run } = merchant;
  const intent = pay(sandbox);
  const operation = 'refunds.create';
  sandbox.faults.inject({ kind: 'bad_gateway', operation, committed: true, times: 3 });
  await run('refunds', intent, 'return-77', '500');
  sandbox.faults.inject({ ...fault, operation });
  expect((await run('refunds')).code).toBe(1);
  expect(returnsOf(merchant)).toEqual(['return-77 500 accepted']);
  expect((await run('refunds')).stdout).toMatch(/^return-77: rf_\w+ pending\n$/);
  expect(await refundsOf(sandbox)).toEqual([500]);
});

it('prints the refund of a return that is run again after its success', thorough, async () => {
  const { sandbox, run } = await startMerchant();
  const intent = pay(sandbox);
  await run('refunds', intent, 'return-77', '500');
  await sandbox.clock.advance('2 min');
  for (const _ of ['once', 'again']) {
    const { code, stdout } = await run('refunds', intent, 'return-77', '500');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^return-77: rf_\w+ succeeded\n$/);
  }
});

it('is no success with a refund whose status is unknown', thorough, async () => {
  const { sandbox, run } = await startMerchant();
  const body = { ...make('refund', { amount: 500 }), status: 'unheard_of' };
  sandbox.faults.inject({ kind: 'respond', operation: 'refunds.create', status: 200, body });
  const { code, stdout } = await run('refunds', pay(sandbox), 'return-77', '500');
  expect(code).toBe(1);
  expect(stdout).toMatch(/^return-77: \w+ unheard_of\n$/);
});

it('closes only a return without a refund', thorough, async () => {
  const merchant = await startMerchant();
  const { sandbox, run } = merchant;
  await run('refunds', pay(sandbox), 'return-77', '500');
  for (const id of ['return-77', 'nope']) {
    const { code, stderr } = await run('refunds', 'close', id);
    expect(code).toBe(1);
    expect(stderr).toContain(`${id}: there is no such return without a refund.`);
  }
  expect(returnsOf(merchant)).toEqual(['return-77 500 pending']);
});

it.each(
  everyNth(
    [
      ['clsoe', 'return-77'],
      ['close'],
      ['close', ''],
      ['close', 'return-77', 'return-78'],
      ['pi_1', 'return-77'],
      ['pi_1', 'return-77', '5.00'],
      ['pi_1', 'return-77', '5 00'],
      ['pi_1', 'return-77', '500', 'usd'],
      ['', 'return-77', '500'],
      ['pi_1', '', '500'],
    ],
    5,
  ),
)('says how it is run after %s %s', async (...args) => {
  const merchant = await startMerchant();
  const { code, stdout, stderr } = await merchant.run('refunds', ...args);
  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toBe('Expected: node refunds.ts [<payment intent> <return> <amount> | close <return>]\n');
  expect(returnsOf(merchant)).toEqual([]);
});

it('prints why a refund failed, and accepts another return for its amount', async () => {
  const merchant = await startMerchant();
  const { sandbox, run } = merchant;
  const intent = pay(sandbox);
  await run('refunds', intent, 'return-77', '2400');
  const [refund] = await clientOf(sandbox).refunds.list().toArray({ max: 1 });
  sandbox.update('refund', refund?.id ?? '', {
    status: 'failed',
    failure_message: unlisted('account_closed'),
  });
  const failed = await run('refunds');
  expect(failed.stdout).toMatch(/^return-77: rf_\w+ failed account_closed\n$/);
  expect(failed.code).toBe(1);
  const again = await run('refunds', intent, 'return-77', '2400');
  expect(again).toMatchObject({ code: 1, stdout: failed.stdout });
  expect(await run('refunds')).toMatchObject({ code: 0, stdout: '' });
  await run('refunds', intent, 'return-78', '2400');
  expect(returnsOf(merchant)).toEqual(['return-77 2400 failed', 'return-78 2400 pending']);
});
