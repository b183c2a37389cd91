import { isRecord, parseJson } from '../base/json.ts';
import { repeatedOption } from './options.ts';
import { UsageProblem } from './problems.ts';

type Fields = { [name: string]: unknown };

/**
 * Parses JSON and falls back to text, so that neither numbers nor words need quotes. Metadata has only texts. A number that JavaScript writes
 * in another way, such as `12.00`, stays a text: the sandbox knows which field has one.
 */
function toValue([name, ...within]: readonly string[], text: string): unknown {
  const value = parseJson(text);
  const isText = name === 'metadata' && within.length > 0 && typeof value !== 'string';
  const isOtherNumber = typeof value === 'number' && String(value) !== text;
  return value === undefined || isText || isOtherNumber ? text : value;
}

/** Dots separate nested fields. */
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

/** A field and its value. */
export interface FieldValue {
  readonly names: readonly string[];
  readonly value: unknown;
}

/** `--set name=value`. A name has at most 32 levels, and cannot reach the prototype of objects. */
export function setOption(help: string) {
  return repeatedOption('--set <field=value>', help, (text, option): FieldValue => {
    const [, name, value] = /^((?:\w+\.){0,31}\w+)=(.*)$/s.exec(text) ?? [];
    const names = name?.split('.') ?? [];
    if (value !== undefined && !names.includes('__proto__')) return { names, value: toValue(names, value) };
    throw new UsageProblem(`expected ${option} to be field=value, got '${text}'.`);
  });
}

/** Returns the object with these fields. */
export function toFields(values: readonly FieldValue[] = []): Readonly<Fields> {
  const fields: Fields = {};
  for (const { names, value } of values) put(fields, names, value);
  return fields;
}
