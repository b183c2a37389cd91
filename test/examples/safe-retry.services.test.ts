/** A process is killed after the service has acted, then started again: there is one subscription. */

import type { Sandbox } from 'payments-client-sandbox';
import { expect, it } from 'vitest';
import { clientOf } from '../support/sandbox.ts';
import { thorough } from '../support/size.ts';
import { startMerchant, untilEvent } from './support.ts';

const name = 'safe-retry';
const operation = 'subscriptions.create';

/** Starts a merchant with a customer and a price, and returns the arguments of the example. */
async function start() {
  const merchant = await startMerchant();
  const { sandbox } = merchant;
  const payment_settings = { default_payment_method: 'pm_card' };
  const { id: customer } = sandbox.add('customer', { payment_settings });
  const { id: price } = sandbox.add('price', { unit_amount: 900, currency: 'usd' });
  return { ...merchant, args: ['signup-7', customer, price] };
}

async function subscriptionsOf(sandbox: Sandbox): Promise<readonly string[]> {
  const subscriptions = await clientOf(sandbox).subscriptions.list().toArray({ max: 10 });
  return subscriptions.map(({ id }) => id);
}

it('starts a subscription once, however often it runs', async () => {
  const { sandbox, run, args } = await start();
  const first = await run(name, ...args);
  await sandbox.settled();
  const again = await run(name, ...args);
  const [id, ...others] = await subscriptionsOf(sandbox);
  expect(others).toEqual([]);
  expect(first).toEqual({ code: 0, stdout: `signup-7: ${id} incomplete\n`, stderr: '' });
  expect(again).toEqual({ code: 0, stdout: `signup-7: ${id} active\n`, stderr: '' });
});

it('starts a subscription once if it is killed before the response, and run again at once', async () => {
  const { sandbox, launch, run, args } = await start();
  sandbox.faults.inject({ kind: 'stall_body', operation });
  const created = untilEvent(sandbox, 'subscription.created');
  const killed = launch(name, ...args);
  await created;
  await killed.stop('SIGKILL');
  const again = await run(name, ...args);
  expect(again).toMatchObject({ code: 0, stderr: '' });
  const sent = sandbox.requests.filter((request) => request.operation === operation);
  expect(sent.map(({ replayed }) => replayed)).toEqual([false, true]);
  expect(await subscriptionsOf(sandbox)).toHaveLength(1);
});

it('stays open after an error, and is done by the next run, but with no other price', thorough, async () => {
  const { sandbox, run, args } = await start();
  sandbox.faults.inject({ kind: 'bad_gateway', operation, committed: true, times: 3 });
  expect((await run(name, ...args)).stderr).toMatch(/^signup-7: run again: /);
  sandbox.faults.inject({ kind: 'rate_limit', operation, retryAfter: 0, times: 3 });
  expect((await run(name, ...args)).stderr).toMatch(/^signup-7: run again: .*429/);
  const { id: other } = sandbox.add('price', { unit_amount: 90, currency: 'usd' });
  expect((await run(name, ...args.with(2, other))).stderr).toMatch(/^signup-7: look into it: /);
  expect((await run(name, ...args)).code).toBe(0);
  expect(await subscriptionsOf(sandbox)).toHaveLength(1);
});
