/**
 * The calls whose requests and responses are the examples of `openapi.json`: every method of the client at least once,
 * and each kind of error.
 */

import type { PaymentsClient } from '../../../src/client.ts';
import { ApiError } from '../../../src/http/api-errors.ts';
import type { Sandbox } from '../../../src/sandbox/index.ts';

export interface Setup {
  readonly sandbox: Sandbox;
  readonly payments: PaymentsClient;
  /** Sends a request that the client refuses to send. */
  readonly send: (request: Request) => Promise<Response>;
}

const onePerPage = { limit: 1 };
const sale = { amount: 1200, currency: 'usd' };

/** Awaits a call that the service rejects. */
async function expectError(call: PromiseLike<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ApiError) return;
    throw error;
  }
  throw new Error('Expected an ApiError, got a success.');
}

async function checkout({ sandbox, payments }: Setup): Promise<void> {
  const { checkoutSessions } = payments;
  const params = {
    mode: 'payment' as const,
    line_items: [{ name: 'Tea', amount: 1200, currency: 'usd', quantity: 1 }],
    success_url: 'https://shop.example/thanks',
    cancel_url: 'https://shop.example/cart',
  };
  const session = await checkoutSessions.create(params, { operationId: 'order-1042' });
  sandbox.pay(session.id);
  await checkoutSessions.retrieve(session.id);
  await checkoutSessions.expand(session.id);
  await checkoutSessions.refund(session.id, { amount: 500 }, { operationId: 'return-77' });
  const abandoned = await checkoutSessions.create(params, { operationId: 'order-1043' });
  await checkoutSessions.expire(abandoned.id);
  await checkoutSessions.list(onePerPage);
}

async function pay({ payments }: Setup): Promise<void> {
  const { paymentIntents, charges } = payments;
  const held = { ...sale, capture_method: 'manual' as const, metadata: { order: '1044' } };
  const intent = await paymentIntents.create(held, { operationId: 'order-1044' });
  const card = { payment_method: 'pm_card_visa' };
  await paymentIntents.confirm(intent.id, card, { operationId: 'order-1044' });
  await paymentIntents.capture(intent.id, { amount: 1000 }, { operationId: 'order-1044' });
  const paid = await paymentIntents.retrieve(intent.id);
  await paymentIntents.refund(intent.id, { amount: 400, reason: 'damaged' }, { operationId: 'return-78' });
  await charges.retrieve(paid.latest_charge_id ?? '');
  await charges.list(onePerPage);
  const unwanted = await paymentIntents.create(sale, { operationId: 'order-1045' });
  await paymentIntents.cancel(unwanted.id);
}

async function payWithAnotherCard({ payments }: Setup): Promise<void> {
  const { paymentIntents } = payments;
  const intent = await paymentIntents.create(sale, { operationId: 'order-1046' });
  const bad = { payment_method: 'pm_card_declined' };
  await expectError(paymentIntents.confirm(intent.id, bad, { operationId: 'order-1046' }));
  const good = { payment_method: 'pm_card_visa' };
  await paymentIntents.retryWithNewPaymentMethod(intent.id, good, { operationId: 'order-1046-retry' });
  await paymentIntents.list(onePerPage);
}

async function refund({ sandbox, payments }: Setup): Promise<void> {
  const { paymentIntents, refunds } = payments;
  const { id } = await paymentIntents.create(sale, { operationId: 'order-1047' });
  const { latest_charge_id } = sandbox.pay(id);
  const partial = { payment_intent_id: id, amount: 500 };
  const first = await refunds.create(partial, { operationId: 'return-79' });
  await refunds.retrieve(first.id);
  const second = await refunds.create({ charge_id: latest_charge_id ?? '' }, { operationId: 'return-80' });
  sandbox.update('refund', second.id, { status: 'failed', failure_message: 'already_refunded' });
  await refunds.retry(second.id, { operationId: 'return-80' });
  await refunds.list(onePerPage);
}

async function changeCustomer({ payments: { customers } }: Setup): Promise<void> {
  const { id } = await customers.create({
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'ada@shop.example',
    metadata: { tier: 'gold' },
  });
  await customers.update(id, { phone: '+15550100' });
  await customers.retrieve(id);
  await customers.delete(id);
  await customers.restore(id);
  await customers.list(onePerPage);
}

async function sell({ payments: { products, prices } }: Setup): Promise<string> {
  const product = await products.create({ name: 'Tea of the month' });
  await products.update(product.id, { active: true });
  await products.retrieve(product.id);
  const terms = { product: product.id, unit_amount: 1200, currency: 'usd' };
  const price = await prices.create(terms);
  await prices.update(price.id, { nickname: 'monthly' });
  await prices.retrieve(price.id);
  const other = await prices.create({ ...terms, unit_amount: 1000 });
  await prices.list(onePerPage);
  await prices.delete(other.id);
  const old = await products.create({ name: 'Coffee' });
  await products.list(onePerPage);
  await products.delete(old.id);
  return price.id;
}

async function bill({ sandbox, payments }: Setup, price: string): Promise<void> {
  const { customers, subscriptions, invoices, creditNotes } = payments;
  const { id: customer } = await customers.create({ first_name: 'Grace', last_name: 'Hopper' });
  const params = { customer, items: [{ price, quantity: 1 }] };
  const subscription = await subscriptions.create(params, { operationId: 'subscribe-12' });
  const atEnd = { cancel_at_period_end: true };
  await subscriptions.update(subscription.id, atEnd, { operationId: 'subscribe-12-end' });
  await subscriptions.retrieve(subscription.id);
  await subscriptions.list(onePerPage);
  await subscriptions.cancel(subscription.id);
  const invoice = sandbox.add('invoice', { customer });
  const card = { payment_method: 'pm_card_visa' };
  await invoices.updatePaymentMethod(invoice.id, card, { operationId: 'invoice-5' });
  await invoices.retrieve(invoice.id);
  await invoices.list(onePerPage);
  const lines = [{ description: 'Broken on arrival', amount: 300 }];
  const reason = 'product_unsatisfactory';
  const note = await creditNotes.create({ invoice: invoice.id, lines, reason }, { operationId: 'credit-5' });
  await creditNotes.retrieve(note.id);
  await creditNotes.list(onePerPage);
  await creditNotes.void(note.id);
}

async function sellInPerson({ sandbox, payments }: Setup): Promise<void> {
  const { terminals, terminalBatches, paymentMethods, settlementProfiles } = payments;
  const terminal = await terminals.create({ label: 'Bar' });
  await terminals.update(terminal.id, { label: 'Bar, left' });
  await terminals.retrieve(terminal.id);
  await terminals.list(onePerPage);
  await terminals.delete(terminal.id);
  for (const { id } of sandbox.settle()) await terminalBatches.retrieve(id);
  await terminalBatches.list(onePerPage);
  await settlementProfiles.retrieve(sandbox.add('settlement_profile', {}).id);
  await settlementProfiles.list(onePerPage);
  const method = await paymentMethods.create({ type: 'card' });
  await paymentMethods.update(method.id, { metadata: { label: 'office' } });
  await paymentMethods.retrieve(method.id);
  await paymentMethods.list(onePerPage);
  await paymentMethods.delete(method.id);
}

async function administer({ sandbox, payments }: Setup): Promise<void> {
  const { apiKeys, webhookEndpoints, accounts, connections, accountLinks } = payments;
  const key = await apiKeys.create({ name: 'Nightly jobs' });
  await apiKeys.retrieve(key.id);
  await apiKeys.list();
  await apiKeys.delete(key.id);
  const endpoint = await webhookEndpoints.create({ url: 'http://localhost:3000/webhooks' });
  await webhookEndpoints.update(endpoint.id, { enabled_events: ['refund.failed'] });
  await webhookEndpoints.retrieve(endpoint.id);
  await webhookEndpoints.list();
  await webhookEndpoints.delete(endpoint.id);
  await accounts.retrieve(sandbox.add('account', {}).id);
  await accounts.list(onePerPage);
  await connections.retrieve(sandbox.add('connection', {}).id);
  await connections.list(onePerPage);
  const link = await accountLinks.create({ external_reference: 'merchant-7' });
  await accountLinks.retrieve(link.id);
  await accountLinks.list(onePerPage);
}

async function callFormEndpoint({ sandbox, payments: { transact } }: Setup): Promise<void> {
  const buyer = {
    email: 'ada@shop.example',
    address1: '12 Main Street',
    zip: '90210',
    ipaddress: '192.0.2.7',
  };
  const card = { ccnumber: '4111111111111111', ccexp: '1230', cvv: '123' };
  const payment_token = await sandbox.tokenize(card);
  await transact.sale({ amount: '12.00', payment_token, orderid: 'order-1048', ...buyer });
  const { transactionid } = await transact.sale({ amount: '12.00', ...card, ...buyer });
  await transact.refund({ transactionid, amount: '5.00' });
}

async function receiveErrors({ sandbox, payments }: Setup): Promise<void> {
  const { paymentIntents, refunds, products } = payments;
  const { id } = await paymentIntents.create(sale, { operationId: 'order-1050' });
  await expectError(paymentIntents.capture(id, {}, { operationId: 'order-1050' }));
  await expectError(refunds.create({ payment_intent_id: id }, { operationId: 'return-81' }));
  await expectError(refunds.retrieve('rf_unknown'));
  await expectError(products.list({ starting_after: 'prod_unknown' }));
  sandbox.faults.inject({ kind: 'rate_limit' });
  await expectError(products.list());
}

async function misuseKeys({ sandbox, payments: { paymentIntents }, send }: Setup): Promise<void> {
  const same = { idempotencyKey: 'order-1051' };
  const { id } = await paymentIntents.create(sale, same);
  await expectError(paymentIntents.create({ ...sale, amount: 1300 }, same));
  await expectError(paymentIntents.confirm(id, {}, same));
  sandbox.faults.inject({ kind: 'idempotency_error', code: 'IDEMPOTENCY_STORE_UNAVAILABLE' });
  await expectError(paymentIntents.create(sale, { operationId: 'order-1052' }));
  const hold = sandbox.faults.inject({ kind: 'hold' });
  const first = paymentIntents.create(sale, { operationId: 'order-1053' }).then((intent) => intent.id);
  await hold.reached;
  await expectError(paymentIntents.create(sale, { operationId: 'order-1053' }));
  hold.release();
  await first;
  const headers = { authorization: `Bearer ${sandbox.secretKey}`, 'idempotency-key': 'k'.repeat(256) };
  await send(new Request(`${sandbox.url}/v1/customers`, { method: 'POST', headers }));
  await send(new Request(`${sandbox.url}/v1/customers`));
}

export async function makeCalls(setup: Setup): Promise<void> {
  await checkout(setup);
  await pay(setup);
  await payWithAnotherCard(setup);
  await refund(setup);
  await changeCustomer(setup);
  const price = await sell(setup);
  await bill(setup, price);
  await sellInPerson(setup);
  await administer(setup);
  await callFormEndpoint(setup);
  await receiveErrors(setup);
  await misuseKeys(setup);
}
