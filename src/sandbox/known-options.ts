import { unknownNameProblem } from '../base/unknown-names.ts';

/**
 * Refuses options with a name that is not known, which would be ignored otherwise.
 *
 * @throws RangeError that names it, and the one that was probably meant.
 */
export function refuseUnknownOptions(path: string, options: object, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null) {
    throw new RangeError(
      `${path}: expected an object of options, got ${options === null ? 'null' : `a ${typeof options}`}.`,
    );
  }
  const problem = unknownNameProblem(path, options, known);
  if (problem !== undefined) throw new RangeError(`${problem}.`);
}
