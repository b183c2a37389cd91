/** Waits for a time in ms, or less: until the signal is aborted or the promise settles. */
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
