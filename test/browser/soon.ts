/** How long `expect.poll` polls: long enough for a busy machine, but shorter than a test. */
export const soon = { timeout: 15_000 } as const;
