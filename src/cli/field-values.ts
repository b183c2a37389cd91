import { isRecord, parseJson } from '../base/json.ts';
import type { Arguments } from './arguments.ts';

type Fields = { [name: string]: unknown };

/** JSON where it is JSON, and a text otherwise, so that neither numbers nor words need quotes. */
function toValue(text: string): unknown {
  const value = parseJson(text);
  return value === undefined ? text : value;
}

/** Dots lead into objects. */
function put(fields: Fields, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    fields[name] = value;
    return;
  }
  const inner = fields[name];
  const next: Fields = isRecord(inner) ? inner : {};
  fields[name] = next;
  put(next, rest, value);
}

/**
 * The fields that `--set name=value` gives.
 *
 * @throws UsageProblem when one has no `=`, a name that no field can have, or one that leads deeper than 32 objects.
 */
export function readFields(given: Arguments): Readonly<Fields> {
  const fields: Fields = {};
  for (const text of given.texts('set')) {
    const [, name, value] = /^((?:\w+\.){0,31}\w+)=(.*)$/s.exec(text) ?? [];
    const names = name?.split('.') ?? [];
    // That one is no field: it leads to what all objects share.
    if (value === undefined || names.length === 0 || names.includes('__proto__')) {
      throw given.problem(`expected --set to be field=value, got '${text}'.`);
    }
    put(fields, names, toValue(value));
  }
  return fields;
}
