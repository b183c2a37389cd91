import type { Charge } from '../../../resources/charges.ts';
import type { PaymentIntent } from '../../../resources/payment-intents.ts';
import type { Refund } from '../../../resources/refunds.ts';
import { findObject } from '../find-object.ts';
import { defaults } from '../object-defaults.ts';
import { Problem } from '../problem.ts';
import type { State } from '../state.ts';
import { requireTransition } from '../transitions.ts';
import { updateRefundedAmount } from './refunded-amount.ts';

/** The amount and the reason of a refund. */
interface PartialRefund {
  readonly amount?: number | null | undefined;
  readonly reason?: string | null | undefined;
}

/**
 * Returns the charge of a paid intent.
 *
 * @throws Problem when the intent is not paid.
 */
export function chargeOf(state: State, { id, status, latest_charge_id }: PaymentIntent): Charge {
  if (status !== 'succeeded' || latest_charge_id === null) {
    const message = `The payment intent '${id}' has not succeeded, so there is nothing to refund.`;
    throw new Problem(422, 'PAYMENT_INTENT_NOT_SUCCEEDED', message, 'payment_intent_id');
  }
  return findObject(state, 'charge', latest_charge_id, 'charge_id');
}

/**
 * Returns the amount to refund. Default: the rest of the charge.
 *
 * @throws Problem when it exceeds the rest.
 */
export function amountToRefund(charge: Charge, requested: number | null | undefined): number {
  requireTransition(charge, 'charge.refund');
  const { id, amount, amount_refunded } = charge;
  const left = amount - amount_refunded;
  if (left <= 0) {
    throw new Problem(422, 'CHARGE_ALREADY_REFUNDED', `The charge '${id}' is refunded in full.`);
  }
  if (requested !== null && requested !== undefined && requested > left) {
    const message = `At most ${left} of the charge '${id}' can be refunded.`;
    throw new Problem(422, 'REFUND_EXCEEDS_CHARGE', message, 'amount');
  }
  return requested ?? left;
}

/** Refunds a charge in full or in part. */
export function refundCharge(
  state: State,
  charge: Charge,
  { amount: requested, reason }: PartialRefund,
): Refund {
  const amount = amountToRefund(charge, requested);
  const refund = state.objects.refund.add({
    ...defaults.refund(state),
    amount,
    currency: charge.currency,
    charge_id: charge.id,
    payment_intent_id: charge.intent_id,
    reason: reason ?? null,
  });
  updateRefundedAmount(state, undefined, refund);
  return refund;
}
