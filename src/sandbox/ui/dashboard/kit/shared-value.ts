import { useEffect, useState } from 'preact/hooks';

/** A value that several components share. */
export interface Store<T> {
  get(): T;
  set(value: T): void;
  /** Calls a listener after each change. Returns a function that unsubscribes it. */
  subscribe(listener: () => void): () => void;
}

/** Creates a store. */
export function storeOf<T>(initial: T): Store<T> {
  const listeners = new Set<() => void>();
  let current = initial;
  return {
    get: () => current,
    set: (value) => {
      current = value;
      for (const listener of Array.from(listeners)) listener();
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
    // The value may have changed between the first render and this effect.
    update();
    return store.subscribe(update);
  }, [store]);
  return value;
}
