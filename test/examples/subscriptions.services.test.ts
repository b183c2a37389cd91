/** Follows a subscription from its first payment to its end, by webhooks only. */

import { expect, it } from 'vitest';
import { clientOf } from '../support/sandbox.ts';
import { secret, startMerchant } from './support.ts';

async function subscribe(default_payment_method: string) {
  const merchant = await startMerchant();
  const { sandbox, serve } = merchant;
  const server = await serve('subscriptions');
  sandbox.webhooks.deliverTo(`${server.url}/webhooks`, { secret });
  const { id: customer } = sandbox.add('customer', { payment_settings: { default_payment_method } });
  sandbox.add('price', { id: 'price_tea', unit_amount: 900, currency: 'usd' });
  const { id } = await clientOf(sandbox).subscriptions.create(
    { customer, items: [{ price: 'price_tea' }], collection_method: 'charge_automatically' },
    { operationId: 'subscription-7' },
  );
  const printed = async () => (await server.stop()).stdout.trim().split('\n').slice(1);
  return { ...merchant, customer, id, told: printed };
}

it('grants access while a card pays', async () => {
  const { sandbox, id, told } = await subscribe('pm_card');
  await sandbox.clock.advance('31 days');
  const lines = await told();
  expect(lines).toContain(`${id} is active: access`);
  expect(lines.filter((line) => line.endsWith(' is paid'))).toHaveLength(2);
  expect(lines.join('\n')).not.toMatch(/failed|given up|no access/);
});

it('requests another card after each decline, and cancels a subscription whose invoice is uncollectible', async () => {
  const { sandbox, customer, id, told } = await subscribe('pm_card_fails_on_renewal');
  await sandbox.clock.advance('30 days');
  await sandbox.clock.advance('17 days');
  const lines = await told();
  const asked = lines.filter((line) => line.endsWith(`ask ${customer} for another card`));
  expect(asked.map((line) => /attempt (\d)/.exec(line)?.[1])).toEqual(['1', '2', '3', '4']);
  expect(lines).toContain(`${id} is past_due: access`);
  expect(lines.filter((line) => line.endsWith('is given up'))).toHaveLength(1);
  expect(lines.at(-1)).toBe(`${id} is canceled: no access`);
  expect(sandbox.get('subscription', id)?.status).toBe('canceled');
  const cancels = sandbox.requests.filter(({ operation }) => operation === 'subscriptions.cancel');
  expect(cancels).toHaveLength(1);
});

it('prints each change once if every event is delivered twice and one late', async () => {
  const { sandbox, id, told } = await subscribe('pm_card_fails_on_renewal');
  sandbox.faults.inject({ kind: 'duplicate_delivery', types: ['invoice.payment_failed'], times: 9 });
  sandbox.faults.inject({ kind: 'delay_delivery', by: '1 hour', types: ['subscription.updated'], times: 1 });
  await sandbox.clock.advance('30 days');
  await sandbox.clock.advance('17 days');
  const lines = await told();
  expect(lines.filter((line) => line.includes(' failed, ask '))).toHaveLength(4);
  expect(lines.at(-1)).toBe(`${id} is canceled: no access`);
});

it('cancels no paid subscription of the customer whose other one is given up', async () => {
  const { sandbox, customer, id, told } = await subscribe('pm_card_fails_on_renewal');
  const paid = sandbox.add('subscription', { customer, status: 'active', current_period_end: 4_000_000_000 });
  await sandbox.clock.advance('30 days');
  await sandbox.clock.advance('17 days');
  expect(await told()).toContain(`${id} is canceled: no access`);
  expect(sandbox.get('subscription', paid.id)?.status).toBe('active');
});

it('leaves the choice between two unpaid subscriptions of a customer to a person', async () => {
  const { sandbox, customer, id, told } = await subscribe('pm_card_fails_on_renewal');
  const other = sandbox.add('subscription', { customer, status: 'past_due' });
  await sandbox.clock.advance('30 days');
  await sandbox.clock.advance('17 days');
  expect(await told()).toContain(`${customer} has several unpaid subscriptions: choose one`);
  for (const one of [id, other.id]) expect(sandbox.get('subscription', one)?.status).toBe('past_due');
});
