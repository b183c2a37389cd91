/** Values that JSON or a form would change or lose without a word, and what to pass in their place. */

/** What to pass instead, what came, and the field of the object that is unfit, if it is not the whole. */
type Unfit = readonly [expected: string, received: string, ...field: string[]];

/** What stands for a value, by what it has: the first that fits. No property is read, since a getter would run. */
const standIns: readonly (readonly [has: PropertyKey, expected: string, received: string])[] = [
  ['then', 'its value: await x', 'a promise'],
  ['toISOString', 'x.toISOString(), or a number such as Math.floor(x.getTime() / 1000)', 'a date'],
  ['toNumber', 'x.toNumber() or String(x)', 'an object that holds a number'],
  ['href', 'x.href', 'an object that holds a URL'],
  ['toJSON', 'a plain value in its place', 'an object with toJSON'],
  ['charAt', 'x.valueOf()', 'a boxed string'],
  ['entries', 'a plain object or an array: Object.fromEntries(x) or Array.from(x)', 'a collection'],
  [Symbol.iterator, 'an array: Array.from(x)', 'an iterable that is no array'],
];

function standIn(value: object): Unfit | undefined {
  const [, expected, received] = standIns.find(([has]) => has in value) ?? [];
  return expected && received ? [expected, received] : undefined;
}

/**
 * Returns the prototypes of an object, without `Object.prototype`. That of another realm, such as a test runner's, is another object with the
 * same methods.
 */
function prototypesOf(value: object): readonly object[] {
  const prototype: unknown = Object.getPrototypeOf(value);
  const isLast =
    typeof prototype !== 'object' || prototype === null || Object.hasOwn(prototype, 'isPrototypeOf');
  return isLast ? [] : [prototype, ...prototypesOf(prototype)];
}

/** Returns the first property that is more than a method. */
function fieldIn(holder: object, names = Object.getOwnPropertyNames(holder)): string | undefined {
  return names.find((name) => typeof Object.getOwnPropertyDescriptor(holder, name)?.value !== 'function');
}

function hiddenField(field: string, received: string): Unfit {
  // The name may be a secret in the wrong place, and only paths are redacted.
  return ['an own enumerable field: copy it, as in { amount: x.amount }', received, field];
}

/**
 * Returns why an object is not what its own fields say: it stands for a value, as a `Date` does, or code can read fields of it that
 * would not be sent. A refund without its amount would be a full one.
 *
 * @param keys Its own enumerable properties.
 * @param isRead Whether a field of this name is read; `undefined` if any may be.
 */
export function objectFlaw(
  value: object,
  keys: readonly string[],
  isRead: ((name: string) => boolean) | undefined,
): Unfit | undefined {
  const prototypes = prototypesOf(value);
  const isBoxed = prototypes.some((prototype) => Object.hasOwn(prototype, 'valueOf'));
  const isOther = prototypes.length > 0 && (Symbol.iterator in value || 'then' in value);
  if (isBoxed || isOther || 'toJSON' in value) {
    return standIn(value) ?? ['x.valueOf()', 'a boxed value'];
  }
  const inherited = prototypes.map((prototype) => fieldIn(prototype)).find((field) => field !== undefined);
  if (inherited !== undefined) {
    return standIn(value) ?? hiddenField(inherited, 'a property of the prototype');
  }
  if (prototypes.length > 0 && keys.length === 0) {
    return standIn(value) ?? ['a plain object', 'an object without own fields'];
  }
  const hidden = Object.getOwnPropertyNames(value).filter((name) => !keys.includes(name));
  const read = isRead === undefined ? fieldIn(value, hidden) : hidden.find(isRead);
  return read === undefined ? undefined : hiddenField(read, 'a property that is not enumerable');
}
