import type { Invoice } from '../../../resources/invoices.ts';
import type { Subscription } from '../../../resources/subscriptions.ts';
import type { State } from '../state.ts';

/** Returns the new status of a subscription after an invoice; `undefined` for no change. */
function statusAfter(
  { status }: Subscription,
  before: Invoice,
  after: Invoice,
): 'active' | 'past_due' | undefined {
  if (after.status === 'paid') return status === 'incomplete' || status === 'past_due' ? 'active' : undefined;
  const failed = after.attempt_count > before.attempt_count || after.status === 'uncollectible';
  // A subscription that was never paid stays incomplete.
  return failed && status === 'active' ? 'past_due' : undefined;
}

/** Stores the payment method. An invoice without automatic collection does not have it itself. */
function remember({ objects }: State, subscription: Subscription, invoice: Invoice): void {
  const intent = objects.payment_intent.get(invoice.payment_intent ?? '');
  const payment_method = invoice.collection_payment_method_id ?? intent?.payment_method;
  if (invoice.status !== 'paid' || typeof payment_method !== 'string') return;
  objects.mandate.replace({ id: subscription.id, payment_method });
}

/** Updates a subscription's status: active when an invoice is paid, past due when one could not be collected. */
export function updateSubscriptionStatus(state: State, before: Invoice, after: Invoice): void {
  const { subscription: id = '' } = state.objects.subscription_invoice.get(after.id) ?? {};
  const subscription = state.objects.subscription.get(id);
  if (subscription === undefined) return;
  remember(state, subscription, after);
  const status = statusAfter(subscription, before, after);
  if (status === undefined) return;
  state.objects.subscription.replace({ ...subscription, status, updated_at: state.clock.seconds() });
}
