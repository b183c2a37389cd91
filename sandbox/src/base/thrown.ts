/** Returns the code of a runtime's error, such as `ENOENT`; `undefined` without one. */
export function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Returns the message of a thrown value, even of one that throws on access. */
export function messageOf(error: unknown): string {
  try {
    const message: unknown = error instanceof Error ? error.message : undefined;
    return typeof message === 'string' ? message : 'a value that is not an Error';
  } catch {
    return 'a value that cannot be read';
  }
}
