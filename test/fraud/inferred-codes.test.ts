import { compileFraudPolicy, type FraudDecision } from 'payments-client/fraud';
import { describe, expect, it } from 'vitest';
import { judge, transaction } from './transactions.ts';

const inferred = { inferredCodes: true };

/** What a policy finds about the AVS or the CVV code of a transaction. */
function finding(facts: { avsCode: string } | { cvvCode: string }, policy = inferred) {
  const check = 'avsCode' in facts ? 'avs' : 'cvv';
  return compileFraudPolicy(policy)(transaction(facts)).reasons.find((reason) => reason.check === check);
}

/** Both parts match in these, and in no other. */
const matching = [...'DFMV26'];

describe('with inferredCodes', () => {
  it.each([...'BCDFIKLMOPTV012345678'])(
    'reads AVS %s, and accepts nothing but a match of street and ZIP',
    (code) => {
      const found = finding({ avsCode: code });
      expect(found?.what).toMatch(new RegExp(`^AVS ${code}: (?!not listed)`));
      const decision: FraudDecision = matching.includes(code) ? 'accept' : 'review';
      expect(found?.recommendation).toBe(decision);
      expect(found?.code === 'avs_match').toBe(matching.includes(code));
    },
  );

  it.each([
    // Of a street without a ZIP, and of a ZIP without a street, one is known.
    ['B', 'avs_partial_match', 'AVS B: street only; ZIP not verified'],
    ['P', 'avs_partial_match', 'AVS P: ZIP only; street not verified'],
    ['1', 'avs_partial_match', 'AVS 1: ZIP and name only'],
    ['3', 'avs_partial_match', 'AVS 3: street and name only'],
    ['4', 'avs_no_match', 'AVS 4: no match, or name only'],
    ['C', 'avs_not_verified', 'AVS C: not verified, or no match'],
    ['O', 'avs_not_verified', 'AVS O: not available, or name and street only'],
    ['T', 'avs_not_verified', 'AVS T: street or ZIP only'],
  ])('finds in AVS %s: %s', (avsCode, code, what) => {
    expect(finding({ avsCode })).toMatchObject({ code, what, recommendation: 'review' });
  });

  it('follows noMatch for AVS 4 and 8, as for N', () => {
    for (const avsCode of ['4', '8']) {
      expect(judge({ avsCode }, { ...inferred, avs: { noMatch: 'decline' } })).toEqual([
        'decline',
        'avs_no_match',
      ]);
    }
  });

  it('follows international for the codes of foreign issuers alone', () => {
    const codes = [...'BCDFIKLMOPTV012345678'].filter(
      (avsCode) =>
        judge({ avsCode }, { ...inferred, avs: { international: 'decline' } })[1] === 'avs_international',
    );
    expect(codes).toEqual([...'BCDFIMP']);
  });

  it.each([
    ['P', 'CVV P: not processed'],
    ['S', 'CVV S: should be on the card, but was said not to be'],
    ['U', 'CVV U: issuer takes no part in the check'],
    ['X', 'CVV X: no response from the card network'],
  ])('reads CVV %s as neither match nor mismatch', (cvvCode, what) => {
    expect(finding({ cvvCode })).toEqual({
      ...{ code: 'cvv_not_verified', check: 'cvv', recommendation: 'review' },
      what,
    });
  });

  it('leaves the codes of the interface, and unknown ones, unchanged', () => {
    for (const code of [...'XYAWZNURESGQ', '__proto__']) {
      expect(finding({ avsCode: code })).toEqual(finding({ avsCode: code }, { inferredCodes: false }));
    }
    for (const code of [...'MNQ', '__proto__']) {
      expect(finding({ cvvCode: code })).toEqual(finding({ cvvCode: code }, { inferredCodes: false }));
    }
  });
});

it('without inferredCodes such a code is unknown', () => {
  expect(judge({ avsCode: 'D' }, {})).toEqual(['review', 'avs_unknown_code']);
  expect(finding({ cvvCode: 'P' }, { inferredCodes: false })).toMatchObject({
    code: 'cvv_unknown_code',
    what: 'CVV P: not listed',
  });
});
