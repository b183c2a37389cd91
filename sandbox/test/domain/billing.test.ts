import { PaymentsClient } from 'payments-client';
import { createSandbox, type SandboxOptions } from 'payments-client-sandbox';
import { expect, test } from 'vitest';

type PaymentMethod = `pm_${string}`;

function shop(options: SandboxOptions = {}) {
  const sandbox = createSandbox({ startsAt: Date.UTC(2026, 0, 1), ...options });
  const payments = new PaymentsClient({
    baseUrl: sandbox.url,
    secretKey: sandbox.secretKey,
    fetch: sandbox.fetch,
    maxRetries: 0,
  });
  const types = () => sandbox.events.map(({ type }) => type);
  return { sandbox, payments, types };
}

async function refunded(method: PaymentMethod, options?: SandboxOptions) {
  const service = shop(options);
  const { id } = service.sandbox.add('payment_intent');
  service.sandbox.pay(id, { payment_method: method });
  const refund = await service.payments.refunds.create({ payment_intent_id: id }, { operationId: 'refund' });
  const status = () => service.sandbox.get('refund', refund.id)?.status;
  return { ...service, refund, status };
}

test('a refund succeeds after a minute of the clock, to the millisecond', async () => {
  const { sandbox, status, types } = await refunded('pm_card');
  await sandbox.clock.advance(59_999);
  expect(status()).toBe('pending');
  await sandbox.clock.advance(1);
  expect(status()).toBe('succeeded');
  expect(types().slice(-2)).toEqual(['refund.created', 'refund.succeeded']);
});

test('a refund fails for a failing payment method, and may succeed on retry', async () => {
  const { sandbox, payments, refund, status } = await refunded('pm_card_refund_fails_once');
  await sandbox.clock.advance('1 min');
  expect(sandbox.get('refund', refund.id)).toMatchObject({
    status: 'failed',
    failure_message: 'already_refunded',
  });
  expect(sandbox.get('charge', refund.charge_id)?.amount_refunded).toBe(0);
  await payments.refunds.retry(refund.id, { operationId: 'again' });
  await sandbox.clock.advance('1 min');
  expect(status()).toBe('succeeded');
  expect(sandbox.get('charge', refund.charge_id)?.amount_refunded).toBe(1200);
});

test('a refund stays pending with manual refunds', async () => {
  const { sandbox, status } = await refunded('pm_card', { refunds: 'manual' });
  await sandbox.clock.advance('10 days');
  expect(status()).toBe('pending');
});

async function subscribed(method: PaymentMethod, options?: SandboxOptions) {
  const service = shop(options);
  const { sandbox, payments } = service;
  const payment_settings = { default_payment_method: method };
  const { id: customer } = await payments.customers.create({ payment_settings });
  const price = sandbox.add('price', { id: 'price_gold', unit_amount: 900, currency: 'eur' }).id;
  const created = await payments.subscriptions.create(
    { customer, items: [{ price, quantity: 2 }], collection_method: 'charge_automatically' },
    { operationId: 'subscribe' },
  );
  await sandbox.settled();
  const now = () => sandbox.get('subscription', created.id);
  const invoices = async () => (await payments.invoices.list().toArray({ max: 100 })).toReversed();
  return { ...service, created, now, invoices };
}

test('a subscription is billed, becomes active, and is renewed when its period ends', async () => {
  const { sandbox, created, now, invoices, types } = await subscribed('pm_card');
  expect(created.status).toBe('incomplete');
  expect(now()?.status).toBe('active');
  expect(await invoices()).toMatchObject([
    { status: 'paid', total: 1800, currency: 'EUR', amount_paid: 1800, attempt_count: 1 },
  ]);
  const own = types().filter((type) => type.startsWith('subscription.'));
  expect(own).toEqual(['subscription.created', 'subscription.updated']);
  await sandbox.clock.advance('60 days');
  expect((await invoices()).map(({ status }) => status)).toEqual(['paid', 'paid', 'paid']);
  expect(now()).toMatchObject({
    status: 'active',
    current_period_start: created.current_period_end + 30 * 86_400,
    current_period_end: created.current_period_end + 60 * 86_400,
  });
});

test('a declined renewal is retried by the dunning schedule to the second, then given up', async () => {
  const { sandbox, now, invoices, types } = await subscribed('pm_card_fails_on_renewal');
  expect(now()?.status).toBe('active');
  await sandbox.clock.advance(30 * 86_400_000 - 1);
  expect(await invoices()).toHaveLength(1);
  await sandbox.clock.advance(1);
  let at = Date.UTC(2026, 0, 31) / 1000;
  for (const [index, days] of [1, 3, 5, 7].entries()) {
    at += days * 86_400;
    const open = { status: 'open', attempt_count: index + 1, next_payment_attempt_at: at };
    expect((await invoices())[1]).toMatchObject(open);
    expect(now()?.status).toBe('past_due');
    await sandbox.clock.advance(days * 86_400_000 - 1);
    expect((await invoices())[1]).toMatchObject(open);
    await sandbox.clock.advance(1);
  }
  const [, renewal] = await invoices();
  expect(renewal).toMatchObject({
    status: 'uncollectible',
    attempt_count: 5,
    amount_remaining: 1800,
    currency: 'EUR',
  });
  expect(renewal).not.toHaveProperty('next_payment_attempt_at');
  expect(types().filter((type) => type.startsWith('invoice.'))).toEqual([
    'invoice.paid',
    ...Array.from({ length: 4 }, () => 'invoice.payment_failed'),
    'invoice.marked_uncollectible',
  ]);
  await sandbox.clock.advance('90 days');
  expect(await invoices()).toHaveLength(2);
});

test('another payment method resumes a subscription that is past due, and pays the next period too', async () => {
  const { sandbox, payments, now, invoices } = await subscribed('pm_card_fails_on_renewal');
  await sandbox.clock.advance('30 days');
  const [, renewal] = await invoices();
  const payment_method = 'pm_good';
  await payments.invoices.updatePaymentMethod(
    renewal?.id ?? 'inv_',
    { payment_method },
    { operationId: 'update' },
  );
  expect(now()?.status).toBe('active');
  await sandbox.clock.advance('30 days');
  expect((await invoices())[2]).toMatchObject({
    status: 'paid',
    collection_payment_method_id: payment_method,
  });
});

test('a subscription with sent invoices is renewed with the last payment method, once it is collected automatically', async () => {
  const { sandbox, payments } = shop();
  const items = [{ price: sandbox.add('price').id }];
  const customer = sandbox.add('customer').id;
  const { id } = await payments.subscriptions.create({ customer, items }, { operationId: 'subscribe' });
  const [sent] = (await payments.invoices.list()).items;
  sandbox.pay(sent?.id ?? '', { payment_method: 'pm_sent' });
  expect(sandbox.get('invoice', sent?.id ?? '')).not.toHaveProperty('collection_payment_method_id');
  const automatic = { collection_method: 'charge_automatically' } as const;
  await payments.subscriptions.update(id, automatic, { operationId: 'automatic' });
  // What another customer chooses changes nothing here.
  const other = await payments.customers.create({ payment_settings: { default_payment_method: 'pm_a' } });
  await payments.customers.update(other.id, { payment_settings: { default_payment_method: 'pm_b' } });
  await sandbox.clock.advance('30 days');
  const [renewal] = (await payments.invoices.list()).items;
  expect(renewal).toMatchObject({ status: 'paid', collection_payment_method_id: 'pm_sent' });
});

test('a customer who chooses another default pays the next period with it', async () => {
  const { sandbox, payments, created, invoices } = await subscribed('pm_card');
  const choose = (default_payment_method: string) =>
    payments.customers.update(created.customer, { payment_settings: { default_payment_method } });
  await choose('pm_new');
  await sandbox.clock.advance('30 days');
  await payments.customers.update(created.customer, { email: 'ada@example.com' });
  await sandbox.clock.advance('30 days');
  expect((await invoices()).map((invoice) => invoice.collection_payment_method_id)).toEqual([
    'pm_card',
    'pm_new',
    'pm_new',
  ]);
});

test('the price of a running subscription cannot be deleted, and its amount must be an integer', async () => {
  const { payments, created } = await subscribed('pm_card');
  await expect(payments.prices.delete('price_gold')).rejects.toMatchObject({ code: 'PRICE_IN_USE' });
  const { id: price } = await payments.prices.create({ unit_amount: 9.5, currency: 'eur' });
  const items = [{ price }];
  const changed = payments.subscriptions.update(created.id, { items }, { operationId: 'half-a-cent' });
  await expect(changed).rejects.toMatchObject({ code: 'PRICE_INVALID', status: 422 });
  await payments.subscriptions.cancel(created.id);
  expect(await payments.prices.delete('price_gold')).toMatchObject({ deleted: true });
});

test('a price that a subscription bills keeps an amount and a currency that can be billed', async () => {
  const { sandbox, payments, now, invoices } = await subscribed('pm_card');
  const change = (fields: Record<string, unknown>) => payments.prices.update('price_gold', fields);
  await expect(change({ unit_amount: '12.50' })).rejects.toMatchObject({
    code: 'PRICE_INVALID',
    status: 422,
  });
  expect(() => sandbox.update('price', 'price_gold', { unit_amount: 12.5 })).toThrow('no unit_amount');
  await change({ unit_amount: 1250 });
  await sandbox.clock.advance('30 days');
  expect((await invoices()).map(({ total }) => total)).toEqual([1800, 2500]);
  expect(now()?.status).toBe('active');
});

test('time goes on past the renewal of a subscription by hand whose price cannot be billed', async () => {
  const { sandbox, created } = await subscribed('pm_card');
  const { customer } = created;
  sandbox.add('price', { id: 'price_broken', unit_amount: '12.50' });
  const start = Math.floor(sandbox.clock.now() / 1000);
  const { id } = sandbox.add('subscription', {
    customer,
    status: 'active',
    items: [{ id: 'si_1', price: 'price_broken', quantity: 1, metadata: {} }],
    current_period_start: start,
    current_period_end: start + 60,
  });
  await sandbox.clock.advance('2 min');
  expect(sandbox.get('subscription', id)).toMatchObject({ current_period_end: start + 180 });
});

test('the dunning schedule is configurable', async () => {
  const { sandbox, now, invoices } = await subscribed('pm_card_insufficient_funds', { dunning: [2] });
  expect((await invoices())[0]).toMatchObject({ status: 'open', attempt_count: 1 });
  await sandbox.clock.advance('2 days');
  expect((await invoices())[0]).toMatchObject({ status: 'uncollectible', attempt_count: 2 });
  expect(now()?.status).toBe('incomplete');
});

test('a scheduled cancel ends the subscription with its period, by an update', async () => {
  const { sandbox, payments, created, now, invoices, types } = await subscribed('pm_card');
  await payments.subscriptions.update(
    created.id,
    { cancel_at_period_end: true },
    { operationId: 'schedule' },
  );
  await sandbox.clock.advance('30 days');
  expect(now()).toMatchObject({ status: 'ended', ended_at: created.current_period_end });
  await sandbox.clock.advance('90 days');
  expect(await invoices()).toHaveLength(1);
  expect(types().at(-1)).toBe('subscription.updated');
  expect(types()).not.toContain('subscription.canceled');
});

test('a canceled subscription is not renewed', async () => {
  const { sandbox, payments, created, invoices } = await subscribed('pm_card');
  await payments.subscriptions.cancel(created.id, { operationId: 'cancel' });
  await sandbox.clock.advance('90 days');
  expect(await invoices()).toHaveLength(1);
});

const session = {
  line_items: [{ name: 'Tea club', amount: 700, currency: 'usd', quantity: 1 }],
  success_url: 'https://shop.example/thanks',
  cancel_url: 'https://shop.example/cart',
};

test('a paid session starts a subscription, which renews with the same card', async () => {
  const { sandbox, payments, types } = shop();
  const { id } = await payments.checkoutSessions.create(
    { ...session, mode: 'subscription' },
    { operationId: 'club' },
  );
  const intent = sandbox.pay(id, { payment_method: 'pm_club' });
  const [subscription] = await payments.subscriptions.list().toArray({ max: 10 });
  expect(subscription).toMatchObject({
    status: 'active',
    customer: sandbox.get('checkout_session', id)?.customer,
  });
  const [invoice] = await payments.invoices.list().toArray({ max: 10 });
  expect(invoice).toMatchObject({ status: 'paid', total: 700, payment_intent: intent.id });
  expect(types()).toContain('checkout.session.completed');
  await sandbox.clock.advance('30 days');
  const [renewal] = await payments.invoices.list().toArray({ max: 10 });
  expect(renewal).toMatchObject({ status: 'paid', total: 700, collection_payment_method_id: 'pm_club' });
});

test('a declined payment leaves the session open for another attempt', async () => {
  const { sandbox, payments, types } = shop();
  const { id } = await payments.checkoutSessions.create(
    { ...session, mode: 'payment' },
    { operationId: 'tea' },
  );
  const declined = sandbox.pay(id, { payment_method: 'pm_card_expired' });
  expect(sandbox.get('checkout_session', id)).toMatchObject({
    status: 'open',
    payment_status: 'unpaid',
    payment_intent_id: declined.id,
  });
  expect(sandbox.get('charge', declined.latest_charge_id ?? '')?.decline_code).toBe('expired_card');
  expect(types()).not.toContain('checkout.session.completed');
  expect(sandbox.pay(id)).toMatchObject({ id: declined.id, status: 'succeeded' });
  expect(sandbox.get('checkout_session', id)).toMatchObject({ status: 'complete', payment_status: 'paid' });
});

test('the buyer can pay an uncollectible invoice with another method', async () => {
  const { sandbox, now, invoices } = await subscribed('pm_card_insufficient_funds');
  const [bill] = await invoices();
  const payment = sandbox.pay(bill?.id ?? '', { payment_method: 'pm_good' });
  expect(payment).toMatchObject({ status: 'succeeded', payment_method: 'pm_good' });
  expect((await invoices())[0]).toMatchObject({ status: 'paid' });
  expect(now()?.status).toBe('active');
  expect(() => sandbox.pay(bill?.id ?? '')).toThrow(
    /that waits for a payment, got 'inv_\w+', which is 'paid'/,
  );
  expect(() => sandbox.pay('inv_none')).toThrow(
    /that waits for a payment, got 'inv_none', which does not exist/,
  );
});

test('a buyer can retry a declined attempt after the dunning schedule', () => {
  const { sandbox } = shop();
  const { id } = sandbox.add('invoice', { attempt_count: 9 });
  sandbox.pay(id, { payment_method: 'pm_card_declined' });
  const tomorrow = sandbox.clock.now() / 1000 + 24 * 60 * 60;
  expect(sandbox.get('invoice', id)).toMatchObject({
    status: 'open',
    attempt_count: 10,
    next_payment_attempt_at: tomorrow,
  });
  sandbox.pay(id, { payment_method: 'pm_card' });
  expect(sandbox.get('invoice', id)).toMatchObject({ status: 'paid', amount_remaining: 0 });
});

test('the clock does not collect an invoice without a next attempt', async () => {
  const { sandbox, types } = shop();
  const fields = { attempt_count: 1, collection_payment_method_id: 'pm_card' } as const;
  const { id } = sandbox.add('invoice', { ...fields, collection_method: 'charge_automatically' });
  await sandbox.clock.advance('60 days');
  expect(sandbox.get('invoice', id)).toMatchObject({ status: 'open', attempt_count: 1 });
  expect(types()).not.toContain('invoice.paid');
});
