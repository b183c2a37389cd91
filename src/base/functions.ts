import { isRecord } from './json.ts';

/** Returns a function that makes a value at its first call, and returns the same one from then on. */
export function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Returns the code of a runtime's error, such as `ENOENT`; `undefined` without one. */
export function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Returns the message of a thrown value, even of one that throws on access. */
export function messageOf(error: unknown): string {
  try {
    const message: unknown = error instanceof Error ? error.message : undefined;
    return typeof message === 'string' ? message : 'a value that is not an Error';
  } catch {
    return 'a value that cannot be read';
  }
}

/** Whether a value is a promise, of whatever class or realm. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return isRecord(value) && typeof value['then'] === 'function';
}

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

/**
 * Runs work for each item of a list, at most so many at once. If the list fails, waits for the work that has begun, and throws the same.
 *
 * @param work Must not throw.
 */
export async function forEachAtOnce<Item>(
  concurrency: number,
  items: AsyncGenerator<Item, void>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  // All of them take their next item from one generator, which hands out each item once.
  const worker = async () => {
    for await (const item of items) await work(item);
  };
  const ended = await Promise.allSettled(Array.from({ length: concurrency }, worker));
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
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

/**
 * The key of a hook that runs the sending of each attempt, so that a span can be active meanwhile. Internal: only `openTelemetry()` sets it.
 * The ES modules and the CommonJS build share it.
 */
export const aroundAttempt: unique symbol = Symbol.for('payments-client/around-attempt');

/** Calls `send` at once. Its own result or error does not affect the attempt. */
export type AroundAttempt = (callId: string, send: () => unknown) => unknown;
