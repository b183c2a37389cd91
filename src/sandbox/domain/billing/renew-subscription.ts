import type { Subscription } from '../../../resources/subscriptions.ts';
import type { State } from '../state.ts';
import { addInvoice } from './subscription-invoice.ts';

/** The state of a subscription after its scheduled end. The interface names none. */
const ended = 'ended';
const over: readonly string[] = ['canceled', ended];

/**
 * Returns when the period of a subscription ends, in milliseconds, if it renews or ends then. An unpaid one is not
 * renewed before it is paid.
 */
export function subscriptionDueAt(subscription: Subscription): number | undefined {
  const { status, cancel_at_period_end, current_period_end } = subscription;
  const ends = cancel_at_period_end && !over.includes(status);
  return ends || status === 'active' ? current_period_end * 1000 : undefined;
}

function end({ objects }: State, subscription: Subscription): void {
  const at = subscription.current_period_end;
  // Not `canceled`: by the interface a scheduled end never emits `subscription.canceled`.
  const end = { status: ended, canceled_at: at, ended_at: at, updated_at: at } as const;
  objects.subscription.replace({ ...subscription, ...end });
}

function renew(state: State, subscription: Subscription): void {
  const { current_period_start: start, current_period_end: end } = subscription;
  const next = state.objects.subscription.replace({
    ...subscription,
    current_period_start: end,
    // A period of zero length would be due again at once, forever.
    current_period_end: end + Math.max(60, end - start),
    updated_at: state.clock.seconds(),
  });
  addInvoice(state, next, true);
}

/** Renews a subscription at the end of its period, or ends it. */
export function renewSubscription(state: State, subscription: Subscription): void {
  if (subscription.cancel_at_period_end) end(state, subscription);
  else renew(state, subscription);
}
