import { isRecord } from '../../base/json.ts';
import type { Fault } from '../api/faults/faults.ts';
import { invalidParameter } from '../domain/problem.ts';

/** Whether a body names a kind of fault. `inject` validates the kind and its fields. */
function isFault(body: unknown): body is Fault {
  return isRecord(body) && typeof body['kind'] === 'string';
}

/**
 * Reads a fault from a body.
 *
 * @throws Problem when it names no kind.
 */
export function readFault(body: unknown): Fault {
  if (isFault(body)) return body;
  throw invalidParameter('kind', "kind: expected the kind of a fault, for example 'drop_reply'.");
}
