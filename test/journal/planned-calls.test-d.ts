import { PaymentsClient } from 'payments-client';
import type { PlannedCalls } from 'payments-client/journal';
import pg from 'pg';
import { expectTypeOf, test } from 'vitest';

const { journal } = new PaymentsClient();
const options = { operationId: 'return-77' };

test('only calls that move money can be planned', () => {
  expectTypeOf<keyof PlannedCalls>().toEqualTypeOf<
    'checkoutSessions' | 'paymentIntents' | 'refunds' | 'invoices' | 'subscriptions' | 'creditNotes'
  >();
  expectTypeOf<keyof PlannedCalls['paymentIntents']>().toEqualTypeOf<
    'create' | 'confirm' | 'capture' | 'retryWithNewPaymentMethod' | 'refund'
  >();
  expectTypeOf<keyof PlannedCalls['refunds']>().toEqualTypeOf<'create' | 'retry'>();
  expectTypeOf<keyof PlannedCalls['subscriptions']>().toEqualTypeOf<'create' | 'update'>();
});

test('a planned call accepts the parameters of the call, and returns no result', () => {
  expectTypeOf(journal.plan().refunds.create({ charge_id: 'ch_1' }, options)).toEqualTypeOf<Promise<void>>();
  journal.plan({ client: new pg.Client() }).paymentIntents.capture('pi_1', { amount: 5 }, options);
  // @ts-expect-error no operationId
  journal.plan().refunds.create({ charge_id: 'ch_1' });
  // @ts-expect-error neither a payment intent nor a charge
  journal.plan().refunds.create({}, options);
  // @ts-expect-error no connection
  journal.plan({ client: 'postgres://localhost' });
});
