import type { AvsRecommendation, AvsResult } from './avs.ts';
import type { CvvResult } from './cvv.ts';

type AvsRow = readonly [
  meaning: string,
  street: boolean | undefined,
  zip: boolean | undefined,
  recommendation: AvsRecommendation,
  abroad?: 'abroad',
];

/**
 * AVS codes of the card industry that the interface does not list. Networks disagree about some letters: a part that
 * only some of them treat as a match is `undefined`, and the recommendation is the cautious one.
 */
const avsRows: ReadonlyMap<string, AvsRow> = new Map([
  ['B', ['street only; ZIP not verified', true, undefined, 'review', 'abroad']],
  ['C', ['not verified, or no match', undefined, undefined, 'review', 'abroad']],
  ['D', ['match', true, true, 'accept', 'abroad']],
  ['F', ['match', true, true, 'accept', 'abroad']],
  ['I', ['not verified', undefined, undefined, 'review', 'abroad']],
  ['K', ['name only', undefined, undefined, 'review']],
  ['L', ['ZIP only, or name and ZIP', undefined, true, 'review']],
  ['M', ['match', true, true, 'accept', 'abroad']],
  ['O', ['not available, or name and street only', undefined, undefined, 'review']],
  ['P', ['ZIP only; street not verified', undefined, true, 'review', 'abroad']],
  ['T', ['street or ZIP only', undefined, undefined, 'review']],
  ['V', ['match, with name', true, true, 'accept']],
  ['0', ['not available', undefined, undefined, 'review']],
  ['1', ['ZIP and name only', false, true, 'review']],
  ['2', ['match, with name', true, true, 'accept']],
  ['3', ['street and name only', true, false, 'review']],
  ['4', ['no match, or name only', false, false, 'decline_or_review']],
  ['5', ['ZIP and name only', false, true, 'review']],
  ['6', ['match, with name', true, true, 'accept']],
  ['7', ['street and name only', true, false, 'review']],
  ['8', ['no match, or name only', false, false, 'decline_or_review']],
]);

/** CVV codes of the card industry that the interface does not list. None means match or mismatch. */
const cvvMeanings: ReadonlyMap<string, string> = new Map([
  ['P', 'not processed'],
  ['S', 'should be on the card, but was said not to be'],
  ['U', 'issuer takes no part in the check'],
  ['X', 'no response from the card network'],
]);

/** Fills in the industry's meaning of an AVS code, if the interface does not list it. */
export function inferAvs(avs: AvsResult): AvsResult {
  const row = avs.source === 'unknown' ? avsRows.get(avs.code) : undefined;
  if (row === undefined) return avs;
  const [meaning, street, zip, recommendation, abroad] = row;
  return {
    ...avs,
    ...{ meaning, street, zip, recommendation },
    international: abroad !== undefined,
    source: 'inferred',
  };
}

/** Fills in the industry's meaning of a CVV code, if the interface does not list it. */
export function inferCvv(cvv: CvvResult): CvvResult {
  const meaning = cvv.source === 'unknown' ? cvvMeanings.get(cvv.code) : undefined;
  return meaning === undefined ? cvv : { ...cvv, meaning, source: 'inferred' };
}
