/** Values that JSON or a form would change or lose without a word, and what to pass in their place. */

/** Why a value cannot be copied, in the words of an issue. */
export interface Unfit {
  /** The field of the object that is unfit; absent if the whole value is. */
  readonly field?: string | undefined;
  readonly expected: string;
  readonly received: string;
}

/** A getter or a proxy threw. What it threw may hold anything, so it is not repeated. */
export const unreadable: Unfit = {
  expected: 'a value that can be read',
  received: 'a getter or a proxy that throws',
};

/** Fields that say how much. Leaving one out may mean all of it. */
const howMuch = /amount|quantity/i;

/** Returns why a field may not be `undefined`; `undefined` if it may: then it is not sent. */
export function unfitUndefined(name: string): Unfit | undefined {
  if (!howMuch.test(name)) return undefined;
  return { field: name, expected: 'a value, or no such field', received: 'undefined' };
}

/** Returns why a number, a bigint, a function or a symbol cannot be sent. */
export function unfitValue(value: unknown): Unfit {
  switch (typeof value) {
    case 'number':
      return { expected: 'a finite number', received: `the number ${value}` };
    case 'bigint':
      return { expected: 'Number(x) or String(x)', received: 'a bigint' };
    default:
      return unfitType(typeof value);
  }
}

function unfitType(type: string): Unfit {
  return { expected: 'a value that JSON can hold', received: `a ${type}` };
}

/** Returns why an object with a method among its fields cannot be sent. */
export function unfitMethod(holder: object, name: string): Unfit {
  return describeKind(holder) ?? { field: name, ...unfitType('function') };
}

/** An array that writes its own JSON would not be sent as its items. */
export function unfitArray(items: readonly unknown[]): Unfit | undefined {
  return 'toJSON' in items ? { expected: 'Array.from(x)', received: 'an array with toJSON' } : undefined;
}

interface Kind {
  /** What an object of this kind has. No mark is read, since a getter would run. */
  readonly marks: readonly PropertyKey[];
  readonly cure: string;
  readonly received: string;
}

/**
 * Kinds of objects that stand for a value, by what they have. The first that fits describes an object. A function, so that a bundler can leave
 * it out.
 */
const kindsOf = (): readonly Kind[] => [
  { marks: ['then'], cure: 'its value: await x', received: 'a promise' },
  {
    marks: ['toISOString'],
    cure: 'x.toISOString(), or a number such as Math.floor(x.getTime() / 1000)',
    received: 'a date',
  },
  { marks: ['toISO'], cure: 'x.toISO(), or a number such as x.toSeconds()', received: 'a date of luxon' },
  { marks: ['toNumber'], cure: 'x.toNumber() or String(x)', received: 'an object that holds a number' },
  { marks: ['getAmount'], cure: 'x.getAmount()', received: 'an object of money' },
  {
    marks: ['calculator', 'formatter'],
    cure: 'toSnapshot(x).amount, or toDecimal(x) for a decimal string',
    received: 'an object of money',
  },
  { marks: ['toObject'], cure: 'a plain object: doc.toObject()', received: 'a document' },
  { marks: ['toJS'], cure: 'a plain value: x.toJS()', received: 'a collection' },
  { marks: ['codePointAt'], cure: 'x.valueOf()', received: 'a boxed string' },
  { marks: ['toFixed'], cure: 'x.valueOf()', received: 'a boxed number' },
  { marks: ['href'], cure: 'x.href', received: 'an object that holds a URL' },
  {
    marks: ['entries', 'get', Symbol.iterator],
    cure: 'a plain object: Object.fromEntries(x)',
    received: 'a map',
  },
  { marks: [Symbol.iterator], cure: 'an array: Array.from(x)', received: 'an iterable that is no array' },
  { marks: ['toJSON'], cure: 'a plain object without toJSON: { ...x }', received: 'an object with toJSON' },
];

function describeKind(value: object): Unfit | undefined {
  const kind = kindsOf().find(({ marks }) => marks.every((mark) => mark in value));
  return kind && { expected: kind.cure, received: kind.received };
}

/** Whether a prototype is `Object.prototype`. That of another realm, such as a test runner's, is another object with the same methods. */
export function isObjectPrototype(prototype: object): boolean {
  return Object.hasOwn(prototype, 'isPrototypeOf');
}

/** The prototypes of an object, without `Object.prototype`. */
function* prototypesOf(value: object): Generator<object> {
  for (
    let at: unknown = Object.getPrototypeOf(value);
    typeof at === 'object' && at !== null && !isObjectPrototype(at);
    at = Object.getPrototypeOf(at)
  ) {
    yield at;
  }
}

/** Returns the first property that is more than a method. */
function fieldIn(holder: object, names: readonly string[]): string | undefined {
  return names.find((name) => {
    const property = Object.getOwnPropertyDescriptor(holder, name);
    return property !== undefined && typeof property.value !== 'function';
  });
}

function hiddenField(field: string, received: string): Unfit {
  // The name may be a secret in the wrong place, and only paths are redacted.
  return { field, expected: 'an own enumerable field: copy it, as in { amount: x.amount }', received };
}

/**
 * Returns why an object is not what its own fields say: it stands for a value, as a `Date` does, or code can read fields of it that
 * would not be sent. A refund without its amount would be a full one.
 *
 * @param keys Its own enumerable properties.
 * @param names The names of the fields that are read; `undefined` if any may be.
 */
export function objectFlaw(
  value: object,
  keys: readonly string[],
  names: ReadonlySet<string> | undefined,
): Unfit | undefined {
  const prototypes = [...prototypesOf(value)];
  const isBoxed = prototypes.some((prototype) => Object.hasOwn(prototype, 'valueOf'));
  const isOther = prototypes.length > 0 && (Symbol.iterator in value || 'then' in value);
  if (isBoxed || isOther || 'toJSON' in value) return describeKind(value) ?? boxed;
  for (const prototype of prototypes) {
    const field = fieldIn(prototype, Object.getOwnPropertyNames(prototype));
    if (field !== undefined) return describeKind(value) ?? hiddenField(field, 'a property of the prototype');
  }
  if (prototypes.length > 0 && keys.length === 0) return describeKind(value) ?? empty;
  const hidden = Object.getOwnPropertyNames(value).filter((name) => !keys.includes(name));
  const read = names === undefined ? fieldIn(value, hidden) : hidden.find((name) => names.has(name));
  return read === undefined ? undefined : hiddenField(read, 'a property that is not enumerable');
}

const boxed: Unfit = { expected: 'x.valueOf()', received: 'a boxed value' };
const empty: Unfit = { expected: 'a plain object', received: 'an object without own fields' };
