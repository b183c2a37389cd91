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
 * The invoice after one more attempt to collect it. It has the payment method only where it is collected automatically, and the time of
 * the next attempt only while one is planned.
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

/** The invoice once an intent has paid what was left of it. */
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

/** One of the last attempt of the schedule was declined too, so there is none after it. */
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

/** What became of an attempt to collect an invoice. */
export interface Collected {
  /** Whether the issuer paid. */
  readonly paid: boolean;
  /** The invoice after it. */
  readonly invoice: Invoice;
  /** The intent that was made for it. */
  readonly intent: PaymentIntent;
}

/** Tries to collect what is left of an invoice. */
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
