import { originOf } from '../../api/server/origin.ts';
import { invalidParameter, Problem } from '../../domain/problem.ts';
import type { State } from '../../domain/state.ts';
import { readField } from '../../transact/form-request.ts';
import {
  type Authentication,
  answerChallenge,
  authenticate,
  beginChallenge,
  type ChallengeAnswer,
  plannedOutcome,
} from '../../transact/three-d-secure.ts';

/** The result that the script passes to the page's callback. */
type BrowserResult = Omit<Authentication, 'status'>;

/** The next step of an authentication: its result, or a challenge for the buyer. */
export type AuthenticationStep = { readonly result: BrowserResult } | { readonly challenge: string };

const answers: readonly ChallengeAnswer[] = ['passed', 'failed', 'unanswered'];

function toStep({ status: _, ...result }: Authentication): AuthenticationStep {
  return { result };
}

/** Reads the origin of the page, to which the challenge's frame posts its messages. */
function readOrigin(header: string | undefined): string {
  const origin = originOf(header ?? null);
  if (origin !== undefined) return origin;
  throw new Problem(
    403,
    'ORIGIN_NOT_ALLOWED',
    'Expected an Origin header of http or https, since this card asks for a challenge. Open the page from a server.',
  );
}

function begin(state: State, paymentToken: string, header: string | undefined): AuthenticationStep {
  const planned = plannedOutcome(state, paymentToken);
  if (planned !== 'challenge_required') return toStep(authenticate(state, paymentToken, 'unanswered'));
  return { challenge: beginChallenge(state, { paymentToken, origin: readOrigin(header) }) };
}

function readAnswer(form: FormData): ChallengeAnswer {
  const sent = readField(form, 'answer');
  const answer = answers.find((one) => one === sent);
  if (answer !== undefined) return answer;
  throw invalidParameter('answer', `Expected answer to be one of ${answers.join(', ')}.`);
}

/**
 * Starts an authentication by its `token`, or completes one by its `challenge` and `answer`.
 *
 * @throws Problem for an invalid form; FormRefusal for a token or a challenge that is unknown, used or expired.
 */
export function stepOn(state: State, form: FormData, origin: string | undefined): AuthenticationStep {
  const challenge = readField(form, 'challenge');
  const token = readField(form, 'token');
  if (challenge !== '') return toStep(answerChallenge(state, challenge, readAnswer(form)));
  if (token === '') throw invalidParameter('token', 'Expected token, a payment token, or challenge.');
  return begin(state, token, origin);
}
