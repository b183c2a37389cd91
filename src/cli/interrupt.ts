const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Waits until the process is told to end, or its terminal is closed. A second signal ends the process at once. */
export function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      for (const signal of signals) process.off(signal, end);
      resolve();
    };
    for (const signal of signals) process.on(signal, end);
  });
}
