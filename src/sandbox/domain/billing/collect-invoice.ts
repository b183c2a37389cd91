import type { Id } from '../../../resources/ids.ts';
import type { Invoice } from '../../../resources/invoices.ts';
import type { PaymentIntent } from '../../../resources/payment-intents.ts';
import { defaults } from '../object-defaults.ts';
import { chargeIntent, declineIntent, isDeclined, type Occasion } from '../payments/charge-intent.ts';
import type { State } from '../state.ts';
import { updateSubscriptionStatus } from './subscription-status.ts';

const day = 24 * 60 * 60;

type PaymentMethodId = Id<'payment_method'>;

function addIntent(state: State, { amount_remaining, currency, customer }: Invoice): PaymentIntent {
  const intent = { ...defaults.payment_intent(state), amount: amount_remaining, currency, customer };
  return state.objects.payment_intent.add(intent);
}

/**
 * Returns the invoice after a collection attempt. The payment method is set only with automatic collection, and the
 * next attempt only while one is scheduled.
 */
function attempted(state: State, invoice: Invoice, paymentMethod: PaymentMethodId | null): Invoice {
  const { next_payment_attempt_at: _, collection_payment_method_id: __, ...rest } = invoice;
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
  return {
    ...rest,
    status: 'paid',
    amount_paid: invoice.amount_paid + intent.amount,
    amount_remaining: 0,
    paid_at: rest.updated_at,
    payment_intent: intent.id,
  };
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

/** The result of a collection attempt. */
export interface Collected {
  /** Whether the issuer approved. */
  readonly paid: boolean;
  /** The updated invoice. */
  readonly invoice: Invoice;
  /** The intent of the attempt. */
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
