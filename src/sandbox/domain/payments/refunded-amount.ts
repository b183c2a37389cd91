import type { Refund } from '../../../resources/refunds.ts';
import type { State } from '../state.ts';

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
