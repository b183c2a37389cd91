import { useEffect, useState } from 'preact/hooks';
import type { SandboxStatus } from '../../control/state-routes.ts';

/** A value that several components share. */
interface Store<T> {
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

/** A link of a message. */
export interface Link {
  readonly href: string;
  readonly text: string;
}

/** A message that stays until it is dismissed or replaced. */
interface Notice {
  readonly text: string;
  readonly links: readonly Link[];
  /** A secret in the text, to copy. No other page shows it. */
  readonly secret: string | undefined;
}

/** The result of the last action. */
export const notice = storeOf<Notice | undefined>(undefined);

/** The error of the last action. */
export const problem = storeOf<string | undefined>(undefined);

/** Shows the result of an action. */
export function notify(text: string, links: readonly Link[] = [], secret?: string): void {
  notice.set({ text, links, secret });
}

/** Shows the error of an action. */
export function fail(error: unknown): void {
  problem.set(error instanceof Error ? error.message : String(error));
}

/** Hides the error, since another action starts. */
export function clearProblem(): void {
  if (problem.get() !== undefined) problem.set(undefined);
}

/** The sandbox's status; `undefined` until it is loaded. The shell keeps it up to date. */
export const sandboxState = storeOf<SandboxStatus | undefined>(undefined);
