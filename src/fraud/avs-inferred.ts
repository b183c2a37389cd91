import type { AvsRecommendation, AvsResult, InferredAvsCode } from './avs-result.ts';

type Parts = readonly [street: boolean | undefined, zip: boolean | undefined];

const both: Parts = [true, true];
const neitherCompared: Parts = [undefined, undefined];

type Row = readonly [meaning: string, parts: Parts, recommendation: AvsRecommendation, abroad?: 'abroad'];

/**
 * Networks and processors disagree about some letters. Where they do, only what all of them say is told: a part that
 * only some of them call a match is `undefined`, and the recommendation is the careful one.
 */
const rows: Readonly<Record<InferredAvsCode, Row>> = {
  B: ['street only; ZIP not verified', [true, undefined], 'review', 'abroad'],
  C: ['not verified, or no match', neitherCompared, 'review', 'abroad'],
  D: ['match', both, 'accept', 'abroad'],
  F: ['match', both, 'accept', 'abroad'],
  I: ['not verified', neitherCompared, 'review', 'abroad'],
  K: ['name only', neitherCompared, 'review'],
  L: ['ZIP only, or name and ZIP', [undefined, true], 'review'],
  M: ['match', both, 'accept', 'abroad'],
  O: ['not available, or name and street only', neitherCompared, 'review'],
  P: ['ZIP only; street not verified', [undefined, true], 'review', 'abroad'],
  T: ['street or ZIP only', neitherCompared, 'review'],
  V: ['match, with name', both, 'accept'],
  0: ['not available', neitherCompared, 'review'],
  1: ['ZIP and name only', [false, true], 'review'],
  2: ['match, with name', both, 'accept'],
  3: ['street and name only', [true, false], 'review'],
  4: ['no match, or name only', [false, false], 'decline_or_review'],
  5: ['ZIP and name only', [false, true], 'review'],
  6: ['match, with name', both, 'accept'],
  7: ['street and name only', [true, false], 'review'],
  8: ['no match, or name only', [false, false], 'decline_or_review'],
};

function toResult([code, [meaning, [street, zip], recommendation, abroad]]: readonly [string, Row]) {
  const result: AvsResult = {
    code,
    meaning,
    street,
    zip,
    zipDigits: undefined,
    international: abroad !== undefined,
    recommendation,
    source: 'inferred',
  };
  return [code, result] as const;
}

/** The AVS codes that the card industry uses and the interface does not list (*inferred*). */
export const inferredAvsCodes: Readonly<Record<string, AvsResult>> = /* @__PURE__ */ Object.fromEntries(
  /* @__PURE__ */ Object.entries(rows).map(toResult),
);
