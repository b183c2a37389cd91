/** The message of something that was thrown, which may be anything: asking it may throw, too. */
export function messageOf(error: unknown): string {
  try {
    const message: unknown = error instanceof Error ? error.message : undefined;
    return typeof message === 'string' ? message : 'a value that is not an Error';
  } catch {
    return 'a value that cannot be read';
  }
}
