import type { CheckoutSession } from '../resources/checkout-sessions.ts';
import { mayMove } from './moves.ts';
import type { State } from './state.ts';

/** Ends a session, so that it can no longer be paid. */
export function expire({ objects, clock }: State, session: CheckoutSession): CheckoutSession {
  return objects.checkout_session.replace({ ...session, status: 'expired', updated_at: clock.seconds() });
}

/** Ends a session when its time has come, unless it came to another end before. */
export function scheduleExpiry(state: State, { id, expires_at }: CheckoutSession): void {
  state.clock.schedule(expires_at, () => {
    const session = state.objects.checkout_session.get(id);
    if (session !== undefined && mayMove(session, 'checkout_session.expire')) expire(state, session);
  });
}
