import type { Issue } from './errors.ts';

/** The value in a response, or why there is none; `body` is what the caller may look at. */
export type Reading<T> =
  | { readonly value: T }
  | { readonly issues: readonly Issue[]; readonly body: unknown };
