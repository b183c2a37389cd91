import type { Fault } from '../faults.ts';
import { invalidParameter } from '../problem.ts';
import type { Disturbance } from '../webhooks/disturbance.ts';

/** Which faults there are, and whether they are right, the sandbox itself knows. */
function isFault(body: unknown): body is Fault {
  return typeof body === 'object' && body !== null && 'kind' in body && typeof body.kind === 'string';
}

/**
 * The fault that a body describes.
 *
 * @throws Problem when it names no kind.
 */
export function readFault(body: unknown): Fault {
  if (isFault(body)) return body;
  throw invalidParameter('kind', "kind: expected the kind of a fault, for example 'drop_reply'.");
}

/** Which disturbances there are, and whether they are right, the sandbox itself knows too. */
function isDisturbance(body: unknown): body is Disturbance {
  return typeof body === 'object' && body !== null && 'kind' in body && typeof body.kind === 'string';
}

/**
 * The disturbance that a body describes.
 *
 * @throws Problem when it names no kind.
 */
export function readDisturbance(body: unknown): Disturbance {
  if (isDisturbance(body)) return body;
  throw invalidParameter('kind', "kind: expected the kind of a disturbance, for example 'duplicate'.");
}
