import type { Refund } from '../../../resources/refunds.ts';
import type { State } from '../state.ts';

/** What a refund takes of its charge. A pending one counts, so that two at once cannot give back more than was paid. */
export function refundedBy(refund: Refund | undefined): number {
  return refund === undefined || refund.status === 'failed' ? 0 : refund.amount;
}

/** Keeps the charge's `amount_refunded` right when a refund is made, fails or is tried again. */
export function updateRefundedAmount(
  { objects, clock }: State,
  before: Refund | undefined,
  after: Refund,
): void {
  const change = refundedBy(after) - refundedBy(before);
  const charge = objects.charge.get(after.charge_id);
  if (charge === undefined || change === 0) return;
  const amount_refunded = charge.amount_refunded + change;
  objects.charge.replace({ ...charge, amount_refunded, updated_at: clock.seconds() });
}
