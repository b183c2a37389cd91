import type { CheckoutSession } from '../resources/checkout-sessions.ts';
import type { PaymentIntent } from '../resources/payment-intents.ts';
import { fail, isDeclined, take } from './attempt.ts';
import { defaults } from './defaults.ts';
import { mayMove } from './moves.ts';
import type { State } from './state.ts';

function notWaiting(what: string, id: string, found: { readonly status: string } | undefined): Error {
  const got = found === undefined ? 'none' : `one that is '${found.status}'`;
  return new Error(`sandbox.pay: expected a ${what} '${id}' that waits for a payment, got ${got}.`);
}

function attempt(state: State, intent: PaymentIntent): PaymentIntent {
  const paymentMethod = intent.payment_method ?? state.ids.next('pm');
  return (isDeclined(paymentMethod) ? fail : take)(state, intent, paymentMethod);
}

function payIntent(state: State, id: string): PaymentIntent {
  const intent = state.objects.payment_intent.get(id);
  if (intent === undefined || !mayMove(intent, 'payment_intent.confirm')) {
    throw notWaiting('payment intent', id, intent);
  }
  return attempt(state, intent);
}

/** Payment starts, so the session gets its intent; it is paid at once, so the session completes. */
function completeSession(state: State, session: CheckoutSession): PaymentIntent {
  const intent = state.objects.payment_intent.add({
    ...defaults.payment_intent(state),
    amount: session.amount_total,
    currency: session.currency,
    customer: session.customer,
  });
  const paid = attempt(state, intent);
  state.objects.checkout_session.replace({
    ...session,
    status: 'complete',
    payment_status: 'paid',
    payment_intent_id: paid.id,
    updated_at: paid.updated_at,
  });
  return paid;
}

function paySession(state: State, id: string): PaymentIntent {
  const session = state.objects.checkout_session.get(id);
  if (session === undefined || !mayMove(session, 'checkout_session.complete')) {
    throw notWaiting('checkout session', id, session);
  }
  return completeSession(state, session);
}

/**
 * The buyer pays an intent or a session, and the money is captured at once.
 *
 * @throws Error when there is no such object, or it does not wait for a payment.
 */
export function pay(state: State, id: string): PaymentIntent {
  return id.startsWith('cs_') ? paySession(state, id) : payIntent(state, id);
}
