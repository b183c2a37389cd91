/** Every text in which a value shows itself: to a log, to a debugger, to whatever walks through its fields. */

import { inspect } from 'node:util';

/** One thing that was shown, and where. */
export interface Showing {
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

/** The parts of a value that hold a text, hidden and symbolic ones too; getters are not asked. */
function partsOf(where: string, value: unknown, seen: Set<object>): Showing[] {
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

/** Every text in which a value shows itself; what tells most of where a canary is comes first. */
export function showingsOf(where: string, value: unknown): Showing[] {
  return [
    ...partsOf(where, value, new Set()),
    { where: `JSON of ${where}`, text: attempt(() => JSON.stringify(value)) },
    { where: `inspect of ${where}`, text: inspect(value) },
    {
      where: `inspect of ${where}, with what is hidden`,
      text: inspect(value, { ...everything, showHidden: true }),
    },
    { where: `a clone of ${where}`, text: attempt(() => inspect(structuredClone(value), everything)) },
  ];
}
