/** What hooks and the logger are told of a call as a whole: how it ended, and the ids by which it is found. */

import {
  ApiError,
  type EndEvent,
  type ErrorEvent,
  type PaymentsClient,
  type PaymentsClientOptions,
} from 'payments-client';
import { beforeEach, describe, expect, it } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { customer, refund, refundParams, saleParams } from '../../support/fixtures.ts';
import { createClient, skipBackOff } from '../../support/mock-service.ts';
import { validObject } from '../../support/sample-objects.ts';
import { everyForm, forms } from '../forms.ts';

beforeEach(skipBackOff);

const by = { operationId: 'order-1' };
const card = '4111111111111111';

type Call = (payments: PaymentsClient) => PromiseLike<unknown>;

/** Makes a call whose every request gets one response, and returns its last events. */
async function eventsOf(status: number, body: unknown, call: Call, options: PaymentsClientOptions = {}) {
  const ends: EndEvent[] = [];
  const errors: ErrorEvent[] = [];
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const payments = createClient({
    fetch: async () => new Response(text, { status }),
    hooks: { end: (event) => ends.push(event), error: (event) => errors.push(event) },
    ...options,
  });
  await Promise.resolve(call(payments)).catch(() => {});
  return { ends, errors };
}

const intent = (status: string) => ({ ...validObject('payment_intent'), status, latest_charge_id: 'ch_1' });
const confirm: Call = (p) => p.paymentIntents.confirm('pi_1', {}, by);
const retry: Call = (p) => p.paymentIntents.retryWithNewPaymentMethod('pi_1', { payment_method: 'pm_2' }, by);
const sale: Call = (p) => p.transact.sale(saleParams);
const strict: Call = (p) => p.transact.sale(saleParams, { throwOnDecline: true });

describe('the outcome of a call', () => {
  it.each<[outcome: string, what: string, status: number, body: unknown, call: Call]>([
    ['ok', 'a paid intent', 200, intent('succeeded'), confirm],
    ['declined', 'an intent without a payment method', 200, intent('requires_payment_method'), confirm],
    ['declined', 'such an intent after a second card', 200, intent('requires_payment_method'), retry],
    ['declined', 'a 402 with a code', 402, { code: 'card_declined' }, confirm],
    ['unknown', 'a 402 without one', 402, {}, confirm],
    [
      'ok',
      'a new intent, which nobody has paid',
      200,
      intent('requires_payment_method'),
      (p) => p.paymentIntents.create({ amount: 1200, currency: 'usd' }, by),
    ],
    ['ok', 'an object without a status', 200, customer, (p) => p.customers.retrieve('cus_1')],
    ['ok', 'an approved sale', 200, 'response=1&transactionid=7', sale],
    ['declined', 'a declined sale', 200, 'response=2', sale],
    ['declined', 'a declined sale that throws', 200, 'response=2', strict],
    ['not_executed', 'a sale that was not processed', 200, 'response=3', sale],
    ['not_executed', 'a sale that was not processed and throws', 200, 'response=3', strict],
    ['not_executed', 'a 400', 400, {}, confirm],
    ['unknown', 'a 500', 500, {}, confirm],
    ['executed', 'a body that does not fit', 200, { id: 7 }, confirm],
    ['not_an_operation', 'a read that fails', 404, {}, (p) => p.refunds.retrieve('rf_1')],
  ])('is %s for %s', async (outcome, _what, status, body, call) => {
    const { ends } = await eventsOf(status, body, call, { maxRetries: 0 });
    expect(ends.map((end) => end.outcome)).toEqual([outcome]);
  });

  it('is dropped for a retrieval that nobody waits for', async () => {
    const ends: EndEvent[] = [];
    const answers = [200, 500].values();
    const payments = createClient({
      maxRetries: 0,
      hooks: { end: (event) => ends.push(event) },
      fetch: async () =>
        Response.json(refund, {
          status: answers.next().value ?? 500,
          headers: { 'idempotent-replayed': 'true' },
        }),
    });
    await payments.refunds.create(refundParams, by);
    expect(ends.map(({ operation, outcome, error }) => [operation, outcome, error])).toEqual([
      ['refunds.create', 'ok', undefined],
      ['refunds.retrieve', 'dropped', undefined],
    ]);
  });

  it('survives what validation: off lets through', async () => {
    for (const body of ['null', '7', '[]', '"text"', '{}']) {
      const { ends } = await eventsOf(200, body, confirm, { validation: 'off' });
      expect(ends).toMatchObject([{ outcome: 'ok', objectId: undefined }]);
    }
  });
});

describe('the ids of a call', () => {
  it.each(everyForm)('are in the end of %s', async (_name, form) => {
    const { ends } = await eventsOf(200, form.result, form.call);
    const { id, transactionid = id }: { id?: string; transactionid?: string } = form.result;
    const hasObject = !form.operation.includes(' ');
    const operationId = form.movesMoney && form !== forms['a sale'] ? 'order-1' : undefined;
    expect(ends).toMatchObject([
      { operationId, idempotencyKey: form.idempotencyKey, objectId: hasObject ? transactionid : undefined },
    ]);
  });

  it.each([
    card,
    `order-${card}`,
    'sk_v1_test_unit0001',
    'order of ada@example.com',
    'Bestellung\n7',
    'x'.repeat(129),
  ])('hold no secret and no person: %j', async (operationId) => {
    const call: Call = (p) => p.refunds.create(refundParams, { operationId });
    const { ends, errors } = await eventsOf(400, {}, call);
    for (const events of [ends, errors]) expect(events).toMatchObject([{ operationId: undefined }]);
    expect(ends).toMatchObject([{ idempotencyKey: undefined }]);
    const { ends: returned } = await eventsOf(200, `response=1&transactionid=${card}`, sale);
    expect(returned).toMatchObject([{ objectId: undefined }]);
  });
});

it.each(everyForm)('a failure of %s is one line at the level info, with its ids', async (_name, form) => {
  const lines: [level: string, message: string, fields: Record<string, unknown>][] = [];
  const write = (level: string) => (message: string, fields: Record<string, unknown>) =>
    lines.push([level, message, fields]);
  const logger = { info: write('info'), warn: write('warn'), error: write('error') };
  const payments = createClient({ logger, fetch: async () => new Response('', { status: 503 }) });
  const { message, callId, outcome } = await failureOf(form.call(payments), ApiError);
  const operationId = form.movesMoney && form !== forms['a sale'] ? 'order-1' : undefined;
  const error = { outcome, attempts: form.isRepeatable ? 3 : 1 };
  expect(lines).toMatchObject([['error', message, { callId, operationId, error }]]);
});
