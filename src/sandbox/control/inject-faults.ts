import { isRecord } from '../../base/json.ts';
import type { Fault } from '../api/faults/faults.ts';
import { invalidParameter } from '../domain/problem.ts';

/** Which kinds there are, and whether their fields are right, the sandbox itself checks. */
function isFault(body: unknown): body is Fault {
  return isRecord(body) && typeof body['kind'] === 'string';
}

/**
 * Reads the fault that a body describes.
 *
 * @throws Problem when it names no kind.
 */
export function readFault(body: unknown): Fault {
  if (isFault(body)) return body;
  throw invalidParameter('kind', "kind: expected the kind of a fault, for example 'drop_reply'.");
}
