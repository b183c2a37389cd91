/**
 * Counts what the runtime's `fetch` carries. To be imported before the package: the build for Node sends by a `fetch` that was
 * replaced after it was loaded.
 */

let count = 0;
const { fetch } = globalThis;
globalThis.fetch = (...args) => {
  count += 1;
  return fetch(...args);
};

/** How many requests the runtime's `fetch` carried so far. */
export function countFetches(): number {
  return count;
}
