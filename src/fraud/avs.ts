/** What to do about an address check. */
export type AvsRecommendation = 'accept' | 'review' | 'decline_or_review' | 'retry';

/** The result of an address check (AVS). */
export interface AvsResult {
  /** The code, as the service sent it. */
  readonly code: string;
  /** What the code means, in words. */
  readonly meaning: string;
  /** Whether the street matches; `undefined` where it was not compared. */
  readonly street: boolean | undefined;
  /** Whether the ZIP code matches; `undefined` where it was not compared. */
  readonly zip: boolean | undefined;
  /** What the interface recommends; `review` for a code that it does not list (*inferred*). */
  readonly recommendation: AvsRecommendation;
}

/** The AVS codes of the interface (*shown*). */
export const avsCodes: Readonly<Record<string, AvsResult>> = {
  X: { code: 'X', meaning: 'exact match, 9-digit ZIP', street: true, zip: true, recommendation: 'accept' },
  Y: { code: 'Y', meaning: 'match, 5-digit ZIP', street: true, zip: true, recommendation: 'accept' },
  A: { code: 'A', meaning: 'address only', street: true, zip: false, recommendation: 'review' },
  W: { code: 'W', meaning: 'ZIP only, 9-digit', street: false, zip: true, recommendation: 'review' },
  Z: { code: 'Z', meaning: 'ZIP only, 5-digit', street: false, zip: true, recommendation: 'review' },
  N: { code: 'N', meaning: 'no match', street: false, zip: false, recommendation: 'decline_or_review' },
  U: { code: 'U', meaning: 'unavailable', street: undefined, zip: undefined, recommendation: 'review' },
  R: { code: 'R', meaning: 'retry', street: undefined, zip: undefined, recommendation: 'retry' },
  E: { code: 'E', meaning: 'AVS error', street: undefined, zip: undefined, recommendation: 'review' },
  S: { code: 'S', meaning: 'not supported', street: undefined, zip: undefined, recommendation: 'accept' },
  G: {
    code: 'G',
    meaning: 'global, not verifiable',
    street: undefined,
    zip: undefined,
    recommendation: 'accept',
  },
};

/** What an AVS code says; `undefined` for an empty one. A code that is not listed never throws. */
export function readAvs(code: string): AvsResult | undefined {
  if (code === '') return undefined;
  if (Object.hasOwn(avsCodes, code)) return avsCodes[code];
  return { code, meaning: 'not listed', street: undefined, zip: undefined, recommendation: 'review' };
}
