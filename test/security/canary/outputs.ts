/** Every text form of a value: for a log, for a debugger, and for code that reads its fields. */

import { inspect } from 'node:util';

/** One output, and where it appeared. */
export interface Output {
  readonly where: string;
  readonly text: string;
}

const everything = {
  depth: Number.POSITIVE_INFINITY,
  maxStringLength: null,
  maxArrayLength: null,
  breakLength: Number.POSITIVE_INFINITY,
};

function attempt(show: () => unknown): string {
  try {
    return String(show() ?? '');
  } catch (error) {
    return String(error);
  }
}

/** Returns the parts of a value, including hidden fields and symbols. Getters are not called. */
function partsOf(where: string, value: unknown, seen: Set<object>): Output[] {
  if (typeof value !== 'object' || value === null) return [{ where, text: attempt(() => String(value)) }];
  if (seen.has(value)) return [];
  seen.add(value);
  const below = Reflect.ownKeys(value).flatMap((name) => {
    const descriptor = Object.getOwnPropertyDescriptor(value, name);
    const place = `${where}.${String(name)}`;
    return [{ where: `the name ${place}`, text: String(name) }, ...partsOf(place, descriptor?.value, seen)];
  });
  return [...below, { where, text: attempt(() => String(value)) }];
}

/** Returns every text form of a value. The forms that locate a canary most precisely come first. */
export function outputsOf(where: string, value: unknown): Output[] {
  return [
    ...partsOf(where, value, new Set()),
    { where: `JSON of ${where}`, text: attempt(() => JSON.stringify(value)) },
    { where: `inspect of ${where}`, text: inspect(value) },
    {
      where: `inspect of ${where}, with hidden fields`,
      text: inspect(value, { ...everything, showHidden: true }),
    },
    { where: `a clone of ${where}`, text: attempt(() => inspect(structuredClone(value), everything)) },
  ];
}
