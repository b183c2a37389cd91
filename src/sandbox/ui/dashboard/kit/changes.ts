const listeners = new Set<() => void>();
/** Between two reloads, in milliseconds: a busy sandbox must not make the page stutter. */
const pause = 250;

let isPlanned = false;

/** Reloads what is shown, at most four times a second: the sandbox did something. */
export function touch(): void {
  if (isPlanned) return;
  isPlanned = true;
  setTimeout(() => {
    isPlanned = false;
    for (const listener of [...listeners]) listener();
  }, pause);
}

/** Calls a listener when the sandbox did something. Returns what ends it. */
export function onChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
