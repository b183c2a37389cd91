import { ResponseValidationError, unlisted } from 'payments-client';
import { make } from 'payments-client-sandbox/testing';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../support/failure.ts';
import { useScriptedService } from '../../support/scripted-service.ts';

const service = useScriptedService();
const { createClient } = service;
const json = (body: unknown, init?: ResponseInit) => Response.json(body, init);

const automatic = make('invoice', {
  status: 'paid',
  collection_method: 'charge_automatically',
  collection_payment_method_id: 'pm_1',
});

describe('a field that a state requires', () => {
  it.each([
    ['checkoutSessions', make('checkout_session', { payment_status: 'paid' }), 'payment_intent_id', null],
    ['paymentIntents', make('payment_intent', { status: 'succeeded' }), 'latest_charge_id', null],
    ['refunds', make('refund', { status: 'failed' }), 'failure_message', null],
    ['charges', make('charge', { settled_at: 1, settlement_batch_id: 'tmb_1' }), 'settlement_batch_id', null],
    ['invoices', make('invoice', { status: 'paid' }), 'payment_intent', undefined],
    ['invoices', automatic, 'collection_payment_method_id', undefined],
    ['subscriptions', make('subscription', { status: 'canceled' }), 'ended_at', undefined],
    ['creditNotes', make('credit_note', { status: 'void' }), 'voided_at', null],
  ] as const)(
    'is present in the result of %s.retrieve, or reported as missing',
    async (collection, object, field, lack) => {
      service.answers(json(object), json({ ...object, [field]: lack }));
      const id: string = object.id;
      const { [collection]: objects } = createClient();
      expect(await objects.retrieve(id)).toEqual(object);
      const error = await failureOf(objects.retrieve(id), ResponseValidationError);
      expect(error.issues).toEqual([
        {
          path: field,
          expected: expect.stringMatching(
            /^a value, since \w+ is (?:'\w+'|set)(?: and collection_method is '\w+')?$/,
          ),
          received: lack === null ? 'null' : 'nothing',
        },
      ]);
    },
  );

  it('may be missing in every other state, also in one that this version does not know', async () => {
    const intent = make('payment_intent', { status: unlisted('requires_review') });
    service.answers(json(intent));
    const { status, latest_charge_id } = await createClient().paymentIntents.retrieve(intent.id);
    expect([status === unlisted('requires_review'), latest_charge_id]).toEqual([true, null]);
  });
});
