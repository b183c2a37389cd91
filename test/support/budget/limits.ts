/** What the tests of `npm test` may cost, in seconds of processor time on the reference machine. */

/** All files together. */
export const tierLimit = 60;

/** One file. */
export const fileLimit = 1;

/** Files that may cost more, and why. */
export const exceptions: Readonly<Record<string, { readonly limit: number; readonly reason: string }>> = {
  'test/faults/connections.test.ts': {
    limit: 1.5,
    reason: 'It fills network buffers, and sends bodies byte by byte until a time-out, on both transports.',
  },
  'test/faults/bodies.test.ts': {
    limit: 2,
    reason: 'It reads bodies of 32 MiB, which is the bound, on both transports.',
  },
};

/** The only file of `npm test` that starts programs: it shows that two processes share a store. */
export const twoProcesses = 'test/stores/two-processes.test.ts';
