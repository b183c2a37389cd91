import { ConfigurationError, PaymentsClient } from 'payments-client';
import { createSandbox, type SandboxOptions } from 'payments-client-sandbox';
import { expect, test } from 'vitest';

const startsAt = Date.UTC(2026, 0, 1);
const month = 30 * 24 * 60 * 60;
const size = { customers: 40, intents: 400, months: 3 };

function open(options: SandboxOptions = {}) {
  const sandbox = createSandbox({ startsAt, seed: 'same ids', ...options });
  const { url: baseUrl, secretKey, fetch } = sandbox;
  return { sandbox, payments: new PaymentsClient({ baseUrl, secretKey, fetch }) };
}

async function contents({ payments }: ReturnType<typeof open>) {
  const all = { max: 10_000 };
  const [customers, intents, charges, refunds, subscriptions, invoices] = await Promise.all([
    payments.customers.list().toArray(all),
    payments.paymentIntents.list().toArray(all),
    payments.charges.list().toArray(all),
    payments.refunds.list().toArray(all),
    payments.subscriptions.list().toArray(all),
    payments.invoices.list().toArray(all),
  ]);
  return { customers, intents, charges, refunds, subscriptions, invoices };
}

async function seeded(options: Parameters<typeof open>[0] = {}, seed: string | number = 'sample') {
  const service = open(options);
  const counts = service.sandbox.seed({ ...size, seed });
  return { ...service, counts, data: await contents(service) };
}

test('the counts equal the listed objects', async () => {
  const { counts, data } = await seeded();
  expect(counts).toEqual({
    customers: 40,
    payment_intents: data.intents.length,
    charges: data.charges.length,
    refunds: data.refunds.length,
    subscriptions: data.subscriptions.length,
    invoices: data.invoices.length,
  });
  const paidInvoices = data.invoices.filter(({ status }) => status === 'paid').length;
  expect(data.intents).toHaveLength(400 + paidInvoices);
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
});

test('the same seed creates the same data, and another seed other data', async () => {
  const [one, same, other] = await Promise.all([seeded(), seeded(), seeded({}, 2)]);
  expect(same.data).toEqual(one.data);
  expect(other.data.customers).not.toEqual(one.data.customers);
});

test('everything lies in the months before the present, newest first', async () => {
  const { data } = await seeded();
  const present = startsAt / 1000;
  for (const list of Object.values(data)) {
    const times = list.map(({ created_at }) => created_at);
    expect(times).toEqual(times.toSorted((one, other) => other - one));
    expect(Math.min(...times)).toBeGreaterThanOrEqual(present - 3 * month);
    expect(Math.max(...times)).toBeLessThanOrEqual(present);
  }
  const [newest, oldest] = [data.intents.at(0), data.intents.at(-1)];
  expect((newest?.created_at ?? 0) - (oldest?.created_at ?? 0)).toBeGreaterThan(2.9 * month);
});

test('payments end in every way, and agree with their charges and refunds', async () => {
  const { intents, charges, refunds } = (await seeded()).data;
  const statuses = new Set(intents.map(({ status }) => status));
  expect(statuses).toEqual(new Set(['succeeded', 'requires_payment_method', 'canceled']));
  const byId = new Map(charges.map((charge) => [charge.id, charge]));
  for (const { status, latest_charge_id: id, amount } of intents) {
    if (status === 'succeeded') expect(byId.get(id ?? 'ch_')).toMatchObject({ status: 'succeeded', amount });
  }
  expect(charges.filter(({ status }) => status === 'failed').length).toBeGreaterThan(0);
  for (const charge of charges) {
    const given = refunds.filter(({ charge_id }) => charge_id === charge.id);
    expect(charge.amount_refunded).toBe(given.reduce((sum, { amount }) => sum + amount, 0));
  }
  expect(new Set(refunds.map(({ status }) => status))).toEqual(new Set(['succeeded']));
});

test('customers have names, and e-mail addresses of reserved domains', async () => {
  const { customers } = (await seeded()).data;
  for (const { first_name, last_name, email, phone } of customers) {
    expect(`${first_name} ${last_name}`).toMatch(/^\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+$/u);
    expect(email).toMatch(/^[\w.]+@(?:example\.(?:com|net|org)|\w+\.test)$/);
    expect(phone).toMatch(/^\+1 \d{3} 555 01\d\d$/);
  }
  expect(new Set(customers.map(({ email }) => email)).size).toBe(40);
});

test('an active subscription is in its current period; an ended one has an end', async () => {
  const { subscriptions, invoices, customers } = (await seeded()).data;
  const present = startsAt / 1000;
  const known = new Set(customers.map(({ id }) => id));
  for (const { status, current_period_end, ended_at, customer } of subscriptions) {
    expect(known).toContain(customer);
    if (status === 'canceled') expect(ended_at).toBeLessThanOrEqual(present);
    else expect(current_period_end).toBeGreaterThan(present);
  }
  for (const { status, total, amount_paid, amount_remaining } of invoices) {
    expect(amount_paid + amount_remaining).toBe(total);
    expect(amount_remaining === 0).toBe(status === 'paid');
  }
});

test('it emits no events and no deliveries, now or when the clock advances', async () => {
  const seen: unknown[] = [];
  const url = () => {
    seen.push(1);
    return new Response();
  };
  const { sandbox } = await seeded({ webhooks: [{ url }] });
  await sandbox.settled();
  await sandbox.clock.advance('10 min');
  expect([sandbox.events, sandbox.webhooks.deliveries(), seen]).toEqual([[], [], []]);
  sandbox.add('customer');
  await sandbox.settled();
  expect(sandbox.events.map(({ type }) => type)).toEqual(['customer.created']);
  expect(seen).toHaveLength(1);
});

test('invalid numbers are rejected, and nothing is created', () => {
  const { sandbox } = open();
  for (const options of [{ customers: -1 }, { intents: 1.5 }, { months: 0 }, { intents: Number.NaN }]) {
    expect(() => sandbox.seed(options)).toThrow(ConfigurationError);
  }
  expect(sandbox.seed({ customers: 0, intents: 0 })).toMatchObject({ customers: 0, payment_intents: 0 });
});

test('seeding again adds data', () => {
  const { sandbox } = open();
  expect(sandbox.seed(size).customers).toBe(40);
  expect(sandbox.seed({ ...size, seed: 2 }).customers).toBe(40);
});
