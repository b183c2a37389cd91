import type { Refund } from '../../../resources/refunds.ts';
import type { State } from '../state.ts';
import { updateRefundedAmount } from './refunded-amount.ts';

/** How long a refund is pending, in seconds. */
const timePending = 60;

/** Payment methods whose refunds fail: always, or until a retry. */
const failing = 'pm_card_refund_fails';
const failingOnce = 'pm_card_refund_fails_once';

/** Returns when a refund completes by itself, in milliseconds. A retry makes it pending again. */
export function refundDueAt({ status, updated_at }: Refund): number | undefined {
  return status === 'pending' ? (updated_at + timePending) * 1000 : undefined;
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
