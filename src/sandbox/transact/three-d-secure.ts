import type { ThreeDSecureStatus } from '../../fraud/three-d-secure.ts';
import type { AuthenticationRecord, OpenChallenge } from '../domain/records/form-records.ts';
import type { State } from '../domain/state.ts';
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

/**
 * What the issuer says at first: the outcome, or that it asks for a challenge.
 *
 * @throws FormRefusal for a token that the sandbox has not made, or that can no longer be used.
 */
export function plannedOutcome(state: State, paymentToken: string): ThreeDSecureStatus {
  const token = usableToken(state, paymentToken);
  if (token === undefined) refuse('Unknown payment_token: expected one that the sandbox has made');
  return behaviourOf(token.card.testCard).threeDSecure;
}

/**
 * Does what the browser's `authenticate` does with a token. The token is not used up.
 *
 * @param session The session whose hosted page asks. Default: a shop's page does.
 */
export function authenticate(
  state: State,
  paymentToken: string,
  answer: ChallengeAnswer,
  session?: string,
): Authentication {
  const planned = plannedOutcome(state, paymentToken);
  const status = planned === 'challenge_required' ? afterChallenge[answer] : planned;
  return record(state, { id: state.ids.text(), status, session });
}

/**
 * Asks the buyer, for a card whose issuer wants that. Until there is an answer, the run counts as one that waits for it.
 *
 * @returns The id of the run, by which it is answered.
 */
export function beginChallenge(state: State, challenge: OpenChallenge): string {
  const id = state.ids.text();
  const createdAt = state.clock.now();
  const { session } = challenge;
  state.objects.authentication.add({ id, status: 'challenge_required', createdAt, session, challenge });
  return id;
}

/** What the buyer is asked; `undefined` where nobody is, or there was an answer. */
export function openChallenge({ objects }: State, id: string): OpenChallenge | undefined {
  return objects.authentication.get(id)?.challenge ?? undefined;
}

/**
 * Ends a challenge with the buyer's answer.
 *
 * @throws FormRefusal where there is no such challenge, it was answered before, or its token can no longer be used.
 */
export function answerChallenge(state: State, id: string, answer: ChallengeAnswer): Authentication {
  const challenge = openChallenge(state, id);
  if (challenge === undefined) return refuse('Unknown challenge: expected one that waits for its answer');
  usableToken(state, challenge.paymentToken);
  return record(state, { id, status: afterChallenge[answer], session: challenge.session });
}

/** Remembers what became of a run, and says it as the browser's script does. */
function record(
  state: State,
  { id, status, session }: Pick<AuthenticationRecord, 'id' | 'status' | 'session'>,
): Authentication {
  const letter = letters[status];
  const authenticated = letter === 'Y';
  const createdAt = state.clock.now();
  state.objects.authentication.replace({ id, status, createdAt, session, challenge: null });
  return {
    authenticated,
    cardholder_auth: letter,
    cavv: authenticated ? state.ids.text() : null,
    xid: id,
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
