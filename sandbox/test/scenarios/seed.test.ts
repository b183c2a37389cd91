/** Sample data: as a shop would have made it over months, without any event. */

import { ConfigurationError } from 'payments-client';
import { createSandbox, type SandboxOptions } from 'payments-client-sandbox';
import { beforeAll, expect, test } from 'vitest';
import { clientOf } from '../../../test/support/sandbox.ts';

const startsAt = Date.UTC(2026, 0, 1);
const present = startsAt / 1000;
const month = 30 * 24 * 60 * 60;
const size = { customers: 40, intents: 300, months: 3 };

async function seeded(seed: string | number, options: SandboxOptions = {}) {
  const sandbox = createSandbox({ startsAt, seed: 'same ids', ...options });
  const counts = sandbox.seed({ ...size, seed });
  const payments = clientOf(sandbox, { fetch: sandbox.fetch });
  const all = { max: 10_000 };
  const data = {
    customers: await payments.customers.list({ limit: 5_000 }).toArray(all),
    payment_intents: await payments.paymentIntents.list({ limit: 5_000 }).toArray(all),
    charges: await payments.charges.list({ limit: 5_000 }).toArray(all),
    refunds: await payments.refunds.list({ limit: 5_000 }).toArray(all),
    subscriptions: await payments.subscriptions.list({ limit: 5_000 }).toArray(all),
    invoices: await payments.invoices.list({ limit: 5_000 }).toArray(all),
  };
  return { sandbox, counts, data };
}

let sample: Awaited<ReturnType<typeof seeded>>;
beforeAll(async () => {
  sample = await seeded('sample');
});

test('the counts equal the listed objects, of each kind some', () => {
  const { counts, data } = sample;
  expect(counts).toEqual(
    Object.fromEntries(Object.entries(data).map(([kind, { length }]) => [kind, length])),
  );
  const paidInvoices = data.invoices.filter(({ status }) => status === 'paid').length;
  expect([counts.customers, counts.payment_intents]).toEqual([40, 300 + paidInvoices]);
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
});

test('the same seed creates the same data, another seed other data, and a second seeding more', async () => {
  const [same, other] = [await seeded('sample'), await seeded(2)];
  expect(same.data).toEqual(sample.data);
  expect(other.data.customers).not.toEqual(sample.data.customers);
  expect(same.sandbox.seed({ ...size, seed: 2 }).customers).toBe(40);
});

test('everything lies in the months before the present, newest first', () => {
  for (const list of Object.values(sample.data)) {
    const times = list.map(({ created_at }) => created_at);
    expect(times).toEqual(times.toSorted((one, other) => other - one));
    expect(Math.min(...times)).toBeGreaterThanOrEqual(present - 3 * month);
    expect(Math.max(...times)).toBeLessThanOrEqual(present);
  }
  const { payment_intents: intents } = sample.data;
  expect((intents.at(0)?.created_at ?? 0) - (intents.at(-1)?.created_at ?? 0)).toBeGreaterThan(2.9 * month);
});

test('payments end in every way, and agree with their charges and refunds', () => {
  const { payment_intents: intents, charges, refunds } = sample.data;
  const statuses = new Set(intents.map(({ status }) => status));
  expect(statuses).toEqual(new Set(['succeeded', 'requires_payment_method', 'canceled']));
  const byId = new Map(charges.map((charge) => [charge.id, charge]));
  for (const { status, latest_charge_id: id, amount } of intents) {
    if (status === 'succeeded') expect(byId.get(id ?? 'ch_')).toMatchObject({ status: 'succeeded', amount });
  }
  expect(charges.some(({ status }) => status === 'failed')).toBe(true);
  for (const charge of charges) {
    const given = refunds.filter(({ charge_id }) => charge_id === charge.id);
    expect(charge.amount_refunded).toBe(given.reduce((sum, { amount }) => sum + amount, 0));
  }
  expect(new Set(refunds.map(({ status }) => status))).toEqual(new Set(['succeeded']));
});

test('customers have names, and e-mail addresses and phone numbers of nobody', () => {
  const { customers } = sample.data;
  for (const { first_name, last_name, email, phone } of customers) {
    expect(`${first_name} ${last_name}`).toMatch(/^\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+$/u);
    expect(email).toMatch(/^[\w.]+@(?:example\.(?:com|net|org)|\w+\.test)$/);
    expect(phone).toMatch(/^\+1 \d{3} 555 01\d\d$/);
  }
  expect(new Set(customers.map(({ email }) => email)).size).toBe(40);
});

test('an active subscription is in its current period, an ended one has an end, and invoices add up', () => {
  const { subscriptions, invoices, customers } = sample.data;
  const known = new Set(customers.map(({ id }) => id));
  for (const { status, current_period_end, ended_at, customer } of subscriptions) {
    expect(known).toContain(customer);
    if (status === 'canceled') expect(ended_at).toBeLessThanOrEqual(present);
    else expect(current_period_end).toBeGreaterThan(present);
  }
  for (const { status, total, amount_paid, amount_remaining } of invoices) {
    expect([amount_paid + amount_remaining, amount_remaining === 0]).toEqual([total, status === 'paid']);
  }
});

test('it emits no events and no deliveries, now or when the clock advances, and later changes do', async () => {
  const seen: unknown[] = [];
  const url = () => {
    seen.push(1);
    return new Response();
  };
  const { sandbox } = await seeded('sample', { webhooks: [{ url }] });
  await sandbox.clock.advance('10 min');
  expect([sandbox.events, sandbox.webhooks.deliveries(), seen]).toEqual([[], [], []]);
  sandbox.add('customer');
  await sandbox.settled();
  expect([sandbox.events.map(({ type }) => type), seen]).toEqual([['customer.created'], [1]]);
});

test('invalid numbers are rejected, and nothing is created', () => {
  const sandbox = createSandbox();
  for (const options of [{ customers: -1 }, { intents: 1.5 }, { months: 0 }, { intents: Number.NaN }])
    expect(() => sandbox.seed(options)).toThrow(ConfigurationError);
  expect(sandbox.seed({ customers: 0, intents: 0 })).toMatchObject({ customers: 0, payment_intents: 0 });
});
