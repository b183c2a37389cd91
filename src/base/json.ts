import { formatPath } from './describe.ts';
import { formatIssue, type Issue } from './issue.ts';
import {
  objectFlaw,
  type Unfit,
  unfitArray,
  unfitMethod,
  unfitUndefined,
  unfitValue,
  unreadable,
} from './unfit.ts';

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

/** A copy of what a caller passed, or why there is none. */
export type Snapshot = { readonly value: unknown } | { readonly issue: Issue };

/** How {@link snapshot} reads an object. */
export interface SnapshotOptions {
  /** The names of the fields that are read. Another hidden property is not an error. Default: unknown, so each one is. */
  readonly names?: ReadonlySet<string> | undefined;
  /** Whether fields are sorted by name, so that equal values give equal texts. Default: they keep their order. */
  readonly sorted?: boolean | undefined;
  /** The fields of the whole object that are passed on as they are, such as a signal. Default: none. */
  readonly uncopied?: readonly string[] | undefined;
}

/** Ends a walk. */
class Refusal {
  readonly unfit: Unfit;

  constructor(unfit: Unfit) {
    this.unfit = unfit;
  }
}

/** Deeper than any parameters, and no deeper than `JSON.stringify` can go. */
const maxDepth = 100;

/** One walk through a value. It remembers where it is, so that a refusal has a path. */
class Walk {
  readonly #options: SnapshotOptions;
  readonly #path: (string | number)[] = [];
  readonly #around: object[] = [];

  constructor(options: SnapshotOptions) {
    this.#options = options;
  }

  run(value: unknown): Snapshot {
    try {
      return { value: this.#copy(value) };
    } catch (error) {
      // Anything else comes from the caller's object: a getter or a proxy.
      const { field, ...words } = error instanceof Refusal ? error.unfit : unreadable;
      const path = field === undefined ? this.#path : [...this.#path, field];
      return { issue: { path: formatPath(path), ...words } };
    }
  }

  #copy(value: unknown): unknown {
    switch (typeof value) {
      case 'string':
      case 'boolean':
      case 'undefined':
        return value;
      case 'object':
        if (value === null) return value;
        return Array.isArray(value) ? this.#copyArray(value) : this.#copyObject(value);
      default:
        if (typeof value === 'number' && Number.isFinite(value)) return value;
        throw new Refusal(unfitValue(value));
    }
  }

  #enter(value: object): number {
    const depth = this.#around.length;
    if (depth === maxDepth) throw new Refusal({ expected: `at most ${maxDepth} levels`, received: 'more' });
    if (this.#around.includes(value)) {
      throw new Refusal({ expected: 'a value that JSON can hold', received: 'a cycle' });
    }
    this.#around.push(value);
    return depth;
  }

  #leave(depth: number): void {
    this.#around.length = depth;
    this.#path.length = depth;
  }

  #copyField(holder: object, name: string, value: unknown): unknown {
    if (value !== undefined && typeof value !== 'function') return this.#copy(value);
    const unfit = value === undefined ? unfitUndefined(name) : unfitMethod(holder, name);
    if (unfit === undefined) return undefined;
    this.#path.pop();
    throw new Refusal(unfit);
  }

  #copyArray(items: readonly unknown[]): unknown[] {
    const flaw = unfitArray(items);
    if (flaw !== undefined) throw new Refusal(flaw);
    const depth = this.#enter(items);
    const copy: unknown[] = [];
    const { length } = items;
    for (let index = 0; index < length; index += 1) {
      this.#path[depth] = index;
      const item = items[index];
      if (item === undefined) throw new Refusal({ expected: 'a value in each place', received: 'undefined' });
      copy.push(this.#copy(item));
    }
    this.#leave(depth);
    return copy;
  }

  #copyObject(value: object): object {
    const depth = this.#enter(value);
    const { names, sorted, uncopied } = this.#options;
    const passedOn = depth === 0 ? uncopied : undefined;
    const keys = Object.keys(value);
    if (!isPlain(value, keys)) {
      const flaw = objectFlaw(value, keys, names);
      if (flaw !== undefined) throw new Refusal(flaw);
    }
    // Without a prototype, a field that is missing here is missing for every reader, and `__proto__` is a name like any other.
    const copy: Record<string, unknown> = Object.create(null);
    for (const key of sorted !== true || isSorted(keys) ? keys : keys.sort()) {
      this.#path[depth] = key;
      const field: unknown = Reflect.get(value, key);
      copy[key] = passedOn?.includes(key) ? field : this.#copyField(value, key, field);
    }
    this.#leave(depth);
    return copy;
  }
}

/** Whether an object has nothing but the properties that `Object.keys` lists. */
function isPlain(value: object, keys: readonly string[]): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return Object.getOwnPropertyNames(value).length === keys.length;
}

/**
 * Copies a value that a caller passed, as JSON holds it: own enumerable properties, each read once. Never calls `toJSON`. Checks,
 * keys and bytes come from the copy, so that what was checked is what is sent, whatever the object answers next time.
 */
export function snapshot(value: unknown, options: SnapshotOptions = {}): Snapshot {
  return new Walk(options).run(value);
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
