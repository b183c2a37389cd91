import { PaymentsClient } from 'payments-client';
import type { WebhookEventType } from 'payments-client/webhooks';
import { createSandbox, type Sandbox } from 'payments-client-sandbox';
import { describe, expect, test } from 'vitest';
import { catalogRow, catalogTypes } from '../../../../test/support/event-catalog.ts';
import { clientOf } from '../../../../test/support/sandbox.ts';
import { withEndpoint } from '../../webhooks/support.ts';

describe.each(catalogTypes)('%s', (type) => {
  test("changes its object's state, and delivers the event", async () => {
    const { sandbox, received } = withEndpoint();
    const event = sandbox.trigger(type);
    expect(event.type).toBe(type);
    expect(event.operations).toEqual(catalogRow(type).operations);
    const { object } = event.data;
    expect(sandbox.get(catalogRow(type).object, object.id)).toEqual(object);
    expect(sandbox.events.filter(({ id }) => id === event.id)).toEqual([event]);
    await sandbox.clock.advance('5 s');
    expect(received.filter(({ id }) => id === event.id)).toEqual([event]);
  });

  test('has an object with the given fields', () => {
    const sandbox = createSandbox({ startsAt: 0 });
    const fields = { created: undefined, created_at: undefined, ...sandbox.trigger(type).data.object };
    // A time that no transition sets.
    const asked = fields.created === undefined ? { created_at: 1042 } : { created: 1042 };
    expect(sandbox.trigger(type, asked).data.object).toMatchObject(asked);
  });
});

test.each([
  [{ amount: 'abc' }, /^chargeback\.amount: expected a decimal string/],
  [{ due_date: 'soon' }, /^chargeback\.due_date: expected/],
])('a chargeback with %j is rejected, and nothing has changed', (fields, message) => {
  const sandbox = createSandbox();
  expect(() => sandbox.trigger('chargeback.received', fields)).toThrow(message);
  expect(sandbox.events).toEqual([]);
});

test.each([
  ['in the envelope', false],
  ['bare', true],
])('a chargeback is delivered %s', async (_, bare) => {
  const bodies: unknown[] = [];
  const { sandbox, received } = withEndpoint(async (_event, request) => {
    bodies.push(await request.json());
    return new Response();
  });
  const event = sandbox.trigger('chargeback.received', { amount: '49.99' }, { bare });
  await sandbox.settled();
  expect(bodies).toEqual([bare ? event.data.object : event]);
  expect(received[0]?.data.object).toEqual(event.data.object);
  expect(event.data.object).toMatchObject({ amount: '49.99', reason_code: '10.4' });
});

test('a chargeback is of the named transaction, or of the latest approved one, to be answered within 20 days', async () => {
  const { sandbox } = withEndpoint();
  const { transact } = clientOf(sandbox, { fetch: sandbox.fetch });
  const yen = await transact.sale({ amount: '1200', currency: 'JPY', payment_token: 'tok_1' });
  const latest = await transact.sale({ amount: '7.00', payment_token: 'tok_2' });
  await transact.sale({ amount: '0.50', payment_token: 'tok_3' });
  const due_date = '2026-01-21';
  const first = sandbox.trigger('chargeback.received').data.object;
  expect(first).toMatchObject({ transaction_id: latest.transactionid, amount: '7.00', due_date });
  const { transactionid: transaction_id } = yen;
  const second = sandbox.trigger('chargeback.received', { transaction_id }).data.object;
  expect(second).toMatchObject({ transaction_id, amount: '1200', due_date });
});

test('the prerequisite objects are created, and their sums agree', () => {
  const sandbox = createSandbox();
  const { object: refund } = sandbox.trigger('refund.succeeded', { amount: 500 }).data;
  expect(sandbox.get('charge', refund.charge_id)).toMatchObject({ amount: 500, amount_refunded: 500 });
  expect(sandbox.get('payment_intent', refund.payment_intent_id)).toMatchObject({ status: 'succeeded' });
  const { object: failed } = sandbox.trigger('refund.failed').data;
  expect(failed.failure_message).toBe('already_refunded');
  expect(sandbox.get('charge', failed.charge_id)).toMatchObject({ amount_refunded: 0 });
  const { object: charge } = sandbox.trigger('charge.settled', { amount: 700 }).data;
  expect(charge.amount).toBe(700);
  expect(sandbox.get('terminal_batch', charge.settlement_batch_id ?? '')).toMatchObject({ status: 'closed' });
});

test('an existing object makes the transition once', async () => {
  const sandbox = createSandbox();
  const payments = new PaymentsClient({
    baseUrl: sandbox.url,
    secretKey: sandbox.secretKey,
    fetch: sandbox.fetch,
  });
  const { id } = await payments.paymentIntents.create(
    { amount: 900, currency: 'usd' },
    { operationId: 'order-1' },
  );
  expect(sandbox.trigger('payment_intent.succeeded', { id }).data.object).toMatchObject({ id, amount: 900 });
  expect((await payments.paymentIntents.retrieve(id)).status).toBe('succeeded');
  const count = sandbox.events.length;
  for (const type of ['payment_intent.canceled', 'payment_intent.succeeded'] as const) {
    expect(() => sandbox.trigger(type, { id })).toThrow(
      /could not be triggered: .*its status is 'succeeded'/,
    );
  }
  expect(() => sandbox.trigger('payment_intent.created', { id })).toThrow(/taken/);
  expect(sandbox.events).toHaveLength(count);
});

test('a field that the transition sets is rejected, and nothing has changed', () => {
  const sandbox = createSandbox();
  // @ts-expect-error the event has another status
  expect(() => sandbox.trigger('payment_intent.succeeded', { status: 'canceled' })).toThrow(
    /its status is "succeeded" after the transition, and cannot be chosen/,
  );
  expect(() => sandbox.trigger('refund.created', { amount: 1.5 })).toThrow(/amount/);
  expect(sandbox.events).toEqual([]);
});

test('an existing invoice is paid with its remaining amount', () => {
  const sandbox = createSandbox();
  const { id } = sandbox.add('invoice', { total: 900, amount_remaining: 900 });
  const { object } = sandbox.trigger('invoice.paid', { id }).data;
  expect(object).toMatchObject({ id, status: 'paid', amount_paid: 900, amount_remaining: 0 });
});

test('an authorized intent is captured, not confirmed again', () => {
  const sandbox = createSandbox();
  const { id } = sandbox.add('payment_intent', { status: 'requires_capture', payment_method: 'pm_held' });
  const { object } = sandbox.trigger('payment_intent.succeeded', { id }).data;
  expect(object).toMatchObject({ id, status: 'succeeded', payment_method: 'pm_held' });
});

test('an intent with manual capture is captured', () => {
  const sandbox = createSandbox();
  const { object } = sandbox.trigger('payment_intent.succeeded', { capture_method: 'manual' }).data;
  expect(object.status).toBe('succeeded');
  expect(sandbox.get('charge', object.latest_charge_id ?? '')).toMatchObject({ status: 'succeeded' });
});

test('existing objects continue from their state', () => {
  const sandbox = createSandbox();
  const session = sandbox.add('checkout_session');
  expect(sandbox.trigger('checkout.session.expired', { id: session.id }).data.object.status).toBe('expired');
  const { id } = sandbox.trigger('refund.succeeded').data.object;
  expect(sandbox.trigger('refund.settled', { id }).data.object).toMatchObject({ id, status: 'succeeded' });
  const customer = sandbox.trigger('customer.deleted').data.object;
  const restored = sandbox.trigger('customer.restored', { id: customer.id }).data.object;
  expect(restored).toEqual({ ...customer, deleted: false, updated_at: restored.updated_at });
  const deletions = sandbox.events.filter(({ type }) => type === 'customer.deleted');
  expect(deletions).toHaveLength(1);
});

test('sums follow from the given fields', () => {
  const sandbox = createSandbox();
  expect(sandbox.trigger('invoice.paid', { subtotal: 700, tax: 100 }).data.object).toMatchObject({
    total: 800,
    lines: [{ amount: 700 }],
  });
  expect(sandbox.trigger('credit_note.created', { total: 700, tax: 100 }).data.object.subtotal).toBe(600);
});

test('a credit note for an invoice without lines names none of them', () => {
  const sandbox = createSandbox();
  const { id } = sandbox.add('invoice', { lines: [] });
  const { object } = sandbox.trigger('credit_note.created', { invoice: id }).data;
  expect(object).toMatchObject({ invoice: id, lines: [{ invoice_line_item: null }] });
});

/** Returns all objects, events included. */
function objectsOf(sandbox: Sandbox): unknown {
  return Reflect.get(Object(sandbox.snapshot().state), 'objects');
}

test.each([
  ['invoice.paid', { collection_payment_method_id: 'pm_card_declined' }, /no such event/],
  ['payment_intent.succeeded', { payment_method: 'pm_card_declined' }, /cannot be chosen/],
  ['charge.settled', { payment_method: 'pm_card_declined' }, /that is succeeded; .* is failed/],
  ['customer.updated', { deleted: true }, /no such event/],
] as const)('%s with %j is rejected, and nothing has changed', (type, fields, reason) => {
  const sandbox = createSandbox();
  expect(() => sandbox.trigger<WebhookEventType>(type, fields)).toThrow(reason);
  expect(sandbox.events).toEqual([]);
  expect(objectsOf(sandbox)).toEqual(objectsOf(createSandbox()));
});

test.each(['charge.settled', 'refund.settled'] as const)('%s happens once to the same object', (type) => {
  const sandbox = createSandbox();
  const { object } = sandbox.trigger(type).data;
  const count = sandbox.events.length;
  expect(() => sandbox.trigger(type, { id: object.id })).toThrow(`'${object.id}' is settled already`);
  expect(sandbox.get(object.object, object.id)).toEqual(object);
  expect(sandbox.events).toHaveLength(count);
});

test('a failed refund cannot succeed', () => {
  const sandbox = createSandbox();
  const { id } = sandbox.trigger('refund.failed').data.object;
  expect(() => sandbox.trigger('refund.succeeded', { id })).toThrow(
    `needs a refund that is pending; '${id}' is failed`,
  );
});

test.each([
  ['account.updated', 'account.payment_enabled', 'payments_enabled'],
  ['refund.failed', 'refund.amout', 'amount'],
  ['chargeback.received', 'chargeback.amout', 'amount'],
] as const)('a misspelt field of %s is rejected with the known one', (type, path, meant) => {
  const fields: object = { [path.split('.')[1] ?? '']: 500 };
  const message = new RegExp(`${path}: expected .*, got an unknown .*\\(did you mean '${meant}'\\?\\)`);
  expect(() => createSandbox().trigger(type, fields)).toThrow(message);
});

test('an unknown type is rejected by name', () => {
  const type: string = 'refund.exploded';
  const trigger = (name: string) => createSandbox().trigger(name as WebhookEventType);
  expect(() => trigger(type)).toThrow(
    /^sandbox\.trigger\.type: expected one of .*refund\.failed.*, got a string of 15 characters/,
  );
});

test('payment_intent.created is delivered before requires_action', async () => {
  const { sandbox, received } = withEndpoint();
  sandbox.trigger('payment_intent.requires_action');
  await sandbox.settled();
  const order = ['payment_intent.created', 'payment_intent.requires_action'];
  expect(sandbox.events.map(({ type }) => type)).toEqual(order);
  expect(received.map(({ type }) => type)).toEqual(order);
});

test('an intent cannot be created in a later state', () => {
  const sandbox = createSandbox();
  // @ts-expect-error the event has another status
  expect(() => sandbox.trigger('payment_intent.created', { status: 'requires_action' })).toThrow(
    /its status is "requires_payment_method" after the transition, and cannot be chosen/,
  );
  expect(sandbox.events).toEqual([]);
});
