const listeners = new Set<() => void>();
/** The minimum time between two reloads, in milliseconds, so that a busy sandbox does not slow down the page. */
const settlingTime = 250;

let isPlanned = false;

/** Reloads the visible data after an activity of the sandbox, at most four times a second. */
export function touch(): void {
  if (isPlanned) return;
  isPlanned = true;
  setTimeout(() => {
    isPlanned = false;
    for (const listener of Array.from(listeners)) listener();
  }, settlingTime);
}

/** Calls a listener after activities of the sandbox. Returns a function that unsubscribes it. */
export function onChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
