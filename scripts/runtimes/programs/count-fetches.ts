/** Counts the requests of the runtime's `fetch`. */

let count = 0;
const { fetch } = globalThis;
globalThis.fetch = (...args) => {
  count += 1;
  return fetch(...args);
};

/** Returns the number of requests that the runtime's `fetch` has sent. */
export function countFetches(): number {
  return count;
}
