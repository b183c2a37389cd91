import type { Charge } from '../resources/charges.ts';
import type { Id } from '../resources/ids.ts';
import type { PaymentIntent } from '../resources/payment-intents.ts';
import { defaults } from './defaults.ts';
import { held } from './moves.ts';
import { Problem } from './problem.ts';
import type { State } from './state.ts';

type PaymentMethodId = Id<'payment_method'>;

/** The one payment method that the issuer always declines. The interface names none, so it is the sandbox's choice. */
const declinedMethod = 'pm_card_declined';

/** What an issuer says when it declines. The interface shows the fields and no values. */
const decline = {
  decline_code: 'do_not_honor',
  decline_type: 'issuer',
  failure_message: 'The issuer declined the card.',
};

/** Whether an issuer would pay. */
export function isDeclined(paymentMethod: string): boolean {
  return paymentMethod === declinedMethod;
}

function addCharge(
  state: State,
  intent: PaymentIntent,
  paymentMethod: PaymentMethodId,
  fields: Partial<Charge>,
): Charge {
  return state.objects.charge.add({
    ...defaults.charge(state),
    intent_id: intent.id,
    payment_method: paymentMethod,
    amount: intent.amount,
    currency: intent.currency,
    ...fields,
  });
}

/** Takes money, all of the amount unless told otherwise. */
export function take(
  state: State,
  intent: PaymentIntent,
  paymentMethod: PaymentMethodId,
  amount: number = intent.amount,
): PaymentIntent {
  const charge = addCharge(state, intent, paymentMethod, { amount });
  return state.objects.payment_intent.replace({
    ...intent,
    status: 'succeeded',
    payment_method: paymentMethod,
    latest_charge_id: charge.id,
    updated_at: charge.updated_at,
  });
}

/** Holds money until it is captured. There is no charge before that. */
export function hold(state: State, intent: PaymentIntent, paymentMethod: PaymentMethodId): PaymentIntent {
  return state.objects.payment_intent.replace({
    ...intent,
    status: held,
    payment_method: paymentMethod,
    updated_at: state.clock.seconds(),
  });
}

/** Records an attempt that the issuer declined: the intent waits for another payment method. */
export function fail(state: State, intent: PaymentIntent, paymentMethod: PaymentMethodId): PaymentIntent {
  const charge = addCharge(state, intent, paymentMethod, {
    status: 'failed',
    authorization_code: '',
    ...decline,
  });
  return state.objects.payment_intent.replace({
    ...intent,
    status: 'requires_payment_method',
    payment_method: null,
    latest_charge_id: charge.id,
    updated_at: charge.updated_at,
  });
}

/** What a request is told whose payment was declined. */
export function declinedProblem(): Problem {
  const { failure_message, ...details } = decline;
  return new Problem(402, 'CARD_DECLINED', failure_message, 'payment_method', details);
}
