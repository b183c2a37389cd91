import type { ClaimStore } from '../support/stores.ts';

/** One question to a store. */
export interface Question<T> {
  readonly method: keyof ClaimStore;
  /** The key, or the space that is listed. */
  readonly key: string;
  readonly ask: (store: ClaimStore) => Promise<T>;
  /** What a store answers that loses the write; `undefined` for one that it cannot lose. */
  readonly lost?: T;
}

/** A store whose questions all go through one function. */
export function throughOneFunction(run: <T>(question: Question<T>) => Promise<T>): ClaimStore {
  return {
    claim: (key, lease, options) =>
      run({ method: 'claim', key, ask: (store) => store.claim(key, lease, options) }),
    renew: (key, token, lease, options) =>
      run({ method: 'renew', key, ask: (store) => store.renew(key, token, lease, options), lost: true }),
    complete: (key, token, time, options) =>
      run({ method: 'complete', key, ask: (store) => store.complete(key, token, time, options), lost: true }),
    release: (key, token, options) =>
      run({ method: 'release', key, ask: (store) => store.release(key, token, options), lost: true }),
    find: (key, options) => run({ method: 'find', key, ask: (store) => store.find(key, options) }),
    open: (query) =>
      run({
        method: 'open',
        key: 'key' in query ? query.key : query.space,
        ask: (store) => store.open(query),
      }),
  };
}

/** A store with other functions in place of some. */
export function passing(store: ClaimStore, others: Partial<ClaimStore>): ClaimStore {
  return { ...throughOneFunction(({ ask }) => ask(store)), ...others };
}
