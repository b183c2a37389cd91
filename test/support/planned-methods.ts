import type { PaymentsClient } from 'payments-client';

/** What each method that moves money returns, by the field `object`. */
export const resultKinds = {
  'checkoutSessions.create': 'checkout_session',
  'checkoutSessions.refund': 'refund',
  'creditNotes.create': 'credit_note',
  'invoices.updatePaymentMethod': 'invoice',
  'paymentIntents.capture': 'payment_intent',
  'paymentIntents.confirm': 'payment_intent',
  'paymentIntents.create': 'payment_intent',
  'paymentIntents.refund': 'refund',
  'paymentIntents.retryWithNewPaymentMethod': 'payment_intent',
  'refunds.create': 'refund',
  'refunds.retry': 'refund',
  'subscriptions.create': 'subscription',
  'subscriptions.update': 'subscription',
} as const;

/** Returns the names of the methods that a journal can plan, sorted. */
export function plannedMethods({ journal }: PaymentsClient): readonly string[] {
  const names = Object.entries(journal.plan()).flatMap(([name, calls]) =>
    Object.keys(calls).map((method) => `${name}.${method}`),
  );
  return names.toSorted();
}
