import type {
  Charge,
  CheckoutSession,
  CreditNote,
  Invoice,
  PaymentIntent,
  Refund,
  Subscription,
  TerminalBatch,
} from 'payments-client';
import { expectTypeOf, test } from 'vitest';

/** The words that a type names, without the rest of an open enumeration. */
type Named<Word> = Word extends unknown ? (string extends Word ? never : Word) : never;

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

test('a status that the service adds later compiles', () => {
  expectTypeOf<string>().toExtend<CheckoutSession['status']>();
  expectTypeOf<string>().toExtend<CheckoutSession['payment_status']>();
  expectTypeOf<string>().toExtend<PaymentIntent['status']>();
  expectTypeOf<string>().toExtend<Charge['status']>();
  expectTypeOf<string>().toExtend<Refund['status']>();
  expectTypeOf<string>().toExtend<Invoice['status']>();
  expectTypeOf<string>().toExtend<Subscription['status']>();
  expectTypeOf<string>().toExtend<CreditNote['status']>();
  expectTypeOf<string>().toExtend<TerminalBatch['status']>();
  expectTypeOf<string>().toExtend<TerminalBatch['reconciliation_status']>();
});
