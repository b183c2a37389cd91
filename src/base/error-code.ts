/** Returns the code of a runtime's error, such as `ENOENT`; `undefined` without one. */
export function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
