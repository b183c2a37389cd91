import { isRecord } from './json.ts';
import type { Definition, Schema } from './schema.ts';

/** Something that a value is not, and where. */
export interface Flaw {
  readonly path: readonly PropertyKey[];
  readonly expected: string;
  /** What is there. */
  readonly value: unknown;
  /** Whether a value of this type has no rules to keep: it is no such value. */
  readonly isOfType: boolean;
}

type Path = readonly PropertyKey[];

/** How many flaws are looked for among items that are alike: a body may hold millions. */
const maxFlaws = 20;

function itemFlaws(
  schema: Schema<unknown>,
  items: Iterable<readonly [PropertyKey, unknown]>,
  path: Path,
): Flaw[] {
  const flaws: Flaw[] = [];
  for (const [name, item] of items) {
    flaws.push(...explain(schema, item, [...path, name]));
    if (flaws.length >= maxFlaws) break;
  }
  return flaws;
}

function fieldFlaws(definition: Definition & { type: 'object' }, value: object, path: Path): Flaw[] {
  const { fields, others } = definition;
  const named = Object.entries(fields).flatMap(([name, field]) =>
    explain(field, Reflect.get(value, name), [...path, name]),
  );
  const unnamed = Object.entries(value).filter(([name]) => !Object.hasOwn(fields, name));
  return [...named, ...itemFlaws(others, unnamed, path)];
}

/** What is wrong with the parts of a value; nothing where it has none, or is not of the type. */
function partFlaws(definition: Definition, value: unknown, path: Path): Flaw[] {
  switch (definition.type) {
    case 'optional':
      return value === undefined ? [] : explain(definition.inner, value, path);
    case 'nullable':
      return value === null ? [] : explain(definition.inner, value, path);
    case 'array':
      return Array.isArray(value) ? itemFlaws(definition.element, value.entries(), path) : [];
    case 'record':
      return isRecord(value) ? itemFlaws(definition.values, Object.entries(value), path) : [];
    case 'object':
      return isRecord(value) ? fieldFlaws(definition, value, path) : [];
    default:
      return [];
  }
}

/** The rules that a value of the right type breaks. */
function brokenRules({ rules }: Schema<unknown>, value: unknown, path: Path): Flaw[] {
  const flaws: Flaw[] = [];
  for (const { expected, holds, isLast } of rules) {
    // A rule is only ever asked of a value of its own type.
    if (holds(value as never)) continue;
    flaws.push({ path, expected, value, isOfType: true });
    if (isLast === true) break;
  }
  return flaws;
}

/** All that keeps a value from conforming to a schema; empty where it conforms. */
export function explain(schema: Schema<unknown>, value: unknown, path: Path = []): Flaw[] {
  if (schema.accepts(value)) return [];
  const parts = partFlaws(schema.definition, value, path);
  if (parts.length === 0 && !schema.isOfType(value)) {
    return [{ path, expected: schema.expected, value, isOfType: false }];
  }
  // A rule about several fields could not be asked where one of them is something else.
  if (parts.some(({ isOfType }) => !isOfType)) return parts;
  return [...parts, ...brokenRules(schema, value, path)];
}
