import { formatIssue, type Issue } from './issue.ts';
import { nearest } from './nearest.ts';

/** The names of the fields of a type. The compiler asks for all of them. */
export function namesOf<Fields>(names: Readonly<Record<keyof Fields, true>>): readonly string[] {
  return Object.keys(names);
}

/** What an issue says of an unknown name, with the name that was probably meant. */
export function unknownName(name: string, known: readonly string[]): Omit<Issue, 'path'> {
  const meant = nearest(name, known);
  const hint = meant === undefined ? '' : ` (did you mean '${meant}'?)`;
  return { expected: `one of ${known.join(', ')}`, received: `an unknown option${hint}` };
}

/**
 * An issue for each field of an object that is not among the known ones, with the name that was probably meant. A
 * misspelt option would otherwise be ignored in silence.
 *
 * @param prefix What the path of each issue begins with, for example `options.`.
 */
export function unknownNameIssues(prefix: string, given: object, known: readonly string[]): Issue[] {
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => ({ path: `${prefix}${name}`, ...unknownName(name, known) }));
}

/** Whether the name of an option may be repeated. Other texts may be a secret in the wrong place, or command a terminal. */
export function isPlainName(name: string): boolean {
  return /^[A-Za-z_]{1,40}$/.test(name);
}

/**
 * The first unknown name of an options object in one line, for rooms that throw errors of the language; `undefined` where
 * there is none.
 */
export function unknownNameProblem(
  path: string,
  given: object,
  known: readonly string[],
): string | undefined {
  const [found] = unknownNameIssues('', given, known);
  if (found === undefined) return undefined;
  const place = isPlainName(found.path) ? `${path}.${found.path}` : path;
  return formatIssue({ ...found, path: place });
}
