/** Runs code of the user that only watches. Neither its throw nor its rejection reaches the work that it watches. */
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
    if (result instanceof Promise) result.catch(fail);
  } catch (error) {
    fail(error);
  }
}
