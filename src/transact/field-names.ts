import type { Issue } from '../base/errors.ts';
import { rootPath } from '../base/issue.ts';
import type { Redactor } from '../base/redact.ts';
import { knownFieldNames } from './params.ts';

const maxLength = 64;
const plainName = /^[\w-]+$/;

/** What is left of a name if case, `_` and `-` do not count: a service may be as lenient. */
function skeletonOf(name: string): string {
  return name.toLowerCase().replaceAll('-', '_');
}

let knownNames: ReadonlyMap<string, string> | undefined;

/** Returns the known name that a service may read in place of this one. */
function knownNameLike(name: string): string | undefined {
  knownNames ??= new Map(knownFieldNames().map((known) => [skeletonOf(known), known]));
  return knownNames.get(skeletonOf(name));
}

/**
 * Returns the issues of the names of a form's fields. The form endpoint is a PHP script, and PHP reads ` type`, `security.key` and
 * `amount[]` as the fields `type`, `security_key` and `amount`.
 *
 * No issue repeats a name of the caller's, which may be a secret in the wrong place.
 */
export function fieldNameIssues(names: readonly string[], redactor: Redactor): Issue[] {
  const skeletons = names.map(skeletonOf);
  return names.flatMap((name, index) => {
    const place = `(field ${index + 1} of ${names.length})`;
    const issue = (expected: string, received: string) => ({
      path: rootPath,
      expected,
      received: `${received} ${place}`,
    });
    if (name.length > maxLength || !plainName.test(name)) {
      const isTooLong = name === '' || name.length > maxLength;
      return issue(
        `a name of 1 to ${maxLength} letters, digits, _ and -, since PHP may read another name as that of another field`,
        isTooLong ? `one of ${name.length} characters` : 'one with another character',
      );
    }
    const known = knownNameLike(name);
    if (known === name) return [];
    if (known !== undefined) {
      return { path: known, expected: `the name '${known}'`, received: 'another spelling of it' };
    }
    if (redactor.text(name) !== name) {
      return issue('a name that holds no secret', 'one that holds a key or a card number');
    }
    return skeletons.indexOf(skeletonOf(name)) < index
      ? issue('names that differ by more than case, _ and -', 'two that do not')
      : [];
  });
}
