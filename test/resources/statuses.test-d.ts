import type {
  Charge,
  CheckoutSession,
  CreditNote,
  Id,
  Invoice,
  PaymentIntent,
  Refund,
  Subscription,
  TerminalBatch,
  UnlistedValue,
} from 'payments-client';
import { unlisted } from 'payments-client';
import { expectTypeOf, test } from 'vitest';

/** The values that a type lists, without the open rest of the enumeration. */
type Listed<Value> = Exclude<Value, UnlistedValue>;

test('a status type lists every known status', () => {
  expectTypeOf<Listed<CheckoutSession['status']>>().toEqualTypeOf<'open' | 'complete' | 'expired'>();
  expectTypeOf<Listed<CheckoutSession['payment_status']>>().toEqualTypeOf<'unpaid' | 'paid'>();
  expectTypeOf<Listed<PaymentIntent['status']>>().toEqualTypeOf<
    'requires_payment_method' | 'requires_action' | 'requires_capture' | 'succeeded' | 'canceled'
  >();
  expectTypeOf<Listed<Charge['status']>>().toEqualTypeOf<'succeeded' | 'failed'>();
  expectTypeOf<Listed<Refund['status']>>().toEqualTypeOf<'pending' | 'succeeded' | 'failed'>();
  expectTypeOf<Listed<Invoice['status']>>().toEqualTypeOf<'open' | 'paid' | 'uncollectible'>();
  expectTypeOf<Listed<Subscription['status']>>().toEqualTypeOf<
    'incomplete' | 'active' | 'past_due' | 'canceled' | 'ended'
  >();
  expectTypeOf<Listed<CreditNote['status']>>().toEqualTypeOf<'issued' | 'void'>();
  expectTypeOf<Listed<TerminalBatch['status']>>().toEqualTypeOf<'open' | 'closed'>();
  expectTypeOf<Listed<TerminalBatch['reconciliation_status']>>().toEqualTypeOf<
    'pending' | 'reconciled' | 'incomplete' | 'needs_attention'
  >();
});

test('a status type accepts a status that the service adds later, and is a string', () => {
  expectTypeOf<UnlistedValue>().toExtend<PaymentIntent['status']>();
  expectTypeOf<UnlistedValue>().toExtend<Refund['status']>();
  expectTypeOf<Refund['status']>().toExtend<string>();
  expectTypeOf(unlisted('reversed')).toExtend<Refund['status']>();
});

test('a status narrows which fields are present', () => {
  const intent: PaymentIntent = JSON.parse('{}');
  expectTypeOf(intent.latest_charge_id).toEqualTypeOf<Id<'charge'> | null>();
  if (intent.status === 'succeeded') expectTypeOf(intent.latest_charge_id).toEqualTypeOf<Id<'charge'>>();
  const session: CheckoutSession = JSON.parse('{}');
  if (session.payment_status === 'paid')
    expectTypeOf(session.payment_intent_id).toEqualTypeOf<Id<'payment_intent'>>();
  const refund: Refund = JSON.parse('{}');
  if (refund.status === 'failed')
    expectTypeOf(refund.failure_message).toEqualTypeOf<'already_refunded' | UnlistedValue>();
  const invoice: Invoice = JSON.parse('{}');
  if (invoice.status === 'paid') {
    expectTypeOf(invoice.payment_intent).toEqualTypeOf<Id<'payment_intent'>>();
    expectTypeOf(invoice.paid_at).toBeNumber();
    if (invoice.collection_method === 'charge_automatically')
      expectTypeOf(invoice.collection_payment_method_id).toEqualTypeOf<Id<'payment_method'>>();
  }
  const charge: Charge = JSON.parse('{}');
  expectTypeOf(charge.settlement_batch_id).toEqualTypeOf<Id<'terminal_batch'> | null>();
  if (charge.settled_at !== null)
    expectTypeOf(charge.settlement_batch_id).toEqualTypeOf<Id<'terminal_batch'>>();
  if (refund.settled_at !== null)
    expectTypeOf(refund.settlement_batch_id).toEqualTypeOf<Id<'terminal_batch'>>();
  const subscription: Subscription = JSON.parse('{}');
  if (subscription.status === 'canceled') {
    expectTypeOf(subscription.canceled_at).toBeNumber();
    expectTypeOf(subscription.ended_at).toBeNumber();
  }
  const note: CreditNote = JSON.parse('{}');
  if (note.status === 'void') expectTypeOf(note.voided_at).toBeNumber();
});

test('a switch over a status narrows to the remaining ones', () => {
  const name = ({ status }: Refund): string => {
    switch (status) {
      case 'pending':
      case 'succeeded':
      case 'failed':
        return status;
      default:
        expectTypeOf(status).toEqualTypeOf<UnlistedValue>();
        return status;
    }
  };
  expectTypeOf(name).returns.toBeString();
});
