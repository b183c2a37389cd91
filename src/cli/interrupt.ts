/** Waits until the process is told to end, and keeps it from ending before its work is put down. */
export function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      // The second time, whoever waits is in a hurry.
      process.off('SIGINT', end);
      process.off('SIGTERM', end);
      resolve();
    };
    process.on('SIGINT', end);
    process.on('SIGTERM', end);
  });
}
