import type { KnownCard } from '../../domain/records/form-records.ts';
import type { State } from '../../domain/state.ts';
import { addToken, redeemToken } from '../../transact/payment-token.ts';
import { behaviourOf } from '../../transact/test-cards.ts';
import {
  answerChallenge,
  authenticate,
  beginChallenge,
  openChallenge,
} from '../../transact/three-d-secure.ts';

/** The session and page that start a 3-D Secure check. */
export interface Asker {
  /** The id of the session. */
  readonly session: string;
  /** The origin of its page. */
  readonly origin: string;
}

/** The result of a 3-D Secure check: passed, failed, or a challenge for the buyer. */
export type BankResult = 'passed' | 'failed' | { readonly challenge: string };

/** Runs 3-D Secure for the test cards that support it. Other cards pass without a check. */
export function runThreeDSecure(state: State, card: KnownCard, asker: Asker): BankResult {
  const planned = behaviourOf(card.testCard).threeDSecure;
  if (planned === 'authenticated') return 'passed';
  return state.unit(() => {
    const { id: paymentToken } = addToken(state, card);
    if (planned === 'challenge_required') {
      return { challenge: beginChallenge(state, { paymentToken, ...asker }) };
    }
    return authenticate(state, paymentToken, 'unanswered', asker.session).status === 'failed'
      ? 'failed'
      : 'passed';
  });
}

/** The result of a challenge: the card to pay with, or the reason why the payment failed. */
export type ChallengeEnd = KnownCard | 'notConfirmed' | 'checkCanceled' | 'checkEnded';

/**
 * Completes a challenge of a session with the buyer's answer.
 *
 * @param answer `passed`, `failed`, or anything else for an unanswered challenge.
 */
export function endChallenge(state: State, session: string, id: string, answer: string): ChallengeEnd {
  const challenge = openChallenge(state, id);
  const token = state.objects.payment_token.get(challenge?.paymentToken ?? '');
  const isOver = token === undefined || token.used || state.clock.now() >= token.expiresAt;
  if (challenge?.session !== session || isOver) return 'checkEnded';
  if (answer === 'passed') {
    answerChallenge(state, id, 'passed');
    redeemToken(state, token.id);
    return token.card;
  }
  const isFailure = answer === 'failed';
  answerChallenge(state, id, isFailure ? 'failed' : 'unanswered');
  return isFailure ? 'notConfirmed' : 'checkCanceled';
}
