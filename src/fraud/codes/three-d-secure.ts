import type { Inline } from '../../base/runtime/runtime.ts';

/** The status of a 3-D Secure authentication (*shown* as the results of the sandbox's test cards). */
type ThreeDSecureStatus = Inline<
  'authenticated' | 'frictionless' | 'unavailable' | 'failed' | 'challenge_required'
>;

/** The result of a 3-D Secure authentication, for example of the browser's `authenticate`. */
export type ThreeDSecureOutcome = {
  /** Whether the cardholder was authenticated (*shown*). */
  readonly authenticated: boolean;
  /**
   * `Y` after a successful authentication (*shown*). `U` if it was not available, and `C` if the buyer did not finish the
   * challenge (both *inferred*).
   */
  readonly cardholder_auth?: string | null | undefined;
  /**
   * The status, if you know more than the two fields above (*inferred*: the browser's result has no such field). Default:
   * the one that they say.
   */
  readonly status?: ThreeDSecureStatus | undefined;
};

/** The finding of a 3-D Secure outcome. Contradictory fields are neither a success nor a failure. */
export type ThreeDSecureFinding = 'authenticated' | 'failed' | 'unavailable' | 'unfinished' | 'contradictory';

const successes: readonly (ThreeDSecureStatus | undefined)[] = [undefined, 'authenticated', 'frictionless'];

/** Returns the finding of a 3-D Secure outcome. Only both fields of the interface together are a success. */
export function readThreeDSecure(outcome: ThreeDSecureOutcome): ThreeDSecureFinding {
  const { authenticated, cardholder_auth: letter, status } = outcome;
  if (authenticated !== true) return letter === 'Y' ? 'contradictory' : readFailure(outcome);
  return letter === 'Y' && successes.includes(status) ? 'authenticated' : 'contradictory';
}

function readFailure({ cardholder_auth: letter, status }: ThreeDSecureOutcome): ThreeDSecureFinding {
  switch (status ?? letter) {
    case 'unavailable':
    case 'U':
      return 'unavailable';
    case 'challenge_required':
    case 'C':
      return 'unfinished';
    case 'authenticated':
    case 'frictionless':
      return 'contradictory';
    default:
      return 'failed';
  }
}
