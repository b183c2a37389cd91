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

/** Who asks the bank. */
export interface Asker {
  /** The id of the session. */
  readonly session: string;
  /** The origin of its page. */
  readonly origin: string;
}

/** Whether the bank lets a card pay, or asks the buyer first. */
export type BankWord = 'passed' | 'failed' | { readonly challenge: string };

/** Asks the card's bank by 3-D Secure, for the test cards that are made for it. Any other card pays without. */
export function askBank(state: State, card: KnownCard, asker: Asker): BankWord {
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

/** What became of a challenge: the card that may pay, or why none may. */
export type ChallengeEnd = KnownCard | 'notConfirmed' | 'checkCanceled' | 'checkEnded';

/**
 * Ends a challenge of a session with the buyer's answer.
 *
 * @param answer `passed`, `failed`, or anything else for a buyer who does not answer.
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
