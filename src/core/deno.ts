/**
 * Whether this is Deno. Its `fetch` and its `node:http` send a request a second time, by themselves, where a kept connection
 * breaks, and a charge might be made twice.
 */
export const isDeno = 'Deno' in globalThis;
