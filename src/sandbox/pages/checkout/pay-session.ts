import type { CheckoutSession } from '../../../resources/checkout-sessions.ts';
import type { Id } from '../../../resources/ids.ts';
import type { PaymentIntent } from '../../../resources/payment-intents.ts';
import { pay } from '../../domain/payments/pay.ts';
import type { KnownCard } from '../../domain/records/form-records.ts';
import type { State } from '../../domain/state.ts';
import { mayTransition } from '../../domain/transitions.ts';
import type { Decline } from '../texts.ts';
import { type Answers, buyerOf } from './answers.ts';

/** Payment methods that decline with the code of a test card's issuer. */
const declining: Readonly<Record<string, Id<'payment_method'>>> = {
  doNotHonor: 'pm_card_declined',
  insufficientFunds: 'pm_card_insufficient_funds',
  expiredCard: 'pm_card_expired',
  stolenCard: 'pm_card_stolen',
  processingError: 'pm_card_processing_error',
};

/** Returns the payment method of a card; `undefined` for a new one that succeeds. */
function methodOf({ testCard, expiresAt }: KnownCard, now: number): Id<'payment_method'> | undefined {
  const declines = declining[testCard ?? ''];
  return declines ?? (now >= expiresAt ? 'pm_card_expired' : undefined);
}

/** The message for each decline code. A buyer with a stolen card sees a generic one. */
const reasons: Readonly<Record<string, Decline>> = {
  insufficient_funds: 'insufficientFunds',
  expired_card: 'expiredCard',
  processing_error: 'processingError',
};

function declineOf({ objects }: State, { latest_charge_id }: PaymentIntent): Decline {
  const charge = objects.charge.get(latest_charge_id ?? '');
  return reasons[charge?.decline_code ?? ''] ?? 'declined';
}

/**
 * Pays a session with a card. Does nothing if the session was paid or expired in the meantime.
 *
 * @returns The decline reason; `undefined` if the session is paid.
 */
export function payByCard(state: State, id: string, card: KnownCard, answers: Answers): Decline | undefined {
  const { checkout_session } = state.objects;
  return state.unit(() => {
    const session = checkout_session.get(id);
    if (session === undefined || !isOpen(session)) return undefined;
    const payment_method = methodOf(card, state.clock.now());
    const intent = pay(state, id, { payment_method, buyer: buyerOf(answers) });
    return intent.status === 'succeeded' ? undefined : declineOf(state, intent);
  });
}

/** Whether a session can be paid. */
export function isOpen(session: CheckoutSession): boolean {
  return mayTransition(session, 'checkout_session.complete');
}
