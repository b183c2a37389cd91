import type { Issue } from '../issue.ts';

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

/** How far a word may be from the one that was meant. Nearly any short word is two edits from another one. */
function reach({ length }: string): number {
  return length <= 3 ? 1 : Math.max(2, Math.floor(length / 4));
}

/** Returns the known word that is nearest to another one; `undefined` if none is within `furthest` edits. */
export function nearest(word: string, known: readonly string[], furthest = reach(word)): string | undefined {
  if (word.length > maxLength) return undefined;
  const ranked = known
    .map((candidate) => ({ candidate, far: distance(word, candidate) }))
    .sort((one, other) => one.far - other.far);
  const [best] = ranked;
  return best !== undefined && best.far <= furthest ? best.candidate : undefined;
}

function withoutStyle(name: string): string {
  return name.toLowerCase().replaceAll('_', '');
}

/** Shorter words, such as `id`, stand in too many others. */
const minLength = 5;

/** Whether one word holds the other, as `amount_to_capture` holds `amount`. */
function resembles(word: string, other: string): boolean {
  const [short = '', long = ''] = [withoutStyle(word), withoutStyle(other)].sort(
    (a, b) => a.length - b.length,
  );
  return short.length >= minLength && long.includes(short);
}

type Names = Readonly<Record<string, string>>;

function entryOf(table: Names, name: string): string | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Returns the known word that was probably meant: in another style, or misspelt. */
function meant(word: string, known: readonly string[], others: Names): string | undefined {
  const plain = withoutStyle(word);
  const elsewhere = entryOf(others, word) ?? entryOf(others, plain);
  return known.find((one) => one === elsewhere || withoutStyle(one) === plain) ?? nearest(word, known);
}

/**
 * Returns the known word that was probably meant, as a question in brackets; empty where none is near.
 *
 * @param others Words that somebody may write instead, with ours.
 */
export function meantBy(word: string, known: readonly string[], others: Names = {}): string {
  const found = meant(word, known, others);
  return found === undefined ? '' : ` (${question(found)})`;
}

function question(word: string): string {
  return `did you mean '${word}'?`;
}

/** Names that other SDKs and forms have for an option or a field. */
const namesElsewhere: Names = {
  amt: 'amount',
  apikey: 'secretKey',
  cancelatend: 'cancel_at_period_end',
  cvc: 'cvv',
  cvv2: 'cvv',
  host: 'baseUrl',
  maxnetworkretries: 'maxRetries',
  plan: 'price',
  postalcode: 'zip',
  price: 'amount',
  securitycode: 'cvv',
  sum: 'amount',
  total: 'amount',
  value: 'amount',
  zipcode: 'zip',
};

/** Parameters of other SDKs that a service would ignore in silence, and what to write instead. */
const callsElsewhere: Names = {
  confirm: 'it is a call of its own: paymentIntents.confirm(id, …)',
  expand: 'retrieve the other object by its id',
};

/** Parameters of other SDKs that change what is charged, or when, and that the interface does not show. */
const onlyElsewhere =
  /^(application_fee_amount|automatic_payment_methods|coupon|discounts|final_capture|promotion_code|\w+_data|trial_\w+)$/;

/** Returns what to write in place of a parameter of another SDK; `undefined` if the name is of none. */
function callInPlaceOf(written: string): string | undefined {
  const name = written.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return entryOf(callsElsewhere, name) ?? (onlyElsewhere.test(name) ? 'another service has it' : undefined);
}

/** Returns the words of an issue for an unknown name: the name that was probably meant, or all that are known. */
export function unknownName(name: string, known: readonly string[]): Omit<Issue, 'path'> {
  const hint = meantBy(name, known, namesElsewhere);
  return {
    expected: hint === '' ? `one of ${known.join(', ')}` : 'a known name',
    received: `an unknown option${hint}`,
  };
}

/** Whether a name is one of these in another style, or with a letter or two that are wrong. */
export function isMisspelt(name: string, known: readonly string[]): boolean {
  return (
    known.some((one) => withoutStyle(one) === withoutStyle(name)) || nearest(name, known, 2) !== undefined
  );
}

/**
 * Returns what to write in place of a parameter that is not known; `undefined` if nothing is near.
 *
 * @param absent The known parameters that were not passed.
 * @param within The names of the fields of lists and objects, by the parameter that holds them.
 */
export function inPlaceOf(
  name: string,
  absent: readonly string[],
  within: Readonly<Record<string, readonly string[]>>,
): string | undefined {
  const instead = callInPlaceOf(name);
  if (instead !== undefined) return instead;
  const found = meant(name, absent, namesElsewhere) ?? absent.find((one) => resembles(name, one));
  if (found !== undefined) return question(found);
  const names = [name, entryOf(namesElsewhere, withoutStyle(name))];
  const [holder, field] = Object.entries(within).flatMap(([one, fields]) => {
    const known = fields.find((each) => names.includes(each));
    return known === undefined ? [] : [one, known];
  });
  return holder === undefined ? undefined : `did you mean '${field}' of '${holder}'?`;
}

/** Whether a message may repeat the name of a field. Other text may be a secret, or control a terminal; two digits are in none. */
export function isPlainName(name: string): boolean {
  return /^[A-Za-z_]{1,38}\d{0,2}$/.test(name);
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
