import type { Inline } from '../../base/runtime/runtime.ts';
import type { OrUnlisted } from '../../base/schema/schema.ts';
import { readCode } from './tables.ts';

/** The CVV codes of the interface (*shown*; it says that others exist). */
export type CvvCode = Inline<'M' | 'N'>;

/**
 * What to do about a security-code check. `decline_or_flag` is the choice that the merchant control panel offers for a
 * mismatch (*shown*); the others are *inferred*.
 */
type CvvRecommendation = 'accept' | 'review' | 'decline_or_flag';

/** The result of a security-code check (CVV). */
export interface CvvResult {
  /** The code as received. */
  readonly code: OrUnlisted<CvvCode>;
  /** The meaning of the code in words. */
  readonly meaning: string;
  /** Whether the security code matches; `undefined` for a code that the interface does not list. */
  readonly matched: boolean | undefined;
  /** What to do; `review` for a code that the interface does not list (*inferred*). */
  readonly recommendation: CvvRecommendation;
  /** Whether the interface shows the code. */
  readonly source: 'shown' | 'unknown';
}

type CvvMeaning = Omit<CvvResult, 'code' | 'source'>;

/** The CVV codes of the interface (*shown*; it says that others exist). */
export const cvvCodes: Readonly<Record<CvvCode, CvvMeaning>> = {
  M: { meaning: 'match', matched: true, recommendation: 'accept' },
  N: { meaning: 'mismatch, a fraud indicator', matched: false, recommendation: 'decline_or_flag' },
};

const unlisted: CvvMeaning = { meaning: 'not listed', matched: undefined, recommendation: 'review' };

/**
 * Returns the meaning of a CVV code, or `undefined` for an empty code. A code that the interface does not list has the
 * `source` `unknown` and the recommendation `review` (*inferred*).
 */
export function readCvv(code: string): CvvResult | undefined {
  return readCode(cvvCodes, unlisted, code);
}
