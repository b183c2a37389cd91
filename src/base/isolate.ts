function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/** Runs an observer of the user. Its errors and rejections go to `onFailure` and never reach the caller. */
export function isolate(run: () => unknown, onFailure: (error: unknown) => void = () => {}): void {
  const fail = (error: unknown) => {
    try {
      onFailure(error);
    } catch {
      // A failure while reporting a failure has nowhere to go.
    }
  };
  try {
    const result = run();
    // Not `instanceof Promise`, which misses promises of other realms.
    if (isThenable(result)) Promise.resolve(result).catch(fail);
  } catch (error) {
    fail(error);
  }
}
