/** Follows subscriptions from their first payment to their end, by webhooks, and asks the program who has access. */

import type { Subscription } from 'payments-client';
import { expect, it } from 'vitest';
import { clientOf } from '../support/sandbox.ts';
import { secret, startMerchant } from './support.ts';

async function subscribe(default_payment_method: string) {
  const merchant = await startMerchant();
  const { sandbox, serve, run } = merchant;
  const server = await serve('subscriptions');
  sandbox.webhooks.deliverTo(`${server.url}/webhooks`, { secret });
  const { id: customer } = sandbox.add('customer', { payment_settings: { default_payment_method } });
  sandbox.add('price', { id: 'price_tea', unit_amount: 900, currency: 'usd' });
  const { subscriptions } = clientOf(sandbox);
  const { id } = await subscriptions.create(
    { customer, items: [{ price: 'price_tea' }], collection_method: 'charge_automatically' },
    { operationId: 'subscription-7' },
  );
  await sandbox.settled();
  return {
    ...merchant,
    customer,
    id,
    /** Makes another subscription of the customer known to the program. */
    addOther: async (status: Subscription['status']) => {
      const other = sandbox.add('subscription', { customer, status, current_period_end: 4_000_000_000 });
      await subscriptions.update(other.id, { metadata: { seen: 'yes' } }, { operationId: 'seen' });
      await sandbox.settled();
      return other;
    },
    statusOf: (one: string) => sandbox.get('subscription', one)?.status,
    access: async (): Promise<unknown> => (await fetch(`${server.url}/access/${customer}`)).json(),
    /** Lets the invoice of the renewal be declined until the service gives it up. */
    giveUp: async () => {
      await sandbox.clock.advance('30 days');
      await sandbox.clock.advance('17 days');
    },
    resolve: (...words: readonly string[]) => run('subscriptions', customer, ...words),
    told: async () => (await server.stop()).stdout.trim().split('\n').slice(1),
  };
}

const needIn = (lines: readonly string[]) => {
  const [line, ...others] = lines.filter((one) => one.includes('needs a person'));
  expect(others).toEqual([]);
  return line?.split(' ') ?? [];
};

it('grants access while a card pays', async () => {
  const { sandbox, access, told } = await subscribe('pm_card');
  await sandbox.clock.advance('31 days');
  expect(await access()).toMatchObject({ granted: true });
  expect(await told()).toEqual([]);
});

it('requests another card after each decline, and cancels what a person names for the given-up invoice', async () => {
  const { sandbox, customer, id, access, giveUp, resolve, told } =
    await subscribe('pm_card_fails_on_renewal');
  sandbox.faults.inject({ kind: 'duplicate_delivery', types: ['invoice.payment_failed'], times: 9 });
  sandbox.faults.inject({ kind: 'delay_delivery', by: '1 hour', types: ['subscription.updated'], times: 1 });
  await giveUp();
  expect(await access()).toMatchObject({ granted: true });
  const lines = await told();
  const asked = lines.filter((line) => line.endsWith(`ask ${customer} for another card`));
  expect(asked.map((line) => /attempt (\d)/.exec(line)?.[1])).toEqual(['1', '2', '3', '4']);
  const [, invoice = '', ...words] = needIn(lines);
  expect(words.join(' ')).toBe(`needs a person: which_subscription ${id}`);
  for (const _ of [1, 2])
    expect(await resolve(invoice, id)).toMatchObject({ code: 0, stdout: '', stderr: '' });
  expect(sandbox.get('subscription', id)?.status).toBe('canceled');
  const cancels = sandbox.requests.filter(({ operation }) => operation === 'subscriptions.cancel');
  expect(cancels).toHaveLength(1);
});

it('cancels no living subscription because of the last invoice of another one', async () => {
  const { sandbox, id, addOther, statusOf, access, resolve, told } =
    await subscribe('pm_card_fails_on_renewal');
  const other = await addOther('past_due');
  await sandbox.clock.advance('30 days');
  // The buyer leaves; the sandbox goes on collecting the open invoice, and gives it up.
  await clientOf(sandbox).subscriptions.cancel(id, { operationId: 'leave' });
  await sandbox.clock.advance('17 days');
  expect([statusOf(id), statusOf(other.id)]).toEqual(['canceled', 'past_due']);
  expect(await access()).toMatchObject({ granted: true });
  const [, invoice = '', ...words] = needIn(await told());
  expect(words.slice(-2)).toEqual([id, other.id]);
  expect(await resolve(invoice, id)).toMatchObject({ code: 0, stdout: '', stderr: '' });
  expect(statusOf(other.id)).toBe('past_due');
});

it('ends a need without a cancellation', async () => {
  const { addOther, statusOf, giveUp, resolve, told, id } = await subscribe('pm_card_fails_on_renewal');
  const other = await addOther('active');
  await giveUp();
  const [, invoice = '', ...words] = needIn(await told());
  expect(words.slice(-2).toSorted()).toEqual([id, other.id].toSorted());
  expect(await resolve(invoice)).toMatchObject({ code: 0, stdout: '', stderr: '' });
  expect([statusOf(id), statusOf(other.id)]).toEqual(['past_due', 'active']);
});
