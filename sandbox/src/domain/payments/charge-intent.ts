import type { Charge, Id, PaymentIntent } from 'payments-client';
import { defaults } from '../object-defaults.ts';
import { Problem } from '../problem.ts';
import type { State } from '../state.ts';
import { requiresCapture } from '../transitions.ts';

type PaymentMethodId = Id<'payment_method'>;

/** An issuer's decline. The interface shows the fields but no values. */
interface Decline {
  readonly decline_code: string;
  readonly decline_type: string;
  readonly failure_message: string;
  /** When it applies. Default: always. */
  readonly only?: readonly Occasion[];
}

/** The initiator of a payment: the buyer, or the clock for the first or a later period of a subscription. */
export type Occasion = 'buyer' | 'first' | 'renewal';

const refused: Decline = {
  decline_code: 'do_not_honor',
  decline_type: 'issuer',
  failure_message: 'The issuer declined the card.',
};

/** Payment methods that decline. The interface names none, so they are the sandbox's own. */
const declines: ReadonlyMap<string, Decline> = new Map([
  ['pm_card_declined', refused],
  [
    'pm_card_insufficient_funds',
    { ...refused, decline_code: 'insufficient_funds', failure_message: 'The card has insufficient funds.' },
  ],
  ['pm_card_expired', { ...refused, decline_code: 'expired_card', failure_message: 'The card has expired.' }],
  ['pm_card_stolen', { ...refused, decline_code: 'stolen_card' }],
  [
    'pm_card_processing_error',
    {
      decline_code: 'processing_error',
      decline_type: 'processor',
      failure_message: 'Something went wrong on the way to the issuer.',
    },
  ],
  ['pm_card_fails_on_renewal', { ...refused, only: ['renewal'] }],
]);

/** Reasons in the names of other services' test methods, such as `pm_card_chargeDeclinedExpiredCard`. */
const reasons: readonly (readonly [reason: string, own: string])[] = [
  ['insufficient', 'pm_card_insufficient_funds'],
  ['expired', 'pm_card_expired'],
  ['stolen', 'pm_card_stolen'],
  ['lost', 'pm_card_stolen'],
  ['processing', 'pm_card_processing_error'],
];

/** Parts of the names of other services' test methods that do not pay, such as `pm_card_radarBlock`. */
const doesNotPay = /declin|customerfail|radarblock|processingerror/;

function findDecline(paymentMethod: string): Decline | undefined {
  const name = paymentMethod.toLowerCase();
  if (declines.has(paymentMethod) || !doesNotPay.test(name)) return declines.get(paymentMethod);
  const [, own = 'pm_card_declined'] = reasons.find(([reason]) => name.includes(reason)) ?? [];
  return declines.get(own);
}

function declineOf(paymentMethod: string): Decline {
  return findDecline(paymentMethod) ?? refused;
}

export function isDeclined(paymentMethod: string, occasion: Occasion = 'buyer'): boolean {
  const decline = findDecline(paymentMethod);
  return decline !== undefined && (decline.only ?? [occasion]).includes(occasion);
}

type ChargeOutcome = Partial<
  Pick<
    Charge,
    'amount' | 'status' | 'authorization_code' | 'decline_code' | 'decline_type' | 'failure_message'
  >
>;

function addCharge(
  state: State,
  intent: PaymentIntent,
  paymentMethod: PaymentMethodId,
  fields: ChargeOutcome,
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

/** Charges an intent. Default: its whole amount. */
export function chargeIntent(
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

/** Authorizes an intent for a later capture. It creates no charge. */
export function authorizeIntent(
  state: State,
  intent: PaymentIntent,
  paymentMethod: PaymentMethodId,
): PaymentIntent {
  return state.objects.payment_intent.replace({
    ...intent,
    status: requiresCapture,
    payment_method: paymentMethod,
    updated_at: state.clock.seconds(),
  });
}

/** Records a declined attempt: the intent waits for another payment method. */
export function declineIntent(
  state: State,
  intent: PaymentIntent,
  paymentMethod: PaymentMethodId,
): PaymentIntent {
  const { decline_code, decline_type, failure_message } = declineOf(paymentMethod);
  const charge = addCharge(state, intent, paymentMethod, {
    status: 'failed',
    authorization_code: '',
    decline_code,
    decline_type,
    failure_message,
  });
  return state.objects.payment_intent.replace({
    ...intent,
    status: 'requires_payment_method',
    payment_method: null,
    latest_charge_id: charge.id,
    updated_at: charge.updated_at,
  });
}

export function declinedProblem(paymentMethod: string): Problem {
  const { decline_code, decline_type, failure_message } = declineOf(paymentMethod);
  const details = { decline_code, decline_type };
  return new Problem(402, 'CARD_DECLINED', failure_message, 'payment_method', details);
}
