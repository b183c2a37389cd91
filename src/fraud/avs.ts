import { inferredAvsCodes } from './avs-inferred.ts';
import type { AvsCode, AvsResult } from './avs-result.ts';

export type { AvsResult };

/** The AVS codes of the interface (*shown*). */
export const avsCodes: Readonly<Record<AvsCode, AvsResult>> = {
  X: {
    code: 'X',
    meaning: 'exact match, 9-digit ZIP',
    street: true,
    zip: true,
    zipDigits: 9,
    international: false,
    recommendation: 'accept',
    source: 'shown',
  },
  Y: {
    code: 'Y',
    meaning: 'match, 5-digit ZIP',
    street: true,
    zip: true,
    zipDigits: 5,
    international: false,
    recommendation: 'accept',
    source: 'shown',
  },
  A: {
    code: 'A',
    meaning: 'address only',
    street: true,
    zip: false,
    zipDigits: undefined,
    international: false,
    recommendation: 'review',
    source: 'shown',
  },
  W: {
    code: 'W',
    meaning: 'ZIP only, 9-digit',
    street: false,
    zip: true,
    zipDigits: 9,
    international: false,
    recommendation: 'review',
    source: 'shown',
  },
  Z: {
    code: 'Z',
    meaning: 'ZIP only, 5-digit',
    street: false,
    zip: true,
    zipDigits: 5,
    international: false,
    recommendation: 'review',
    source: 'shown',
  },
  N: {
    code: 'N',
    meaning: 'no match',
    street: false,
    zip: false,
    zipDigits: undefined,
    international: false,
    recommendation: 'decline_or_review',
    source: 'shown',
  },
  U: {
    code: 'U',
    meaning: 'unavailable',
    street: undefined,
    zip: undefined,
    zipDigits: undefined,
    international: false,
    recommendation: 'review',
    source: 'shown',
  },
  R: {
    code: 'R',
    meaning: 'retry',
    street: undefined,
    zip: undefined,
    zipDigits: undefined,
    international: false,
    recommendation: 'retry',
    source: 'shown',
  },
  E: {
    code: 'E',
    meaning: 'AVS error',
    street: undefined,
    zip: undefined,
    zipDigits: undefined,
    international: false,
    recommendation: 'review',
    source: 'shown',
  },
  S: {
    code: 'S',
    meaning: 'not supported',
    street: undefined,
    zip: undefined,
    zipDigits: undefined,
    international: false,
    recommendation: 'accept',
    source: 'shown',
  },
  G: {
    code: 'G',
    meaning: 'global, not verifiable',
    street: undefined,
    zip: undefined,
    zipDigits: undefined,
    international: true,
    recommendation: 'accept',
    source: 'shown',
  },
};

const tables: readonly Readonly<Record<string, AvsResult>>[] = [avsCodes, inferredAvsCodes];

/**
 * What an AVS code says; `undefined` for an empty one. A code that is listed nowhere never throws: its `source` is
 * `unknown`, and it asks for a review (*inferred*).
 */
export function readAvs(code: string): AvsResult | undefined {
  if (code === '') return undefined;
  const table = tables.find((codes) => Object.hasOwn(codes, code));
  return table?.[code] ?? unknownAvs(code);
}

function unknownAvs(code: string): AvsResult {
  return {
    code,
    meaning: 'not listed',
    street: undefined,
    zip: undefined,
    zipDigits: undefined,
    international: false,
    recommendation: 'review',
    source: 'unknown',
  };
}
