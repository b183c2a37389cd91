/**
 * What a failed call may have done:
 * - `not_executed`: this call moved no money. This says nothing about an earlier call with the same `operationId`. After a
 *   4xx it is *inferred*: the interface does not show which rejections guarantee it;
 * - `executed`: the call took effect, but its result could not be used;
 * - `unknown`: the call may have taken effect. If the error is `retryable`, call again with the same `operationId` to get the
 *   original result. Otherwise look it up.
 */
export type Outcome = 'not_executed' | 'executed' | 'unknown';

const certainty: Record<Outcome, number> = { not_executed: 0, unknown: 1, executed: 2 };

/**
 * Returns the outcome of a call after one more attempt. An attempt that may have taken effect stays possible whatever a later
 * attempt answers, so a later refusal never turns `unknown` into `not_executed`.
 */
export function combineOutcomes(earlier: Outcome, latest: Outcome): Outcome {
  return certainty[earlier] > certainty[latest] ? earlier : latest;
}
