import { formatIssue, type Issue } from './issue.ts';
import { nearest } from './nearest.ts';

/** Returns the words of an issue for an unknown name, with the name that was probably meant. */
export function unknownName(name: string, known: readonly string[]): Omit<Issue, 'path'> {
  return { expected: `one of ${known.join(', ')}`, received: `an unknown option${meantBy(name, known)}` };
}

/** Returns the known name that was probably meant, as a question in brackets; empty where none is near. */
export function meantBy(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return meant === undefined ? '' : ` (did you mean '${meant}'?)`;
}

function withoutStyle(name: string): string {
  return name.toLowerCase().replaceAll('_', '');
}

/**
 * Returns an issue for each name that is probably a misspelt known one, such as `amuont` or `captureMethod`. Other unknown names pass:
 * the service may have parameters that the interface does not show.
 */
export function misspeltNames(given: object, known: readonly string[]): readonly Issue[] {
  return Object.entries(given).flatMap(([name, value]) => {
    if (value === undefined || known.includes(name) || !isPlainName(name)) return [];
    const meant =
      known.find((one) => withoutStyle(one) === withoutStyle(name)) ??
      (name.length > 4 ? nearest(name, known, 2) : undefined);
    if (meant === undefined || Reflect.get(given, meant) !== undefined) return [];
    const received = `an unknown one (did you mean '${meant}'?)`;
    return [{ path: name, expected: 'a parameter of this method', received }];
  });
}

/** Whether a message may repeat the name of an option. Other text may be a secret, or control a terminal. */
export function isPlainName(name: string): boolean {
  return /^[A-Za-z_]{1,40}$/.test(name);
}

/**
 * Returns the first unknown name of an options object in one line, for rooms that throw errors of the language; `undefined` without
 * one.
 */
export function unknownNameProblem(
  path: string,
  given: object,
  known: readonly string[],
): string | undefined {
  const name = Object.keys(given).find((one) => !known.includes(one));
  if (name === undefined) return undefined;
  return formatIssue({ path: isPlainName(name) ? `${path}.${name}` : path, ...unknownName(name, known) });
}
