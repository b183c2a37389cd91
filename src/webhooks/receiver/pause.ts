/** Waits for a time in ms; returns early when the signal aborts or the promise settles. */
export async function pause(
  milliseconds: number,
  signal: AbortSignal,
  other: Promise<unknown>,
): Promise<void> {
  if (signal.aborted) return;
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  const timer = setTimeout(end, milliseconds);
  signal.addEventListener('abort', end, { once: true });
  try {
    await Promise.race([over, other]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

/** Lets timers and I/O run. Not every runtime has `setImmediate`. */
export const nextTurn = () => new Promise<void>((resolve) => setTimeout(resolve, 0));
