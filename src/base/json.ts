/** Any object that is not an array, with its fields unknown. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Compares by code units, which is the same on every runtime and in every locale. */
function isSorted(keys: readonly string[]): boolean {
  let last = '';
  for (const key of keys) {
    if (key < last) return false;
    last = key;
  }
  return true;
}

/** Whether a prototype is `Object.prototype`. That of another realm, such as a test runner's, is another object with the same methods. */
export function isObjectPrototype(prototype: object): boolean {
  return prototype === Object.prototype || Object.hasOwn(prototype, 'isPrototypeOf');
}

/** Whether a prototype has more than methods. */
function hasFields(prototype: object): boolean {
  return Reflect.ownKeys(prototype).some((name) => {
    const { value } = Object.getOwnPropertyDescriptor(prototype, name) ?? {};
    return typeof value !== 'function';
  });
}

/**
 * Whether an object inherits fields or getters, as a `Map` or an instance of a class with getters does. Code can read them, but
 * JSON and a form leave them out: a refund without its amount would be a full one.
 */
export function inheritsFields(value: object): boolean {
  let prototype: unknown = Object.getPrototypeOf(value);
  while (isRecord(prototype) && !isObjectPrototype(prototype)) {
    if (hasFields(prototype)) return true;
    prototype = Object.getPrototypeOf(prototype);
  }
  return false;
}

/** A value that JSON would silently leave out or replace with null. */
export class UnfitValue extends TypeError {
  /** The name of its field; empty for the whole value. */
  readonly field: string;
  /** What it is. */
  readonly received: string;

  constructor(field: string, received: string) {
    super(received);
    this.field = field;
    this.received = received;
  }
}

function refuseUnfit(field: string, value: unknown): void {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new UnfitValue(field, `the number ${value}`);
  if (typeof value === 'function' || typeof value === 'symbol')
    throw new UnfitValue(field, `a ${typeof value}`);
  if (isRecord(value) && inheritsFields(value)) throw new UnfitValue(field, inherited);
}

/** How messages call an object that {@link inheritsFields}. */
export const inherited = 'an object with inherited fields or getters, which would not be sent';

function withSortedKeys(key: string, value: unknown): unknown {
  refuseUnfit(key, value);
  if (!isRecord(value)) return value;
  const keys = Object.keys(value);
  if (isSorted(keys)) return value;
  return Object.fromEntries(keys.sort().map((key) => [key, value[key]]));
}

/**
 * Serializes with sorted keys. The service refuses a known idempotency key with another body, so a caller that builds
 * the same parameters after a restart must send the same bytes, whatever the order of its fields.
 *
 * @throws UnfitValue for a value that JSON would lose.
 * @throws TypeError for a cycle or a bigint.
 */
export function stringifyCanonical(value: unknown): string {
  return JSON.stringify(value, withSortedKeys);
}

/** Parses JSON; `undefined` if the text is not JSON. */
export function parseJson(text: string, reviver?: (name: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(text, reviver);
  } catch {
    return undefined;
  }
}
