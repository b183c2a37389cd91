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

function withSortedKeys(_key: string, value: unknown): unknown {
  if (!isRecord(value)) return value;
  const keys = Object.keys(value);
  if (isSorted(keys)) return value;
  return Object.fromEntries(keys.sort().map((key) => [key, value[key]]));
}

/**
 * Serializes with sorted keys. The service refuses a known idempotency key with another body, so a caller that builds
 * the same parameters after a restart must send the same bytes, whatever the order of its fields.
 *
 * @throws TypeError for a value that JSON cannot hold: a cycle or a bigint.
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
