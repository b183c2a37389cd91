import type { Inline } from '../../base/runtime/runtime.ts';

/** An amount of one currency. */
export type Money = Inline<{
  /** In minor units, an integer from 0. */
  readonly amount: number;
  /** A 3-letter code in upper case. */
  readonly currency: string;
}>;
