import { describe, expect, test } from 'vitest';
import { PaymentsClient } from '../../src/index.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { connectEventTypes, eventCatalog, type WebhookEventType } from '../../src/webhooks/index.ts';
import { withEndpoint } from './webhooks/support.ts';

function isType(type: string): type is WebhookEventType & keyof typeof eventCatalog {
  return Object.hasOwn(eventCatalog, type);
}

const catalog = Object.keys(eventCatalog).filter(isType);

test('the catalog has 29 types', () => expect(catalog).toHaveLength(29));

describe.each(catalog)('%s', (type) => {
  test('happens: its object is in its new state, and the event is delivered', async () => {
    const { sandbox, received } = withEndpoint();
    const event = sandbox.trigger(type);
    expect(event.type).toBe(type);
    expect(event.operations).toEqual(eventCatalog[type].operations);
    const { object } = event.data;
    expect(sandbox.get(eventCatalog[type].object, object.id)).toEqual(object);
    expect(sandbox.events.filter(({ id }) => id === event.id)).toEqual([event]);
    await sandbox.clock.advance('5 s');
    expect(received.filter(({ id }) => id === event.id)).toEqual([event]);
  });

  test('is about an object with the fields that were asked for', () => {
    const sandbox = createSandbox({ startsAt: 0 });
    const event = sandbox.trigger(type, { metadata: { order: '1042' } });
    expect(event.data.object).toMatchObject({ metadata: { order: '1042' } });
  });
});

test.each(connectEventTypes)('%s happens, with its version', async (type) => {
  const { sandbox, received } = withEndpoint();
  const event = sandbox.trigger(type);
  expect(event.data.object.version).toBe(type === 'connection.activated' ? 2 : 1);
  expect(event.data.object.version_scope).toBe(type.split('.')[0]);
  await sandbox.settled();
  expect(received).toEqual([event]);
});

test.each([
  ['in the envelope', false],
  ['bare', true],
])('a chargeback is told of %s', async (_, bare) => {
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

test('the objects that a move needs are there, and their sums agree', () => {
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

test('an object that exists makes the move, once', async () => {
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
      /could not be made to happen: .*its status is 'succeeded'/,
    );
  }
  expect(() => sandbox.trigger('payment_intent.created', { id })).toThrow(/taken/);
  expect(sandbox.events).toHaveLength(count);
});

test('what a move sets otherwise cannot be chosen, and nothing has happened then', () => {
  const sandbox = createSandbox();
  expect(() => sandbox.trigger('payment_intent.succeeded', { status: 'canceled' })).toThrow(
    /its status is "succeeded" after the move, and cannot be chosen/,
  );
  expect(() => sandbox.trigger('refund.created', { amount: 1.5 })).toThrow(/amount/);
  expect(sandbox.events).toEqual([]);
});

test('a type that does not exist is refused by name', () => {
  const type: string = 'refund.exploded';
  const trigger = (name: string) => createSandbox().trigger(name as WebhookEventType);
  expect(() => trigger(type)).toThrow(/expected one of .*refund\.failed.*; got 'refund\.exploded'/);
});
