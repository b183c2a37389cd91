import * as s from '../../../base/schema.ts';
import type { Id } from '../../../resources/ids.ts';
import type { PaymentIntent } from '../../../resources/payment-intents.ts';
import type { Refund } from '../../../resources/refunds.ts';
import { findCustomerId } from '../../domain/find-object.ts';
import { defaults } from '../../domain/object-defaults.ts';
import {
  authorizeIntent,
  chargeIntent,
  declinedProblem,
  declineIntent,
  isDeclined,
} from '../../domain/payments/charge-intent.ts';
import { chargeOf, refundCharge } from '../../domain/payments/refund-charge.ts';
import { invalidParameter, Problem } from '../../domain/problem.ts';
import type { State } from '../../domain/state.ts';
import { requireTransition } from '../../domain/transitions.ts';
import {
  currency,
  idOf,
  integerFrom,
  metadata,
  oneOf,
  optional,
  readParameters,
  text,
} from '../request/parameters.ts';
import { type Call, type Methods, named } from './handler.ts';
import type { Reading } from './list-and-retrieve.ts';
import { partialRefundFields } from './refunds.ts';

const createParameters = s.object({
  amount: integerFrom(1),
  currency: currency(),
  capture_method: optional(oneOf(['automatic', 'manual'], "'automatic' or 'manual'")),
  customer: optional(text()),
  payment_method: optional(idOf('payment_method')),
  metadata: metadata(),
});
const confirmParameters = s.object({ payment_method: optional(idOf('payment_method')) });
const captureParameters = s.object({ amount: optional(integerFrom(1)) });
const retryParameters = s.object({ payment_method: idOf('payment_method') });
const refundParameters = s.object(partialRefundFields);

function create(state: State, { body }: Call): PaymentIntent {
  const given = readParameters(createParameters, body);
  const customer = findCustomerId(state, given.customer);
  return state.objects.payment_intent.add({
    ...defaults.payment_intent(state),
    amount: given.amount,
    currency: given.currency.toUpperCase(),
    capture_method: given.capture_method ?? 'automatic',
    customer,
    payment_method: given.payment_method ?? null,
    metadata: given.metadata ?? {},
  });
}

/** Charges the intent, or authorizes it for manual capture. */
function payWith(state: State, intent: PaymentIntent, method: Id<'payment_method'> | null): PaymentIntent {
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
  const { payment_method } = readParameters(confirmParameters, call.body);
  return payWith(state, intent, payment_method ?? intent.payment_method);
}

function retry(state: State, call: Call): PaymentIntent {
  const intent = named(state.objects.payment_intent, call);
  return payWith(state, intent, readParameters(retryParameters, call.body).payment_method);
}

/**
 * Captures an amount and releases the rest of the authorization. The intent's amount stays; the charge has the
 * captured one.
 */
function capture(state: State, call: Call): PaymentIntent {
  const intent = named(state.objects.payment_intent, call);
  const amount = readParameters(captureParameters, call.body).amount ?? intent.amount;
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
  const given = readParameters(refundParameters, call.body);
  return refundCharge(state, chargeOf(state, intent), given);
}

/** The write methods of `/v1/payment_intents`. */
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
