/** The status of a 3-D Secure authentication (*shown* as the results of the sandbox's test cards). */
export type ThreeDSecureStatus =
  | 'authenticated'
  | 'frictionless'
  | 'unavailable'
  | 'failed'
  | 'challenge_required';

/** The result of a 3-D Secure authentication, for example of the browser's `authenticate`. */
export interface ThreeDSecureOutcome {
  /** Whether the cardholder was authenticated (*shown*). */
  readonly authenticated: boolean;
  /** `Y` after a successful authentication (*shown*). */
  readonly cardholder_auth?: string | null | undefined;
  /**
   * The status, if you know more than `authenticated` (*inferred*: the browser's result has no such field). Default:
   * `authenticated` or `failed`.
   */
  readonly status?: ThreeDSecureStatus | undefined;
}

/** The finding of a 3-D Secure outcome. Contradictory fields are neither a success nor a failure. */
export type ThreeDSecureFinding = 'authenticated' | 'failed' | 'unavailable' | 'unfinished' | 'contradictory';

/** Returns the finding of a 3-D Secure outcome. */
export function readThreeDSecure(outcome: ThreeDSecureOutcome): ThreeDSecureFinding {
  return outcome.authenticated === true ? readSuccess(outcome) : readFailure(outcome);
}

function readSuccess({ cardholder_auth: auth, status }: ThreeDSecureOutcome): ThreeDSecureFinding {
  const isSuccess = status === undefined || status === 'authenticated' || status === 'frictionless';
  return isSuccess && (auth === undefined || auth === null || auth === '' || auth === 'Y')
    ? 'authenticated'
    : 'contradictory';
}

function readFailure({ status }: ThreeDSecureOutcome): ThreeDSecureFinding {
  switch (status) {
    case 'unavailable':
      return 'unavailable';
    case 'challenge_required':
      return 'unfinished';
    case 'authenticated':
    case 'frictionless':
      return 'contradictory';
    default:
      return 'failed';
  }
}
