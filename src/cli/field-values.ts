import type { Arguments } from './arguments.ts';

type Fields = { [name: string]: unknown };

/** JSON where it is JSON, and a text otherwise, so that neither numbers nor words need quotes. */
function toValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Dots lead into objects, and never to what all objects share: a field may be called `__proto__`. */
function put(fields: Fields, [name = '', ...rest]: readonly string[], value: unknown): void {
  const inner = Object.hasOwn(fields, name) ? fields[name] : undefined;
  const next: Fields = isFields(inner) ? inner : {};
  const own = {
    value: rest.length === 0 ? value : next,
    enumerable: true,
    configurable: true,
    writable: true,
  };
  Object.defineProperty(fields, name, own);
  if (rest.length > 0) put(next, rest, value);
}

/**
 * The fields that `--set name=value` gives.
 *
 * @throws UsageProblem when one has no name or no `=`, or leads deeper than 32 objects.
 */
export function readFields(given: Arguments): Readonly<Fields> {
  const fields: Fields = {};
  for (const text of given.texts('set')) {
    const [, name, value] = /^((?:\w+\.){0,31}\w+)=(.*)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined) {
      throw given.problem(`expected --set to be field=value, got '${text}'.`);
    }
    put(fields, name.split('.'), toValue(value));
  }
  return fields;
}
