import type { CheckoutSession } from '../../../resources/checkout-sessions.ts';
import type { State } from '../state.ts';

/** Expires a session, so that it can no longer be paid. */
export function expireSession({ objects, clock }: State, session: CheckoutSession): CheckoutSession {
  return objects.checkout_session.replace({ ...session, status: 'expired', updated_at: clock.seconds() });
}
