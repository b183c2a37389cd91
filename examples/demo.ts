/**
 * A merchant's first payments, end to end: real HTTP requests to a sandbox on this machine.
 *
 * Each step checks its result. After a wrong result the exit code is 1.
 */

import assert from 'node:assert/strict';
import { ConnectionError, PaymentsClient, PaymentsError, TransactionDeclinedError } from 'payments-client';
import { createSandbox } from 'payments-client-sandbox';

const sandbox = await createSandbox({ onlyShownFields: true }).listen();
const { url: baseUrl, secretKey, securityKey } = sandbox;

/** Creates the client, as a program does when it starts, and again after a crash. */
const startProgram = () => new PaymentsClient({ baseUrl, secretKey, securityKey });

let steps = 0;

function step(title: string): void {
  steps += 1;
  console.log(`\n${steps}. ${title}`);
}

function print(name: string, value: unknown): void {
  console.log(`   ${name.padEnd(17)} ${value}`);
}

async function createCustomer(payments: PaymentsClient): Promise<void> {
  step('Create a customer');
  const customer = await payments.customers.create({ first_name: 'Ada', email: 'ada@example.com' });
  print('customer', customer.id);
  assert.match(customer.id, /^cus_/);
}

async function createCheckout(payments: PaymentsClient): Promise<void> {
  step('Create a checkout session for two cups of tea');
  const { data: session, response } = await payments.checkoutSessions
    .create(
      {
        mode: 'payment',
        line_items: [{ name: 'Tea', amount: 1200, currency: 'usd', quantity: 2 }],
        success_url: 'https://shop.example/thanks',
        cancel_url: 'https://shop.example/cart',
      },
      { operationId: 'order-1042' },
    )
    .withResponse();
  print('session', `${session.id}, ${session.status}, ${session.amount_total} ${session.currency}`);
  print('idempotency key', response.idempotencyKey);
  assert.equal(session.amount_total, 2400);
  assert.equal(session.currency, 'USD');
}

async function createWithLostResponse(payments: PaymentsClient): Promise<void> {
  step('Create a payment intent; the service does it, but its response is lost and the program crashes');
  sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.create' });
  const error = await payments.paymentIntents
    .create({ amount: 2400, currency: 'usd' }, { operationId: 'order-1042', maxRetries: 0 })
    .catch((reason: unknown) => reason);
  assert.ok(error instanceof ConnectionError);
  print('error', `${error.name} (${error.code})`);
  print('outcome', error.outcome);
  print('idempotency key', error.idempotencyKey);
  assert.equal(error.outcome, 'unknown');
}

async function retryAfterCrash(payments: PaymentsClient): Promise<string> {
  step('Started again, the program repeats the call with the same operationId');
  const { data: intent, response } = await payments.paymentIntents
    .create({ amount: 2400, currency: 'usd' }, { operationId: 'order-1042' })
    .withResponse();
  print('intent', `${intent.id}, ${intent.status}`);
  print('idempotency key', response.idempotencyKey);
  print('replayed', response.idempotentReplayed ? 'yes: the original result, no second intent' : 'no');
  assert.equal(response.idempotentReplayed, true);
  const intents = await payments.paymentIntents.list().toArray({ max: 10 });
  print('intents in all', intents.length);
  assert.deepEqual(
    intents.map(({ id }) => id),
    [intent.id],
  );
  return intent.id;
}

async function refund(payments: PaymentsClient, intentId: string): Promise<void> {
  step('The buyer pays; refund half of it, under the same order id');
  sandbox.pay(intentId);
  const params = { payment_intent_id: intentId, amount: 1200, reason: 'one cup too many' };
  const first = await payments.refunds.create(params, { operationId: 'order-1042' }).withResponse();
  print('refund', `${first.data.id}, ${first.data.status}, ${first.data.amount} ${first.data.currency}`);
  print('idempotency key', first.response.idempotencyKey);
  const second = await payments.refunds.create(params, { operationId: 'order-1042' }).withResponse();
  print(
    'called again',
    second.response.idempotentReplayed ? 'replayed, nothing refunded twice' : 'refunded twice!',
  );
  assert.equal(first.data.amount, 1200);
  assert.equal(second.data.id, first.data.id);
  assert.equal(second.response.idempotentReplayed, true);
}

async function listProducts(payments: PaymentsClient): Promise<void> {
  step('List 250 products, 100 at a time');
  for (let number = 1; number <= 250; number += 1) sandbox.add('product', { name: `Tea no. ${number}` });
  const ids = new Set<string>();
  const before = sandbox.requests.length;
  for await (const product of payments.products.list({ limit: 100 })) ids.add(product.id);
  print('products', ids.size);
  print('requests', sandbox.requests.length - before);
  assert.equal(ids.size, 250);
  assert.equal(sandbox.requests.length - before, 3);
}

async function sell(payments: PaymentsClient): Promise<void> {
  step('Charge a card through the form endpoint');
  const buyer = { email: 'ada@example.com', ipaddress: '192.0.2.7', address1: '1 Tea Street', zip: '90210' };
  const result = await payments.transact.sale({ amount: '12.00', payment_token: 'tok_demo', ...buyer });
  print('approved', result.approved);
  print('transaction', result.transactionid);
  print('address check', `${result.avs?.code}: ${result.avs?.meaning}`);
  print('security code', `${result.cvv?.code}: ${result.cvv?.meaning}`);
  print('risk', `${result.risk?.score}, ${result.risk?.level}: ${result.risk?.recommendation}`);
  assert.equal(result.approved, true);
  assert.equal(result.risk?.level, 'low');

  step('A decline is a result, or an error with throwOnDecline');
  const sale = { amount: '0.50', payment_token: 'tok_demo' };
  const declined = await payments.transact.sale(sale);
  print('approved', declined.approved);
  print('response text', declined.responsetext);
  assert.equal(declined.approved, false);
  await assert.rejects(payments.transact.sale(sale, { throwOnDecline: true }), TransactionDeclinedError);
}

async function refuseInvalidInput(payments: PaymentsClient): Promise<void> {
  step('Invalid input is refused before sending');
  const before = sandbox.requests.length;
  const error = await payments.paymentIntents
    .create({ amount: 12.5, currency: 'usd' }, { operationId: 'order-1043' })
    .catch((reason: unknown) => reason);
  assert.ok(error instanceof PaymentsError);
  print('error', error.message);
  assert.equal(sandbox.requests.length, before);
}

async function run(): Promise<void> {
  console.log(`A sandbox of the payment service listens at ${baseUrl}.`);
  const firstRun = startProgram();
  await createCustomer(firstRun);
  await createCheckout(firstRun);
  await createWithLostResponse(firstRun);
  const secondRun = startProgram();
  const intent = await retryAfterCrash(secondRun);
  await refund(secondRun, intent);
  await listProducts(secondRun);
  await sell(secondRun);
  await refuseInvalidInput(secondRun);
  console.log(`\nAll ${steps} steps gave the expected results.`);
}

try {
  await run();
} catch (error) {
  console.error(`\nStep ${steps} gave a wrong result:`, error);
  process.exitCode = 1;
} finally {
  await sandbox.close();
}
