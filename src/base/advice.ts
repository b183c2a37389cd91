import type { Issue } from './issue.ts';

function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [column, candidate] of [...other].entries()) {
      const replaced = (row[column] ?? 0) + (letter === candidate ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Longer than any option or command. Comparing takes quadratic time. */
const maxLength = 40;

/** Returns the word that was probably meant; `undefined` if none is within `furthest` edits. */
function nearest(
  word: string,
  known: readonly string[],
  furthest = Math.max(2, Math.floor(word.length / 4)),
): string | undefined {
  if (word.length > maxLength) return undefined;
  const ranked = known
    .map((candidate) => ({ candidate, far: distance(word, candidate) }))
    .sort((one, other) => one.far - other.far);
  const [best] = ranked;
  return best !== undefined && best.far <= furthest ? best.candidate : undefined;
}

/**
 * Returns the known word that was probably meant, as a question in brackets; empty where none is near.
 *
 * @param others Words that somebody may write instead, with ours.
 */
export function meantBy(
  word: string,
  known: readonly string[],
  others: Readonly<Record<string, string>> = {},
): string {
  const meant = Object.hasOwn(others, word) ? others[word] : nearest(word, known);
  return meant === undefined ? '' : ` (did you mean '${meant}'?)`;
}

type Names = Readonly<Record<string, string>>;

/** Options that other SDKs call by another name. */
const optionsElsewhere: Names = { apikey: 'secretKey', host: 'baseUrl', maxnetworkretries: 'maxRetries' };

/** Fields that other SDKs and forms call by another name. */
const fieldsElsewhere: Names = {
  cvc: 'cvv',
  cvv2: 'cvv',
  postalcode: 'zip',
  securitycode: 'cvv',
  zipcode: 'zip',
};

/** Parameters of other SDKs that a service would ignore in silence, and what to write instead. */
const callsElsewhere: Names = {
  amount: 'only a line has one',
  confirm: 'it is a call of its own: paymentIntents.confirm(id, …)',
  expand: 'retrieve the other object by its id',
  price: 'a line has an amount, an item a price',
};

/** Parameters of other SDKs that change what is charged, or when, and that the interface does not show. */
const onlyElsewhere =
  /^(application_fee_amount|automatic_payment_methods|discounts|final_capture|\w+_data|trial_\w+)$/;

function entryOf(table: Names, name: string): string | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Returns what to write in place of a parameter of another SDK; `undefined` if the name is of none. */
export function callInPlaceOf(name: string): string | undefined {
  return entryOf(callsElsewhere, name) ?? (onlyElsewhere.test(name) ? 'another service has it' : undefined);
}

/** Returns the words of an issue for an unknown name: the name that was probably meant, or all that are known. */
export function unknownName(name: string, known: readonly string[]): Omit<Issue, 'path'> {
  const meant = meantBy(entryOf(optionsElsewhere, withoutStyle(name)) ?? name, known);
  return {
    expected: meant === '' ? `one of ${known.join(', ')}` : 'a known name',
    received: `an unknown option${meant}`,
  };
}

function withoutStyle(name: string): string {
  return name.toLowerCase().replaceAll('_', '');
}

/** Shorter names, such as `id`, stand in too many others. */
const minLength = 5;

/** Whether one name holds the other, as `amount_to_capture` holds `amount`. */
function resembles(name: string, other: string): boolean {
  const [short = '', long = ''] = [withoutStyle(name), withoutStyle(other)].sort(
    (a, b) => a.length - b.length,
  );
  return short.length >= minLength && long.includes(short);
}

/**
 * Returns the name of the field that was probably meant, whatever its style and its length.
 *
 * @param loosely Whether it is enough that one name holds the other.
 */
export function meantByField(name: string, known: readonly string[], loosely: boolean): string | undefined {
  const plain = withoutStyle(name);
  const elsewhere = entryOf(fieldsElsewhere, plain);
  const exact = known.find((one) => withoutStyle(one) === plain || one === elsewhere);
  const near = exact ?? (name.length > 4 ? nearest(name, known, 2) : undefined);
  if (near !== undefined || !loosely) return near;
  const similar = known.filter((one) => resembles(name, one));
  return nearest(name, similar, Number.POSITIVE_INFINITY) ?? similar[0];
}

export interface Misnamed extends Issue {
  readonly name: string;
}

/** Whether a message may repeat the name of a field. Other text may be a secret, or control a terminal; one digit is in none. */
export function isPlainName(name: string): boolean {
  return /^[A-Za-z_]{1,39}\d?$/.test(name);
}

/** Returns an issue for each name of an object that is not known. */
export function unknownNames(path: string, given: object, known: readonly string[]): Issue[] {
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  return unknown.map((name) => ({ path: `${path}.${name}`, ...unknownName(name, known) }));
}

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
