import type { Charge, PaymentIntent, Refund } from 'payments-client';
import { second } from '../../base/time.ts';
import { defaults } from '../object-defaults.ts';
import { Problem } from '../problem.ts';
import { findObject, type State } from '../state.ts';
import { timings } from '../timings.ts';
import { requireTransition } from '../transitions.ts';

/**
 * Returns the amount that a refund reserves. A pending one counts, so that two refunds together cannot exceed the
 * charge.
 */
export function refundedBy(refund: Refund | undefined): number {
  return refund === undefined || refund.status === 'failed' ? 0 : refund.amount;
}

/** Updates the charge's `amount_refunded` when a refund is created, fails or is retried. */
export function updateRefundedAmount(
  { objects, clock }: State,
  before: Refund | undefined,
  after: Refund,
): void {
  const counted = refundedBy(before);
  const change = refundedBy(after) - counted;
  const charge = objects.charge.get(after.charge_id);
  if (charge === undefined || change === 0) return;
  // `sandbox.add` stores sums as given, so the charge may never have counted this refund.
  if (charge.amount_refunded < counted) return;
  const amount_refunded = charge.amount_refunded + change;
  objects.charge.replace({ ...charge, amount_refunded, updated_at: clock.seconds() });
}

/** Payment methods whose refunds fail: always, or until a retry. */
const failing = 'pm_card_refund_fails';
const failingOnce = 'pm_card_refund_fails_once';

/** Returns when a refund completes by itself, in milliseconds. A retry makes it pending again. */
export function refundDueAt({ status, updated_at }: Refund): number | undefined {
  return status === 'pending' ? updated_at * second + timings.refundCompletes : undefined;
}

function fails({ objects }: State, refund: Refund): boolean {
  const method = objects.charge.get(refund.charge_id)?.payment_method;
  const isFirst = refund.updated_at === refund.created_at;
  return method === failing || (method === failingOnce && isFirst);
}

/** Completes a pending refund: it succeeds, or fails if its payment method says so. */
export function completeRefund(state: State, refund: Refund): void {
  if (state.settings.refunds === 'manual') return;
  const outcome = fails(state, refund)
    ? ({ status: 'failed', failure_message: 'already_refunded' } as const)
    : ({ status: 'succeeded' } as const);
  const after = { ...refund, ...outcome, updated_at: state.clock.seconds() };
  state.objects.refund.replace(after);
  updateRefundedAmount(state, refund, after);
}

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
