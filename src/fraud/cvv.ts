import type { CodeSource } from './source.ts';

/** The CVV codes of the interface (*shown*; others exist and are not). */
export type CvvCode = 'M' | 'N';

/** CVV codes that the card industry uses and the interface does not list (*inferred*). */
export type InferredCvvCode = 'P' | 'S' | 'U' | 'X';

/**
 * What to do about a security-code check. `decline_or_flag` is the choice that the merchant control panel offers for a
 * mismatch (*shown*); the others are *inferred*.
 */
export type CvvRecommendation = 'accept' | 'review' | 'decline_or_flag';

/** The result of a security-code check (CVV). */
export interface CvvResult {
  /** The code, as the service sent it. */
  readonly code: CvvCode | InferredCvvCode | (string & {});
  /** What the code means, in words. */
  readonly meaning: string;
  /** Whether the security code matches; `undefined` where it was not compared, or the code is not known. */
  readonly matched: boolean | undefined;
  /** What to do; for a code that the interface does not list, the careful choice (*inferred*). */
  readonly recommendation: CvvRecommendation;
  /** Where the meaning comes from. */
  readonly source: CodeSource;
}

/** The CVV codes of the interface (*shown*; others exist and are not). */
export const cvvCodes: Readonly<Record<CvvCode, CvvResult>> = {
  M: { code: 'M', meaning: 'match', matched: true, recommendation: 'accept', source: 'shown' },
  N: {
    code: 'N',
    meaning: 'mismatch, a fraud indicator',
    matched: false,
    recommendation: 'decline_or_flag',
    source: 'shown',
  },
};

/** The CVV codes that the card industry uses and the interface does not list (*inferred*). */
export const inferredCvvCodes: Readonly<Record<InferredCvvCode, CvvResult>> = {
  P: {
    code: 'P',
    meaning: 'not processed',
    matched: undefined,
    recommendation: 'review',
    source: 'inferred',
  },
  S: {
    code: 'S',
    meaning: 'should be on the card, but was said not to be',
    matched: undefined,
    recommendation: 'review',
    source: 'inferred',
  },
  U: {
    code: 'U',
    meaning: 'issuer takes no part in the check',
    matched: undefined,
    recommendation: 'review',
    source: 'inferred',
  },
  X: {
    code: 'X',
    meaning: 'no response from the card network',
    matched: undefined,
    recommendation: 'review',
    source: 'inferred',
  },
};

const tables: readonly Readonly<Record<string, CvvResult>>[] = [cvvCodes, inferredCvvCodes];

/**
 * What a CVV code says; `undefined` for an empty one. A code that is listed nowhere never throws: its `source` is
 * `unknown`, and it asks for a review (*inferred*).
 */
export function readCvv(code: string): CvvResult | undefined {
  if (code === '') return undefined;
  const table = tables.find((codes) => Object.hasOwn(codes, code));
  return (
    table?.[code] ?? {
      code,
      meaning: 'not listed',
      matched: undefined,
      recommendation: 'review',
      source: 'unknown',
    }
  );
}
