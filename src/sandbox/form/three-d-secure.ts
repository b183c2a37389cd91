import type { ThreeDSecureStatus } from '../../fraud/three-d-secure.ts';
import type { State } from '../state.ts';
import { usableToken } from './payment-token.ts';
import { refuse } from './refusal.ts';
import { behaviourOf } from './test-cards.ts';

/** What the browser's `authenticate` gives. */
export interface Authentication {
  /** Whether the cardholder was authenticated. */
  readonly authenticated: boolean;
  /** `Y` authenticated, `N` failed, `U` unavailable, `C` waits for a challenge; only `Y` is in the interface. */
  readonly cardholder_auth: 'Y' | 'N' | 'U' | 'C';
  /** The authentication's value; `null` where there is none. */
  readonly cavv: string | null;
  /** The authentication's id. */
  readonly xid: string;
  /** `05` authenticated, `07` not. */
  readonly eci: '05' | '07';
  /** What became of it, in the words of `assessFraud`. The browser's result has no such field. */
  readonly status: ThreeDSecureStatus;
}

/** What the buyer does when the issuer asks for a challenge. */
export type ChallengeAnswer = 'passed' | 'failed' | 'unanswered';

const letters = {
  authenticated: 'Y',
  frictionless: 'Y',
  unavailable: 'U',
  failed: 'N',
  challenge_required: 'C',
} as const;

const afterChallenge = {
  passed: 'authenticated',
  failed: 'failed',
  unanswered: 'challenge_required',
} as const;

/** Does what the browser's `authenticate` does with a token. The token is not used up. */
export function authenticate(state: State, paymentToken: string, answer: ChallengeAnswer): Authentication {
  const token = usableToken(state, paymentToken);
  if (token === undefined)
    refuse('The payment_token is unknown: expected one that sandbox.tokenize has made');
  const planned = behaviourOf(token.card.testCard).threeDSecure;
  const status = planned === 'challenge_required' ? afterChallenge[answer] : planned;
  const letter = letters[status];
  const authenticated = letter === 'Y';
  return {
    authenticated,
    cardholder_auth: letter,
    cavv: authenticated ? state.ids.text() : null,
    xid: state.ids.text(),
    eci: authenticated ? '05' : '07',
    status,
  };
}

/** What the fields of a form say of 3-D Secure. */
export type SentAuthentication = 'none' | 'succeeded' | 'unavailable' | 'failed';

/** What `cardholder_auth` says; a letter that is not known is a failure, which is the careful choice. */
export function readSentAuthentication(cardholderAuth: string, eci: string): SentAuthentication {
  switch (cardholderAuth) {
    case 'Y':
      return 'succeeded';
    case 'A':
    case 'U':
      return 'unavailable';
    case '':
      // What the networks send for "not authenticated", where only the level came along.
      return eci === '07' || eci === '00' ? 'unavailable' : 'none';
    default:
      return 'failed';
  }
}
