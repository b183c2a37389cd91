import { formatPath } from './describe.ts';
import { formatIssue, type Issue } from './issue.ts';
import {
  jsonValue,
  objectFlaw,
  type Unfit,
  unfitArray,
  unfitUndefined,
  unfitValue,
  unreadable,
} from './unfit.ts';

/** Any object that is not an array, with its fields unknown. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A copy of what a caller passed, or why there is none. */
export type Snapshot = { readonly value: unknown } | { readonly issue: Issue };

export interface SnapshotOptions {
  /** Whether a field of this name is read. Another hidden property is not an error. Default: unknown, so each one is. */
  readonly isRead?: ((name: string) => boolean) | undefined;
  /** Whether fields are sorted by name, so that equal values give equal texts. Default: they keep their order. */
  readonly sorted?: boolean | undefined;
  /** The fields of the whole object that are passed on as they are, such as a signal. Default: none. */
  readonly uncopied?: readonly string[] | undefined;
}

/** Ends a copy. Each object on the way out adds its place to the path. */
class Refusal {
  readonly words: Omit<Issue, 'path'>;
  readonly path: (string | number)[] = [];

  constructor({ field, ...words }: Unfit) {
    this.words = words;
    if (field !== undefined) this.path.push(field);
  }

  /** Returns the refusal for what was thrown at a place. Anything else comes from the caller's object: a getter or a proxy. */
  static at(place: string | number, thrown: unknown): Refusal {
    const refusal = thrown instanceof Refusal ? thrown : new Refusal(unreadable);
    refusal.path.unshift(place);
    return refusal;
  }
}

/** Deeper than any parameters, and no deeper than `JSON.stringify` can go. */
const maxDepth = 100;
/** Few programs read a field of this name as a field, and the schemas skip it. */
const prototypeField: Unfit = { expected: 'a field with another name', received: 'one named __proto__' };
const tooDeep: Unfit = { expected: `at most ${maxDepth} levels`, received: 'more' };

function copy(value: unknown, options: SnapshotOptions, around: object[]): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return value;
    case 'object': {
      if (value === null) return value;
      if (around.length === maxDepth) throw new Refusal(tooDeep);
      if (around.includes(value)) throw new Refusal({ expected: jsonValue, received: 'a cycle' });
      around.push(value);
      const copied = Array.isArray(value)
        ? copyArray(value, options, around)
        : copyObject(value, options, around);
      around.pop();
      return copied;
    }
    default:
      if (typeof value === 'number' && Number.isFinite(value)) return value;
      throw new Refusal(unfitValue(value));
  }
}

function copyArray(items: readonly unknown[], options: SnapshotOptions, around: object[]): unknown[] {
  const flaw = unfitArray(items);
  if (flaw !== undefined) throw new Refusal(flaw);
  const copied: unknown[] = [];
  const { length } = items;
  for (let index = 0; index < length; index += 1) {
    try {
      const item = items[index];
      if (item === undefined) throw new Refusal({ expected: 'a value in each place', received: 'undefined' });
      copied.push(copy(item, options, around));
    } catch (thrown) {
      throw Refusal.at(index, thrown);
    }
  }
  return copied;
}

function copyObject(value: object, options: SnapshotOptions, around: object[]): object {
  const keys = Object.keys(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === Object.prototype || prototype === null;
  const hidesNothing = isPlain && Object.getOwnPropertyNames(value).length === keys.length;
  const flaw = hidesNothing ? undefined : objectFlaw(value, keys, options.isRead);
  if (flaw !== undefined) throw new Refusal(flaw);
  const uncopied = around.length === 1 ? options.uncopied : undefined;
  // Without a prototype, a field that is missing here is missing for every reader.
  const copied: Record<string, unknown> = Object.create(null);
  for (const key of options.sorted ? keys.sort() : keys) {
    try {
      if (key === '__proto__') throw new Refusal(prototypeField);
      const field: unknown = Reflect.get(value, key);
      const unfit = field === undefined ? unfitUndefined(key) : undefined;
      if (unfit !== undefined) throw new Refusal(unfit);
      copied[key] = uncopied?.includes(key) ? field : copy(field, options, around);
    } catch (thrown) {
      throw Refusal.at(key, thrown);
    }
  }
  return copied;
}

/**
 * Copies a value that a caller passed, as JSON holds it: own enumerable properties, each read once. Never calls `toJSON`. Checks,
 * keys and bytes come from the copy, so that what was checked is what is sent, whatever the object answers next time.
 */
export function snapshot(value: unknown, options: SnapshotOptions = {}): Snapshot {
  try {
    return { value: copy(value, options, []) };
  } catch (thrown) {
    const { path, words } = thrown instanceof Refusal ? thrown : new Refusal(unreadable);
    return { issue: { path: formatPath(path), ...words } };
  }
}

/**
 * Serializes a value of our own with sorted keys, so that equal values give equal texts.
 *
 * @throws TypeError for a value that JSON would lose.
 */
export function stringifyCanonical(value: unknown): string {
  const copied = snapshot(value, { sorted: true });
  if ('issue' in copied) throw new TypeError(formatIssue(copied.issue));
  return JSON.stringify(copied.value);
}

/** Parses JSON; `undefined` if the text is not JSON. */
export function parseJson(text: string, reviver?: (name: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(text, reviver);
  } catch {
    return undefined;
  }
}
