import type { SandboxObjects } from 'payments-client-sandbox';
import { expect, test } from 'vitest';
import { parse } from '../../../../test/support/parse.ts';
import { read, refusal, start } from '../../../../test/support/sandbox-requests.ts';

const second = 1_767_225_600; // 2026-01-01T00:00:00Z

async function withInvoice(fields: Partial<SandboxObjects['invoice']> = {}) {
  const service = start();
  const invoice = service.sandbox.add('invoice', fields);
  await service.sandbox.clock.advance(5_000);
  const path = `/v1/invoices/${invoice.id}`;
  const payWith = (payment_method: unknown) =>
    service.request(`${path}/update_payment_method`, { body: { payment_method } });
  const now = async () => parse('invoice', await read(await service.request(path)));
  return { ...service, invoice, payWith, now };
}

test('a new payment method is charged at once', async () => {
  const { invoice, payWith, now, request } = await withInvoice({
    total: 1500,
    amount_paid: 600,
    amount_remaining: 900,
    attempt_count: 2,
    next_payment_attempt_at: second + 60,
  });
  const paid = parse('invoice', await read(await payWith('pm_new')));
  const { next_payment_attempt_at: _, ...rest } = invoice;
  expect(paid).toEqual({
    ...rest,
    status: 'paid',
    amount_paid: 1500,
    amount_remaining: 0,
    attempt_count: 3,
    collection_payment_method_id: 'pm_new',
    paid_at: second + 5,
    updated_at: second + 5,
    payment_intent: expect.stringMatching(/^pi_/),
  });
  expect(await now()).toEqual(paid);
  const intent = parse(
    'payment_intent',
    await read(await request(`/v1/payment_intents/${paid.payment_intent}`)),
  );
  expect(intent).toMatchObject({ status: 'succeeded', amount: 900, customer: invoice.customer });
  const charge = parse('charge', await read(await request(`/v1/charges/${intent.latest_charge_id}`)));
  expect(charge).toMatchObject({ amount: 900, payment_method: 'pm_new', status: 'succeeded' });
});

test('a declined new payment method leaves the invoice open, with a next attempt', async () => {
  const { invoice, payWith, now, request } = await withInvoice();
  expect(await refusal(await payWith('pm_card_declined'))).toEqual([402, 'CARD_DECLINED']);
  expect(await now()).toEqual({
    ...invoice,
    collection_payment_method_id: 'pm_card_declined',
    attempt_count: 1,
    next_payment_attempt_at: second + 5 + 86_400,
    updated_at: second + 5,
  });
  expect(await read(await request('/v1/charges'))).toMatchObject({ data: [{ status: 'failed' }] });
  expect(await read(await payWith('pm_good'))).toMatchObject({ status: 'paid', attempt_count: 2 });
});

test.each(['pm_new', 'pm_card_declined'])(
  'a sent invoice does not store the payment method %s',
  async (paymentMethod) => {
    const { payWith, now } = await withInvoice({ collection_method: 'send_invoice' });
    await payWith(paymentMethod);
    expect(await now()).toMatchObject({ attempt_count: 1 });
    expect(await now()).not.toHaveProperty('collection_payment_method_id');
  },
);

test('invoices and credit notes are numbered separately', () => {
  const { sandbox } = start();
  expect([sandbox.add('invoice').number, sandbox.add('invoice').number]).toEqual([
    'INV-000001',
    'INV-000002',
  ]);
  expect(sandbox.add('credit_note').number).toBe('CN-000001');
});
