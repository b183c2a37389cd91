import type {
  Charge,
  CheckoutSession,
  CreditNote,
  Id,
  Invoice,
  PaymentIntent,
  PaymentIntentStatus,
  Refund,
  RefundStatus,
  Subscription,
  TerminalBatch,
  UnlistedValue,
} from 'payments-client';
import { unlisted } from 'payments-client';
import { expectTypeOf, test } from 'vitest';

/** The words that a type names, without the rest of an open enumeration. */
type Named<Word> = Exclude<Word, UnlistedValue>;

test('a status names every known one', () => {
  expectTypeOf<Named<CheckoutSession['status']>>().toEqualTypeOf<'open' | 'complete' | 'expired'>();
  expectTypeOf<Named<CheckoutSession['payment_status']>>().toEqualTypeOf<'unpaid' | 'paid'>();
  expectTypeOf<Named<PaymentIntent['status']>>().toEqualTypeOf<
    'requires_payment_method' | 'requires_action' | 'requires_capture' | 'succeeded' | 'canceled'
  >();
  expectTypeOf<Named<Charge['status']>>().toEqualTypeOf<'succeeded' | 'failed'>();
  expectTypeOf<Named<Refund['status']>>().toEqualTypeOf<'pending' | 'succeeded' | 'failed'>();
  expectTypeOf<Named<Invoice['status']>>().toEqualTypeOf<'open' | 'paid' | 'uncollectible'>();
  expectTypeOf<Named<Subscription['status']>>().toEqualTypeOf<
    'incomplete' | 'active' | 'past_due' | 'canceled' | 'ended'
  >();
  expectTypeOf<Named<CreditNote['status']>>().toEqualTypeOf<'issued' | 'void'>();
  expectTypeOf<Named<TerminalBatch['status']>>().toEqualTypeOf<'open' | 'closed'>();
  expectTypeOf<Named<TerminalBatch['reconciliation_status']>>().toEqualTypeOf<
    'pending' | 'reconciled' | 'incomplete' | 'needs_attention'
  >();
});

test('a status that the service adds later is one of each, and a string', () => {
  expectTypeOf<UnlistedValue>().toExtend<PaymentIntentStatus>();
  expectTypeOf<UnlistedValue>().toExtend<RefundStatus>();
  expectTypeOf<RefundStatus>().toExtend<string>();
  expectTypeOf(unlisted('reversed')).toExtend<RefundStatus>();
});

test('a state says which fields are there', () => {
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
  if (invoice.status === 'paid') expectTypeOf(invoice.payment_intent).toEqualTypeOf<Id<'payment_intent'>>();
  const subscription: Subscription = JSON.parse('{}');
  if (subscription.status === 'canceled') {
    expectTypeOf(subscription.canceled_at).toBeNumber();
    expectTypeOf(subscription.ended_at).toBeNumber();
  }
  const note: CreditNote = JSON.parse('{}');
  if (note.status === 'void') expectTypeOf(note.voided_at).toBeNumber();
});

test('a switch over a status knows what is left', () => {
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
