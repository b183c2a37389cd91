import { useEffect, useState } from 'preact/hooks';
import { get } from './api.ts';
import { onChange } from './changes.ts';

/** What was loaded from a path of the control API. */
export interface Load<T> {
  /** The newest answer; `undefined` before the first. It stays while it is loaded again. */
  readonly data: T | undefined;
  /** Why the last try failed. */
  readonly error: Error | undefined;
}

const nothing = { data: undefined, error: undefined };

function errorOf(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

/** Loads a path again and again, one request at a time: asked meanwhile, it loads once more at the end. */
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
 * Loads a path of the control API, and again after each activity of the sandbox.
 *
 * @param every Milliseconds between loads without activity. Default: never.
 */
export function useLoad<T>(path: string, every?: number): Load<T> {
  const [shown, setShown] = useState<{ readonly path: string; readonly load: Load<T> }>({
    path,
    load: nothing,
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
  // The answer of another path is kept only where the path differs in its query: a filter must not make the page blink.
  const isSame = shown.path.split('?')[0] === path.split('?')[0];
  return isSame ? shown.load : nothing;
}
