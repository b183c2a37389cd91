/** What the tests of `npm test` may cost, in seconds of processor time on the reference machine. */

/** All files together. */
export const tierLimit = 60;

/** One file. */
export const fileLimit = 1;

/** Files that may cost more, and why. */
export const exceptions: Readonly<Record<string, { readonly limit: number; readonly reason: string }>> = {
  'test/engine/engine.test.ts': {
    limit: 4,
    reason: 'It runs 300 operations of a whole merchant with every fault, and makes a failing plan small.',
  },
  'test/engine/planted.test.ts': {
    limit: 5,
    reason: 'It shows for each of 20 promises that a defect breaks it.',
  },
};

/** The only file of `npm test` that starts programs: it shows that two processes share a store. */
export const twoProcesses = 'test/stores/two-processes.test.ts';
