import type { CheckoutSession } from '../../../resources/checkout-sessions.ts';
import type { Id } from '../../../resources/ids.ts';
import type { PaymentIntent } from '../../../resources/payment-intents.ts';
import { pay } from '../../domain/payments/pay.ts';
import type { KnownCard } from '../../domain/records/form-records.ts';
import type { State } from '../../domain/state.ts';
import { mayTransition } from '../../domain/transitions.ts';
import type { DeclineTexts } from '../languages/texts.ts';
import { type Answers, buyerOf } from './answers.ts';

/** The payment methods that say what the issuer of a test card says. */
const declining: Readonly<Record<string, Id<'payment_method'>>> = {
  doNotHonor: 'pm_card_declined',
  insufficientFunds: 'pm_card_insufficient_funds',
  expiredCard: 'pm_card_expired',
  stolenCard: 'pm_card_stolen',
  processingError: 'pm_card_processing_error',
};

/** What a card pays with; `undefined` stands for a new method that pays. */
function methodOf({ testCard, expiresAt }: KnownCard, now: number): Id<'payment_method'> | undefined {
  const declines = declining[testCard ?? ''];
  return declines ?? (now >= expiresAt ? 'pm_card_expired' : undefined);
}

/** What the buyer is told. Of a stolen card only the issuer is to know. */
const reasons: Readonly<Record<string, keyof DeclineTexts>> = {
  insufficient_funds: 'insufficientFunds',
  expired_card: 'expiredCard',
  processing_error: 'processingError',
};

function declineOf({ objects }: State, { latest_charge_id }: PaymentIntent): keyof DeclineTexts {
  const charge = objects.charge.get(latest_charge_id ?? '');
  return reasons[charge?.decline_code ?? ''] ?? 'declined';
}

/**
 * Pays a session with a card, once: where it was paid or has ended meanwhile, nothing is taken.
 *
 * @returns Why it was declined; `undefined` where it was paid.
 */
export function payByCard(
  state: State,
  id: string,
  card: KnownCard,
  answers: Answers,
): keyof DeclineTexts | undefined {
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
