/** The result of a security-code check (CVV). */
export interface CvvResult {
  /** The code, as the service sent it. */
  readonly code: string;
  /** What the code means, in words. */
  readonly meaning: string;
  /** Whether the security code matches; `undefined` for a code that the interface does not list. */
  readonly matched: boolean | undefined;
}

/** The CVV codes of the interface (*shown*; others exist and are not). */
export const cvvCodes: Readonly<Record<string, CvvResult>> = {
  M: { code: 'M', meaning: 'match', matched: true },
  N: { code: 'N', meaning: 'mismatch, a fraud indicator', matched: false },
};

/** What a CVV code says; `undefined` for an empty one. A code that is not listed never throws. */
export function readCvv(code: string): CvvResult | undefined {
  if (code === '') return undefined;
  if (Object.hasOwn(cvvCodes, code)) return cvvCodes[code];
  return { code, meaning: 'not listed', matched: undefined };
}
