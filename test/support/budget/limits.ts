/** What the tests of `npm test` may cost, in seconds of processor time on the reference machine. */

/** All files together. */
export const tierLimit = 30;

/** One file. */
export const fileLimit = 1;

/** Files that may cost more, and why: none. */
export const exceptions: Readonly<Record<string, { readonly limit: number; readonly reason: string }>> = {};

/** The only file of `npm test` that starts programs: it shows that two processes share a store. */
export const twoProcesses = 'test/stores/two-processes.test.ts';
