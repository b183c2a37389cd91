/** Returns the message of a thrown value, which may be anything, even a value that throws on access. */
export function messageOf(error: unknown): string {
  try {
    const message: unknown = error instanceof Error ? error.message : undefined;
    return typeof message === 'string' ? message : 'a value that is not an Error';
  } catch {
    return 'a value that cannot be read';
  }
}
