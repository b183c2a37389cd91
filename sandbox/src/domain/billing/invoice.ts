import type { Id, Invoice, PaymentIntent, Subscription } from 'payments-client';
import { defaults } from '../object-defaults.ts';
import { chargeIntent, declineIntent, isDeclined, type Occasion } from '../payments/charge-intent.ts';
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

const day = 24 * 60 * 60;

type PaymentMethodId = Id<'payment_method'>;

function addIntent(state: State, { amount_remaining, currency, customer }: Invoice): PaymentIntent {
  const intent = { ...defaults.payment_intent(state), amount: amount_remaining, currency, customer };
  return state.objects.payment_intent.add(intent);
}

/**
 * Returns the invoice after a collection attempt. Only automatic collection sets the payment method, and the next attempt is set
 * only while one is scheduled.
 */
function attempted(state: State, invoice: Invoice, paymentMethod: PaymentMethodId | null): Invoice {
  const { next_payment_attempt_at: _, ...rest } = invoice;
  const isAutomatic = invoice.collection_method === 'charge_automatically';
  return {
    ...rest,
    attempt_count: invoice.attempt_count + 1,
    updated_at: state.clock.seconds(),
    ...(isAutomatic && paymentMethod !== null && { collection_payment_method_id: paymentMethod }),
  };
}

/** Returns the invoice after an intent has paid the rest of it. */
export function asPaid(state: State, invoice: Invoice, intent: PaymentIntent): Invoice {
  const rest = attempted(state, invoice, intent.payment_method);
  const paid = {
    ...rest,
    status: 'paid',
    amount_paid: invoice.amount_paid + intent.amount,
    amount_remaining: 0,
    paid_at: rest.updated_at,
    payment_intent: intent.id,
  };
  // An intent that succeeded has the payment method that paid, which the compiler does not know.
  return paid as Invoice;
}

/** Returns the invoice after a decline. It has no next attempt after the last one of the schedule. */
function declined(state: State, invoice: Invoice, paymentMethod: PaymentMethodId, byClock: boolean): Invoice {
  const after = attempted(state, invoice, paymentMethod);
  const days = state.settings.dunning[invoice.attempt_count] ?? (byClock ? undefined : 1);
  if (days === undefined) return { ...after, status: 'uncollectible' };
  return { ...after, next_payment_attempt_at: after.updated_at + days * day };
}

function replace(state: State, before: Invoice, after: Invoice): Invoice {
  state.objects.invoice.replace(after);
  updateSubscriptionStatus(state, before, after);
  return after;
}

interface Collected {
  /** Whether the issuer approved. */
  readonly paid: boolean;
  readonly invoice: Invoice;
  readonly intent: PaymentIntent;
}

/** Attempts to collect the rest of an invoice. */
export function collect(
  state: State,
  invoice: Invoice,
  paymentMethod: PaymentMethodId,
  occasion: Occasion = 'buyer',
): Collected {
  const intent = addIntent(state, invoice);
  if (isDeclined(paymentMethod, occasion)) {
    const failed = declineIntent(state, intent, paymentMethod);
    // The buyer's own attempt is not part of the schedule, so it does not end it.
    const after = declined(state, invoice, paymentMethod, occasion !== 'buyer');
    return { paid: false, invoice: replace(state, invoice, after), intent: failed };
  }
  const paid = chargeIntent(state, intent, paymentMethod);
  return { paid: true, invoice: replace(state, invoice, asPaid(state, invoice, paid)), intent: paid };
}

/**
 * Returns when an invoice is collected, in milliseconds: first when it is final, then by the dunning schedule. An
 * invoice without a payment method waits for one.
 */
export function invoiceDueAt(invoice: Invoice): number | undefined {
  if (invoice.status !== 'open' || invoice.collection_method !== 'charge_automatically') return undefined;
  if (typeof invoice.collection_payment_method_id !== 'string') return undefined;
  const first = invoice.attempt_count === 0 ? invoice.finalized_at : undefined;
  const seconds = invoice.next_payment_attempt_at ?? first;
  return seconds === undefined ? undefined : seconds * 1000;
}

export function collectDueInvoice(state: State, invoice: Invoice): void {
  const method = invoice.collection_payment_method_id;
  if (typeof method !== 'string') return;
  const isRenewal = state.objects.subscription_invoice.get(invoice.id)?.renewal === true;
  collect(state, invoice, method, isRenewal ? 'renewal' : 'first');
}
