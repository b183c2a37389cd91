/** A callback of the page. */
export type Callback<T> = (result: T) => void;

/**
 * Checks that the page passed a function.
 *
 * @throws TypeError for anything else.
 */
export function checkCallback<T>(name: string, callback: Callback<T>): void {
  if (typeof callback === 'function') return;
  throw new TypeError(
    `${name}: expected callback to be a function, got ${typeof callback}. Pass a function.`,
  );
}

/** Calls the page's callback. Its errors propagate to the page's own error handlers. */
export function invokeLater<T>(callback: Callback<T>, result: T): void {
  queueMicrotask(() => callback(result));
}

/** Logs an error that a callback cannot report. The message never contains a token. */
export function logError(name: string, error: unknown): void {
  const reason = error instanceof Error ? error.message : 'an unknown failure';
  // biome-ignore lint/suspicious/noConsole: the page's developer looks there, and no callback reports errors.
  console.error(`${name}: ${reason}`);
}
