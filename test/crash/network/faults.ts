/** The faults between the callers and the service. */

import { drawsFrom, seedOf } from '../../support/draws.ts';

/** Each fault, and how many of 1,000 requests it hits. */
const weights = {
  reset_before: 20,
  reset_after: 25,
  stall_before: 4,
  stall_after: 4,
  stall_body: 4,
  truncate: 15,
  delay: 25,
  /** Longer than the caller's timeout, so that the service acts after the caller gave up. */
  delay_beyond_timeout: 5,
  reorder: 30,
  rate_limit: 15,
  internal_error_before: 10,
  internal_error_after: 10,
  bad_gateway_before: 10,
  bad_gateway_after: 10,
  unavailable_before: 10,
  unavailable_after: 10,
  store_unavailable: 10,
  key_in_progress: 10,
  cut_body: 10,
  html_body: 8,
  wrong_body: 8,
  empty_body: 8,
  /** A rejection that names another request with the key, cut off before the code. The service has acted. */
  cut_conflict_after: 10,
  /** A page that contains a code of the interface, instead of the service's response after it acted. */
  known_word_after: 10,
  /** An unrequested second response directly after the first. */
  stray_reply: 15,
} as const;

/** A fault of one request. */
export type Fault = keyof typeof weights;

const kinds: readonly (readonly [Fault, number])[] = Object.entries(weights).map(([fault, weight]) => [
  fault as Fault,
  weight,
]);

/**
 * Returns the fault of a request, or `undefined`. Depends only on the seed, the request and its repetition, not on the
 * order in which requests of several processes arrive.
 */
export function faultFor(seed: number, request: string, time: number): Fault | undefined {
  let rest = drawsFrom(seed ^ seedOf(`${request} ${time}`))(1000);
  for (const [fault, weight] of kinds) {
    if (rest < weight) return fault;
    rest -= weight;
  }
  return undefined;
}
