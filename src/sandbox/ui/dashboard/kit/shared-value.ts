import { useEffect, useState } from 'preact/hooks';

/** A value that several components show. */
export interface Store<T> {
  get(): T;
  set(value: T): void;
  /** Calls a listener after each change. Returns what ends it. */
  subscribe(listener: () => void): () => void;
}

/** Makes a store. */
export function storeOf<T>(initial: T): Store<T> {
  const listeners = new Set<() => void>();
  let current = initial;
  return {
    get: () => current,
    set: (value) => {
      current = value;
      for (const listener of [...listeners]) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Returns the value of a store, and renders again when it changes. */
export function useStore<T>(store: Store<T>): T {
  const [value, setValue] = useState(() => store.get());
  useEffect(() => {
    const update = (): void => setValue(() => store.get());
    // It may have changed between the first rendering and this effect.
    update();
    return store.subscribe(update);
  }, [store]);
  return value;
}
