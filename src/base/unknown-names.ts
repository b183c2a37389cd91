import type { Issue } from './issue.ts';
import { nearest } from './nearest.ts';

/**
 * An issue for each field of an object that is not among the known ones, with the name that was probably meant. A
 * misspelt option would otherwise be ignored in silence.
 *
 * @param prefix What the path of each issue begins with, for example `options.`.
 */
export function unknownNameIssues(prefix: string, given: object, known: readonly string[]): Issue[] {
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const meant = nearest(name, known);
      const hint = meant === undefined ? '' : ` (did you mean '${meant}'?)`;
      return {
        path: `${prefix}${name}`,
        expected: `one of ${known.join(', ')}`,
        received: `an unknown option${hint}`,
      };
    });
}
