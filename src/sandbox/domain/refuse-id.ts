import { describeValue } from '../../base/describe.ts';
import { refuse } from '../../base/refuse.ts';

/**
 * Refuses an id. Shows it, since the ids of a sandbox are not secret.
 *
 * @param path The argument, for example `sandbox.update.id`.
 * @param problem Why the object with this id cannot be used.
 * @throws ConfigurationError always.
 */
export function refuseId(
  path: string,
  expected: string,
  id: unknown,
  problem = 'which does not exist',
  advice = 'Pass the id of another object.',
): never {
  // Plain JavaScript may pass the object, or a promise of one.
  const received = typeof id === 'string' ? `'${id}', ${problem}` : describeValue(id, path);
  return refuse([{ path, expected, received }], advice);
}
