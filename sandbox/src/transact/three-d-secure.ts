import type { Inline } from '../base/inline.ts';
import type { ThreeDSecureStatus } from '../base/interface-types.ts';
import { refuseValue } from '../base/refuse.ts';
import type { AuthenticationRecord, OpenChallenge } from '../domain/records/records.ts';
import type { State } from '../domain/state.ts';
import { usableToken } from './payment-token.ts';
import { FormRefusal, refuse } from './refusal.ts';
import { behaviourOf } from './test-cards.ts';

/** The result of the browser's `authenticate`. */
export type Authentication = Inline<{
  /** Whether the cardholder was authenticated. */
  readonly authenticated: boolean;
  /** `Y` authenticated, `N` failed, `U` unavailable, `C` waits for a challenge; only `Y` is in the interface. */
  readonly cardholder_auth: 'Y' | 'N' | 'U' | 'C';
  /** The authentication value; `null` without one. */
  readonly cavv: string | null;
  /** The authentication's id. */
  readonly xid: string;
  /** `05` authenticated, `07` not. */
  readonly eci: '05' | '07';
  /** The result in the terms of `assessFraud`. The browser's result does not have this field. */
  readonly status: ThreeDSecureStatus;
}>;

/** The buyer's answer to the issuer's challenge. */
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
 * Returns the issuer's first answer: a result, or a challenge.
 *
 * @throws FormRefusal for a token that the sandbox did not create, or that was used or has expired.
 */
export function plannedOutcome(state: State, paymentToken: string): ThreeDSecureStatus {
  const token = usableToken(state, paymentToken);
  if (token === undefined) refuse('Unknown payment_token: expected one that the sandbox created');
  return behaviourOf(token.card.testCard).threeDSecure;
}

/**
 * Runs 3-D Secure for a token, as the browser's `authenticate` does. The token stays unused.
 *
 * @param session The session whose hosted page started it. Default: none, a shop's own page.
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
 * Does what `sandbox.authenticate` does.
 *
 * @throws ConfigurationError for a token that the sandbox did not create, or that was used or has expired.
 */
export function authenticateToken(
  state: State,
  paymentToken: string,
  answer: ChallengeAnswer,
): Authentication {
  try {
    return state.unit(() => authenticate(state, paymentToken, answer));
  } catch (error) {
    if (!(error instanceof FormRefusal)) throw error;
    const expected = 'an unused token of this sandbox that is less than 15 minutes old';
    const advice = 'Create one with sandbox.tokenize.';
    return refuseValue('sandbox.authenticate.paymentToken', expected, paymentToken, advice);
  }
}

/**
 * Starts a challenge. Until the buyer answers, the run counts as waiting.
 *
 * @returns The id of the run.
 */
export function beginChallenge(state: State, challenge: OpenChallenge): string {
  const id = state.ids.text();
  const { session } = challenge;
  state.objects.authentication.add({ id, status: 'challenge_required', session, challenge });
  return id;
}

/** Returns an open challenge; `undefined` if there is none, or it was answered. */
export function openChallenge({ objects }: State, id: string): OpenChallenge | undefined {
  return objects.authentication.get(id)?.challenge ?? undefined;
}

/**
 * Ends a challenge with the buyer's answer.
 *
 * @throws FormRefusal when there is no such challenge, it was answered before, or its token was used or has expired.
 */
export function answerChallenge(state: State, id: string, answer: ChallengeAnswer): Authentication {
  const challenge = openChallenge(state, id);
  if (challenge === undefined) return refuse('Unknown challenge: expected an open one');
  usableToken(state, challenge.paymentToken);
  return record(state, { id, status: afterChallenge[answer], session: challenge.session });
}

/** Records the result of a run, and returns it as the browser's script does. */
function record(
  state: State,
  { id, status, session }: Pick<AuthenticationRecord, 'id' | 'status' | 'session'>,
): Authentication {
  const letter = letters[status];
  const authenticated = letter === 'Y';
  state.objects.authentication.replace({ id, status, session, challenge: null });
  return {
    authenticated,
    cardholder_auth: letter,
    cavv: authenticated ? state.ids.text() : null,
    xid: id,
    eci: authenticated ? '05' : '07',
    status,
  };
}

/** The 3-D Secure result in the fields of a form. */
export type SentAuthentication = 'none' | 'succeeded' | 'unavailable' | 'failed';

/** Reads `cardholder_auth`. An unknown letter counts as a failure, to be safe. */
export function readSentAuthentication(cardholderAuth: string, eci: string): SentAuthentication {
  switch (cardholderAuth) {
    case 'Y':
      return 'succeeded';
    case 'A':
    case 'U':
      return 'unavailable';
    case '':
      // The networks' codes for "not authenticated", for forms that contain the level only.
      return eci === '07' || eci === '00' ? 'unavailable' : 'none';
    default:
      return 'failed';
  }
}
