import type { Id, PaymentIntent, Refund } from 'payments-client';
import { defaults } from '../../domain/object-defaults.ts';
import {
  authorizeIntent,
  chargeIntent,
  declinedProblem,
  declineIntent,
  isDeclined,
} from '../../domain/payments/charge-intent.ts';
import { chargeOf, refundCharge } from '../../domain/payments/refund.ts';
import { invalidParameter, Problem } from '../../domain/problem.ts';
import { findCustomerId, type State } from '../../domain/state.ts';
import { requireTransition } from '../../domain/transitions.ts';
import { requestSchema } from '../../sdk.ts';
import { readClientParameters, requireId, requireKnown } from '../request/parameters.ts';
import { type Call, type Methods, named, type Reading } from './handler.ts';

type MethodId = Id<'payment_method'>;

/** Returns the id of the payment method in a parameter; null if it is missing. */
function methodIn({ payment_method }: { readonly payment_method?: string | undefined }): MethodId | null {
  return payment_method === undefined ? null : requireId('payment_method', payment_method, 'payment_method');
}

function create(state: State, { body }: Call): PaymentIntent {
  const given = readClientParameters(requestSchema('paymentIntents.create'), body);
  const customer = findCustomerId(state, given.customer);
  return state.objects.payment_intent.add({
    ...defaults.payment_intent(state),
    amount: given.amount,
    currency: given.currency.toUpperCase(),
    capture_method: requireKnown('capture_method', given.capture_method ?? 'automatic', [
      'automatic',
      'manual',
    ]),
    customer,
    payment_method: methodIn(given),
    metadata: given.metadata ?? {},
  });
}

/** Charges the intent, or authorizes it for manual capture. */
function payWith(state: State, intent: PaymentIntent, method: MethodId | null): PaymentIntent {
  requireTransition(intent, 'payment_intent.confirm');
  if (method === null) {
    throw invalidParameter('payment_method', 'payment_method: expected one, since none is attached.');
  }
  if (isDeclined(method)) {
    declineIntent(state, intent, method);
    throw declinedProblem(method);
  }
  return intent.capture_method === 'manual'
    ? authorizeIntent(state, intent, method)
    : chargeIntent(state, intent, method);
}

function confirm(state: State, call: Call): PaymentIntent {
  const intent = named(state.objects.payment_intent, call);
  const given = readClientParameters(requestSchema('paymentIntents.confirm'), call.body);
  return payWith(state, intent, methodIn(given) ?? intent.payment_method);
}

function retry(state: State, call: Call): PaymentIntent {
  const intent = named(state.objects.payment_intent, call);
  return payWith(
    state,
    intent,
    methodIn(readClientParameters(requestSchema('paymentIntents.retryWithNewPaymentMethod'), call.body)),
  );
}

/**
 * Captures an amount and releases the rest of the authorization. The intent's amount stays; the charge has the
 * captured one.
 */
function capture(state: State, call: Call): PaymentIntent {
  const intent = named(state.objects.payment_intent, call);
  const amount =
    readClientParameters(requestSchema('paymentIntents.capture'), call.body).amount ?? intent.amount;
  requireTransition(intent, 'payment_intent.capture');
  if (amount > intent.amount) {
    throw new Problem(
      422,
      'CAPTURE_EXCEEDS_AMOUNT',
      `At most ${intent.amount} of this intent can be captured.`,
      'amount',
    );
  }
  // Only an intent that a test put into this state has no payment method.
  return chargeIntent(state, intent, intent.payment_method ?? state.ids.next('pm'), amount);
}

function cancel(state: State, call: Call): PaymentIntent {
  const intent = named(state.objects.payment_intent, call);
  requireTransition(intent, 'payment_intent.cancel');
  const updated_at = state.clock.seconds();
  return state.objects.payment_intent.replace({ ...intent, status: 'canceled', updated_at });
}

function refund(state: State, call: Call): Refund {
  const intent = named(state.objects.payment_intent, call);
  const given = readClientParameters(requestSchema('paymentIntents.refund'), call.body);
  return refundCharge(state, chargeOf(state, intent), given);
}

export function paymentIntentHandlers(state: State): Omit<Methods<'paymentIntents'>, keyof Reading> {
  return {
    create: (call) => create(state, call),
    confirm: (call) => confirm(state, call),
    capture: (call) => capture(state, call),
    cancel: (call) => cancel(state, call),
    retryWithNewPaymentMethod: (call) => retry(state, call),
    refund: (call) => refund(state, call),
  };
}
