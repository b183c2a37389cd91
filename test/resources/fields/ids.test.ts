/** Reaches inside: the table of prefixes is public only as a type. */

import { type Id, InvalidRequestError, type PaymentIntent, type PaymentsClient } from 'payments-client';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { idPrefixes } from '../../../src/resources/fields/ids.ts';
import wire from '../../interface/tables/wire.json' with { type: 'json' };
import { failureOf } from '../../support/failure.ts';
import { intentParams, refund, refundParams, sessionParams } from '../../support/fixtures.ts';
import { useScriptedService } from '../../support/scripted-service.ts';

const service = useScriptedService();
const { createClient } = service;
const json = (body: unknown, init?: ResponseInit) => Response.json(body, init);
const operation = { operationId: 'order-1' };
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

describe('an id of another kind', () => {
  it.each<[path: string, kind: string, call: (payments: PaymentsClient) => PromiseLike<unknown>]>([
    ['id', 'charge', (p) => p.refunds.retrieve('ch_1')],
    ['id', 'refund', (p) => p.paymentIntents.cancel('rf_1')],
    ['id', 'credit note', (p) => p.customers.delete('cn_1')],
    ['id', 'payment intent', (p) => p.refunds.waitFor('pi_1')],
    ['payment_intent_id', 'charge', (p) => p.refunds.create({ payment_intent_id: 'ch_1' }, operation)],
    ['charge_id', 'payment intent', (p) => p.refunds.create({ charge_id: 'pi_1' }, operation)],
    [
      'customer',
      'payment method',
      (p) => p.paymentIntents.create({ ...intentParams, customer: 'pm_1' }, operation),
    ],
    [
      'payment_method',
      'customer',
      (p) => p.paymentIntents.confirm('pi_1', { payment_method: 'cus_1' }, operation),
    ],
    [
      'customer',
      'merchant',
      (p) => p.checkoutSessions.create({ ...sessionParams, customer: 'mer_1' }, operation),
    ],
    ['invoice', 'invoice line', (p) => p.creditNotes.create({ invoice: 'il_1' }, operation)],
  ])('as %s is refused before sending, and named as the id of a %s', async (path, kind, call) => {
    const error = await failureOf(call(createClient()), InvalidRequestError);
    expect(error.issues[0]?.path).toBe(path);
    expect(error.issues[0]?.received).toContain(`the id of a ${kind}`);
    expect(service.arrivals).toHaveLength(0);
  });

  it("passes only if the client's validation is off", async () => {
    service.answers(json(refund));
    const payments = createClient({ validation: 'off' });
    await payments.refunds.retrieve('ch_1');
    await payments.refunds.create({ charge_id: 'pi_1' }, operation);
    await payments.refunds.waitFor('ch_1', { until: () => true });
    expect(service.arrivals).toHaveLength(3);
    await failureOf(
      createClient({ validation: 'warn', logger: quiet }).refunds.retrieve('ch_1'),
      InvalidRequestError,
    );
    expect(service.arrivals).toHaveLength(3);
  });

  it('is refused only if its prefix is documented', async () => {
    service.answers(json(refund));
    await createClient().refunds.retrieve('legacy_1');
    await createClient().refunds.retrieve('1042');
    expect(service.arrivals).toHaveLength(2);
  });
});

it('an id in a response has its kind and its prefix in the type', () => {
  expectTypeOf<PaymentIntent['id']>().toEqualTypeOf<Id<'payment_intent'>>();
  expectTypeOf<PaymentIntent['latest_charge_id']>().toEqualTypeOf<Id<'charge'> | null>();
  expectTypeOf<Id<'terminal_batch'>>().toExtend<`tmb_${string}`>();
  expect(Object.entries(idPrefixes)).toEqual(wire.idPrefixes.map(({ kind, prefix }) => [kind, prefix]));
  expect(new Set(Object.values(idPrefixes)).size).toBe(19);
});

it('an id that a caller gives is any string', () => {
  const id: string = refundParams.payment_intent_id;
  expectTypeOf(createClient().paymentIntents.retrieve).toBeCallableWith(id);
});
