import { isRecord } from '../../base/json.ts';
import type { Fault } from '../api/faults/fault.ts';
import { invalidParameter } from '../domain/problem.ts';
import type { Disturbance } from '../webhooks/delivery-faults.ts';

/** Which kinds there are, and whether their fields are right, the sandbox itself knows. */
function hasKind(body: unknown): boolean {
  return isRecord(body) && typeof body['kind'] === 'string';
}

function isFault(body: unknown): body is Fault {
  return hasKind(body);
}

function isDisturbance(body: unknown): body is Disturbance {
  return hasKind(body);
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

/**
 * The disturbance that a body describes.
 *
 * @throws Problem when it names no kind.
 */
export function readDisturbance(body: unknown): Disturbance {
  if (isDisturbance(body)) return body;
  throw invalidParameter('kind', "kind: expected the kind of a disturbance, for example 'duplicate'.");
}
