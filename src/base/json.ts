import { formatIssue, formatPath, type Issue } from './issue.ts';
import { objectFlaw } from './schema/advice.ts';

/** Any object that is not an array, with its fields unknown. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A copy of what a caller passed, or why there is none. */
export type Snapshot = { readonly value: unknown } | { readonly issue: Issue };

interface SnapshotOptions {
  /**
   * Returns whether a field of a name is read: another hidden property is not an error. Called only for an object that is not plain. Default:
   * unknown, so each one is.
   */
  readonly reader?: (() => ((name: string) => boolean) | undefined) | undefined;
  /** Whether fields are sorted by name, so that equal values give equal texts. Default: they keep their order. */
  readonly sorted?: boolean | undefined;
  /** The fields of the whole object that are passed on as they are, such as a signal. Default: none. */
  readonly uncopied?: readonly string[] | undefined;
}

/** Ends a copy. Each object on the way out adds its place to the path. */
class Refusal {
  readonly words: Omit<Issue, 'path'>;
  readonly path: (string | number)[];

  constructor(expected: string, received: string, ...path: string[]) {
    this.words = { expected, received };
    this.path = path;
  }

  /** Returns the refusal for what was thrown at a place: if by a getter or a proxy, it may hold anything, so it is not repeated. */
  static at(thrown: unknown, ...place: (string | number)[]): Refusal {
    const refusal =
      thrown instanceof Refusal
        ? thrown
        : new Refusal('a value that can be read', 'a getter or a proxy that throws');
    refusal.path.unshift(...place);
    return refusal;
  }
}

/** Deeper than any parameters, and no deeper than `JSON.stringify` can go. */
const maxDepth = 100;
const jsonValue = 'a value that JSON can hold';
/** Fields that say how much. Leaving one out may mean all of it. */
export const howMuch = /amount|quantity/i;

/**
 * Fields that say where a browser goes, such as `success_url`. A service may read `success_url[]`, `success_url[0]` and `success_url ` as the
 * same field.
 */
// oxlint-disable-next-line no-control-regex -- some services end a name at NUL.
const whereTo = /ur[il]s?[\s\0]*(?:[[\]]|$)/i;
/** The schemes of addresses that run code, or show content of another origin or of the buyer's machine, in the name of the shop. */
const unsafeScheme = /^(?:javascript|data|vbscript|blob|file):/i;

/** Refuses an address that must not be a link, as a browser reads it: it ignores blanks before it, and tabs and newlines anywhere. */
function refuseUnsafe(address: string): void {
  // oxlint-disable-next-line no-control-regex -- these are what a browser ignores.
  const read = address.replace(/[\t\n\r]/g, '').replace(/^[\0- ]+/, '');
  const [scheme] = unsafeScheme.exec(read) ?? [];
  if (scheme === undefined) return;
  throw new Refusal('the URL of a page or of an app', `one that starts with ${scheme.toLowerCase()}`);
}

/** @param isAddress Whether the value is in a field that says where a browser goes, at any depth. */
function copy(value: unknown, options: SnapshotOptions, around: object[], isAddress: boolean): unknown {
  switch (typeof value) {
    case 'string':
      if (isAddress) refuseUnsafe(value);
      return value;
    case 'boolean':
    case 'undefined':
      return value;
    case 'object': {
      if (value === null) return value;
      if (around.length === maxDepth) throw new Refusal(`at most ${maxDepth} levels`, 'more');
      if (around.includes(value)) throw new Refusal(jsonValue, 'a cycle');
      around.push(value);
      const copied = Array.isArray(value)
        ? copyArray(value, options, around, isAddress)
        : copyObject(value, options, around, isAddress);
      around.pop();
      return copied;
    }
    default:
      if (typeof value === 'number' && Number.isFinite(value)) return value;
      if (typeof value === 'number') throw new Refusal('a finite number', `the number ${value}`);
      if (typeof value === 'bigint') throw new Refusal('Number(x) or String(x)', 'a bigint');
      throw new Refusal(jsonValue, `a ${typeof value}`);
  }
}

function copyArray(
  items: readonly unknown[],
  options: SnapshotOptions,
  around: object[],
  isAddress: boolean,
): unknown[] {
  // One that writes its own JSON would not be sent as its items.
  if ('toJSON' in items) throw new Refusal('Array.from(x)', 'an array with toJSON');
  const copied: unknown[] = [];
  const { length } = items;
  for (let index = 0; index < length; index += 1) {
    try {
      const item = items[index];
      if (item === undefined) throw new Refusal('a value in each place', 'undefined');
      copied.push(copy(item, options, around, isAddress));
    } catch (thrown) {
      throw Refusal.at(thrown, index);
    }
  }
  return copied;
}

function copyObject(value: object, options: SnapshotOptions, around: object[], isAddress: boolean): object {
  const keys = Object.keys(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === Object.prototype || prototype === null;
  const hidesNothing = isPlain && Object.getOwnPropertyNames(value).length === keys.length;
  const flaw = hidesNothing ? undefined : objectFlaw(value, keys, options.reader?.());
  if (flaw !== undefined) throw new Refusal(...flaw);
  const uncopied = around.length === 1 ? options.uncopied : undefined;
  // Without a prototype, a field that is missing here is missing for every reader.
  const copied: Record<string, unknown> = Object.create(null);
  for (const key of options.sorted ? keys.sort() : keys) {
    try {
      // Few programs read a field of this name as a field, and the schemas skip it.
      if (key === '__proto__') throw new Refusal('a field with another name', 'one named __proto__');
      const field: unknown = Reflect.get(value, key);
      if (field === undefined && howMuch.test(key))
        throw new Refusal('a value, or no such field', 'undefined');
      copied[key] = uncopied?.includes(key)
        ? field
        : copy(field, options, around, isAddress || whereTo.test(key));
    } catch (thrown) {
      throw Refusal.at(thrown, key);
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
    return { value: copy(value, options, [], false) };
  } catch (thrown) {
    const { path, words } = Refusal.at(thrown);
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
