import { isThenable } from './thenable.ts';

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
    if (isThenable(result)) Promise.resolve(result).catch(fail);
  } catch (error) {
    fail(error);
  }
}

/** Runs work within an instrument: exactly once, whatever the instrument does. Its errors never reach the caller. */
export function runWithin<Result>(
  instrument: (run: () => Promise<Result>) => unknown,
  work: () => Promise<Result>,
): Promise<Result> {
  let result: Promise<Result> | undefined;
  const once = () => (result ??= work());
  isolate(() => instrument(once));
  return once();
}
