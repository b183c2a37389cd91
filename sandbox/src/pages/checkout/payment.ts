import type { CheckoutSession, Id, PaymentIntent } from 'payments-client';
import { isPayable, pay } from '../../domain/payments/pay.ts';
import type { KnownCard, OpenChallenge, PaymentToken } from '../../domain/records/records.ts';
import type { State } from '../../domain/state.ts';
import { addToken, redeemToken } from '../../transact/payment-token.ts';
import { behaviourOf } from '../../transact/test-cards.ts';
import { answerChallenge, authenticate, beginChallenge } from '../../transact/three-d-secure.ts';
import type { Decline } from '../texts.ts';
import { type Answers, buyerOf } from './answers.ts';

/**
 * Runs 3-D Secure for the test cards that support it. Other cards pass without a check.
 *
 * @returns The id of a run that failed or that the buyer must answer; `undefined` if the card can be charged.
 */
export function runThreeDSecure(
  state: State,
  card: KnownCard,
  asker: Omit<OpenChallenge, 'paymentToken'>,
): string | undefined {
  const planned = behaviourOf(card.testCard).threeDSecure;
  if (planned === 'authenticated') return undefined;
  const { id: paymentToken } = addToken(state, card);
  if (planned === 'challenge_required') return beginChallenge(state, { paymentToken, ...asker });
  const { status, xid } = authenticate(state, paymentToken, 'unanswered', asker.session);
  return status === 'failed' ? xid : undefined;
}

/** Returns the token of a challenge of a session that waits for the buyer. */
function waitingToken({ objects, clock }: State, session: string, run: string): PaymentToken | undefined {
  const { challenge } = objects.authentication.get(run) ?? {};
  const token = objects.payment_token.get(challenge?.paymentToken ?? '');
  if (challenge?.session !== session || token === undefined) return undefined;
  return token.used || clock.now() >= token.expiresAt ? undefined : token;
}

/**
 * Completes a challenge of a session with the buyer's answer. Does nothing if it does not wait for one.
 *
 * @param answer `passed`, `failed`, or anything else for an unanswered challenge.
 * @returns The card to charge, if the buyer passed.
 */
export function endChallenge(
  state: State,
  session: string,
  run: string,
  answer: string,
): KnownCard | undefined {
  const token = waitingToken(state, session, run);
  if (token === undefined) return undefined;
  if (answer !== 'passed') {
    answerChallenge(state, run, answer === 'failed' ? 'failed' : 'unanswered');
    return undefined;
  }
  answerChallenge(state, run, 'passed');
  redeemToken(state, token.id);
  return token.card;
}

/** Returns why a 3-D Secure run of an unpaid session led to no payment; `undefined` while the buyer can answer. */
export function failureOf(state: State, session: CheckoutSession, run: string): Decline | undefined {
  if (waitingToken(state, session.id, run) !== undefined) return undefined;
  const authentication = state.objects.authentication.get(run);
  if (authentication?.session !== session.id || authentication.challenge !== null) return 'checkEnded';
  if (authentication.status === 'failed') return 'notConfirmed';
  if (authentication.status === 'challenge_required') return 'checkCanceled';
  return declineOf(state, state.objects.payment_intent.get(session.payment_intent_id ?? ''));
}

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

function declineOf({ objects }: State, intent: PaymentIntent | undefined): Decline {
  const charge = objects.charge.get(intent?.latest_charge_id ?? '');
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
    if (session === undefined || !isPayable(state, session)) return undefined;
    const payment_method = methodOf(card, state.clock.now());
    const intent = pay(state, id, { payment_method, buyer: buyerOf(answers) });
    return intent.status === 'succeeded' ? undefined : declineOf(state, intent);
  });
}
