/**
 * Counts the requests of the runtime's `fetch`. Import it before the package: the build for Node uses a `fetch` that
 * was replaced after loading.
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
