import type { Issue } from '../base/errors.ts';
import type { Outcome } from '../base/outcome.ts';

/** The value in a response, or why there is none; `body` is what the caller may look at. */
export type Reading<T> =
  | { readonly value: T }
  | {
      readonly issues: readonly Issue[];
      readonly body: unknown;
      /** What the response proves, where that is less than its 2xx: it may come from something else than the service. */
      readonly outcome?: Outcome | undefined;
    };
