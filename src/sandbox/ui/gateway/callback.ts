/** A function of the page that is called when there is a result. */
export type Callback<T> = (result: T) => void;

/**
 * Checks that a page gave a function.
 *
 * @throws TypeError for anything else.
 */
export function checkCallback<T>(name: string, callback: Callback<T>): void {
  if (typeof callback === 'function') return;
  throw new TypeError(
    `${name}: expected callback to be a function, got ${typeof callback}. Give a function.`,
  );
}

/** Calls a page back. What the page throws is the page's own, and reaches its error handlers. */
export function callBack<T>(callback: Callback<T>, result: T): void {
  queueMicrotask(() => callback(result));
}

/** Says what a callback cannot. It never has a token in it. */
export function complain(name: string, error: unknown): void {
  const reason = error instanceof Error ? error.message : 'an unknown failure';
  // biome-ignore lint/suspicious/noConsole: whoever builds the page looks there, and it has no other way to hear it.
  console.error(`${name}: ${reason}`);
}
