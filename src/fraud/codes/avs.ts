import type { Inline } from '../../base/runtime/runtime.ts';
import type { OrUnlisted } from '../../base/schema/schema.ts';
import { readCode } from './tables.ts';

/** The AVS codes of the interface (*shown*). */
export type AvsCode = Inline<'X' | 'Y' | 'A' | 'W' | 'Z' | 'N' | 'U' | 'R' | 'E' | 'S' | 'G'>;

/** The interface's recommendation for an AVS code (*shown*). */
type AvsRecommendation = Inline<'accept' | 'review' | 'decline_or_review' | 'retry'>;

/** The result of an address check (AVS). */
export interface AvsResult {
  /** The code as received. */
  readonly code: OrUnlisted<AvsCode>;
  /** The meaning of the code in words. */
  readonly meaning: string;
  /** Whether the street matches; `undefined` if it was not compared. */
  readonly street: boolean | undefined;
  /** Whether the ZIP code matches; `undefined` if it was not compared. */
  readonly zip: boolean | undefined;
  /** How many digits of the ZIP code match; `undefined` if it does not match, or the AVS code does not say. */
  readonly zipDigits: 5 | 9 | undefined;
  /** Whether the code means a foreign issuer or address (*inferred* for `G`, "global non-verifiable"). */
  readonly international: boolean;
  /** The interface's recommendation; `review` for a code that it does not list (*inferred*). */
  readonly recommendation: AvsRecommendation;
  /** Whether the interface shows the code. */
  readonly source: 'shown' | 'unknown';
}

type AvsMeaning = Omit<AvsResult, 'code' | 'source'>;

const unlisted: AvsMeaning = {
  meaning: 'not listed',
  street: undefined,
  zip: undefined,
  zipDigits: undefined,
  international: false,
  recommendation: 'review',
};

function shown(
  meaning: string,
  recommendation: AvsRecommendation,
  parts: Partial<AvsMeaning> = {},
): AvsMeaning {
  return { ...unlisted, meaning, recommendation, ...parts };
}

/** The AVS codes of the interface (*shown*). */
export const avsCodes: Readonly<Record<AvsCode, AvsMeaning>> = {
  X: /* @__PURE__ */ shown('exact match, 9-digit ZIP', 'accept', { street: true, zip: true, zipDigits: 9 }),
  Y: /* @__PURE__ */ shown('match, 5-digit ZIP', 'accept', { street: true, zip: true, zipDigits: 5 }),
  A: /* @__PURE__ */ shown('address only', 'review', { street: true, zip: false }),
  W: /* @__PURE__ */ shown('ZIP only, 9-digit', 'review', { street: false, zip: true, zipDigits: 9 }),
  Z: /* @__PURE__ */ shown('ZIP only, 5-digit', 'review', { street: false, zip: true, zipDigits: 5 }),
  N: /* @__PURE__ */ shown('no match', 'decline_or_review', { street: false, zip: false }),
  U: /* @__PURE__ */ shown('unavailable', 'review'),
  R: /* @__PURE__ */ shown('retry', 'retry'),
  E: /* @__PURE__ */ shown('AVS error', 'review'),
  S: /* @__PURE__ */ shown('not supported', 'accept'),
  G: /* @__PURE__ */ shown('global, not verifiable', 'accept', { international: true }),
};

/**
 * Returns the meaning of an AVS code, or `undefined` for an empty code. A code that the interface does not list has the
 * `source` `unknown` and the recommendation `review` (*inferred*).
 */
export function readAvs(code: string): AvsResult | undefined {
  return readCode(avsCodes, unlisted, code);
}
