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
