/** How long `expect.poll` asks: long enough for a busy machine, and shorter than a test. */
export const soon = { timeout: 15_000 } as const;
