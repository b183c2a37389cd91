/** Options of `expect.poll`: a timeout that is long enough for a busy machine, and shorter than a test's. */
export const pollTimeout = { timeout: 60_000 } as const;
