import { useEffect, useState } from 'preact/hooks';
import { get } from './api.ts';
import { onChange } from './changes.ts';

/** The loaded state of a path of the control API. */
export interface Load<T> {
  /** The newest response; `undefined` before the first. It stays during a reload. */
  readonly data: T | undefined;
  /** The error of the last attempt. */
  readonly error: Error | undefined;
}

/** The newest answers by path, so that a page that Back returns to is there at once. */
const answers = new Map<string, unknown>();
const mostAnswers = 20;

function remember(path: string, data: unknown): void {
  answers.delete(path);
  answers.set(path, data);
  const [oldest] = answers.keys();
  if (answers.size > mostAnswers && oldest !== undefined) answers.delete(oldest);
}

function remembered<T>(path: string): Load<T> {
  // A path always has the same type.
  return { data: answers.get(path) as T | undefined, error: undefined };
}

function errorOf(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

/** Loads a path repeatedly, one request at a time. A reload during a request runs once after it. */
function loader<T>(path: string, show: (load: Load<T>) => void): { reload: () => void; stop: () => void } {
  let isWanted = false;
  let isRunning = false;
  let isStopped = false;
  let data: T | undefined;
  const run = async (): Promise<void> => {
    isRunning = true;
    while (isWanted && !isStopped) {
      isWanted = false;
      const load = await get<T>(path).then(
        (answer) => ({ data: answer, error: undefined }),
        (reason: unknown) => ({ data, error: errorOf(reason) }),
      );
      data = load.data;
      if (data !== undefined) remember(path, data);
      if (!isStopped) show(load);
    }
    isRunning = false;
  };
  return {
    reload: () => {
      isWanted = true;
      if (!isRunning) void run();
    },
    stop: () => {
      isStopped = true;
    },
  };
}

/**
 * Loads a path of the control API, and reloads it after each activity of the sandbox.
 *
 * @param every Milliseconds between loads without activity. Default: never.
 */
export function useLoad<T>(path: string, every?: number): Load<T> {
  const [shown, setShown] = useState<{ readonly path: string; readonly load: Load<T> }>({
    path,
    load: remembered(path),
  });
  useEffect(() => {
    const { reload, stop } = loader<T>(path, (load) => setShown({ path, load }));
    reload();
    const forget = onChange(reload);
    const timer = every === undefined ? undefined : setInterval(reload, every);
    return () => {
      stop();
      forget();
      clearInterval(timer);
    };
  }, [path, every]);
  // Keeps the old data if only the query differs, so that a filter does not make the page flicker.
  const isSame = shown.path.split('?')[0] === path.split('?')[0];
  return isSame ? shown.load : remembered(path);
}
