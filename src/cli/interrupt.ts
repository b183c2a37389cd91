const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Waits for a signal to stop, or for the terminal to close. A second signal ends the process immediately. */
export function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      for (const signal of signals) process.off(signal, end);
      resolve();
    };
    for (const signal of signals) process.on(signal, end);
  });
}
