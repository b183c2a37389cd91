/** A value in words, for an error. Text is repeated only where it is a plain word, since it may be secret otherwise. */
export function describeValue(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (value === '') return 'an empty string';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  switch (typeof value) {
    case 'string':
      return /^[A-Za-z_]{1,16}$/.test(value) ? `'${value}'` : `a string of ${value.length} characters`;
    case 'number':
      // A longer number may be a card number.
      return Math.abs(value) < 1e11 || !Number.isFinite(value) ? `the number ${value}` : 'a long number';
    case 'boolean':
      return String(value);
    case 'object':
      return 'an object';
    default:
      return `a ${typeof value}`;
  }
}

/** What is wrong with a value, in the package's one form for it. */
export function problem(path: string, expected: string, received: string): string {
  return `${path}: expected ${expected}, got ${received}`;
}

/** @throws TypeError always: the value is of the wrong kind. */
export function refuseType(path: string, expected: string, value: unknown): never {
  throw new TypeError(problem(path, expected, describeValue(value)));
}

/** @throws RangeError always: the value is of the right kind and out of bounds. */
export function refuseRange(path: string, expected: string, value: unknown): never {
  throw new RangeError(problem(path, expected, describeValue(value)));
}
