import { cvvCodes, inferredCvvCodes, readCvv } from 'payments-client/fraud';
import { describe, expect, it } from 'vitest';
import fraud from '../interface/tables/fraud.json' with { type: 'json' };

describe('CVV codes', () => {
  it('are those of the interface', () => {
    expect(cvvCodes).toEqual({
      M: { code: 'M', meaning: 'match', matched: true, recommendation: 'accept', source: 'shown' },
      N: {
        code: 'N',
        meaning: 'mismatch, a fraud indicator',
        matched: false,
        recommendation: 'decline_or_flag',
        source: 'shown',
      },
    });
    expect(readCvv('M')).toEqual(cvvCodes.M);
    expect(readCvv('N')).toEqual(cvvCodes.N);
    const meanings = Object.values(cvvCodes).map(({ code, meaning }) => ({
      code,
      meaning: meaning.replace(/,.*/, ''),
    }));
    expect(meanings).toEqual(fraud.cvv);
  });

  it.each([...'PSUX'])('%s of the card industry are recognised and match nothing', (code) => {
    expect(readCvv(code)).toMatchObject({
      code,
      source: 'inferred',
      matched: undefined,
      recommendation: 'review',
    });
    expect(Object.keys(inferredCvvCodes)).toContain(code);
  });

  it('that nobody lists say so', () => {
    expect(readCvv('Q')).toEqual({
      code: 'Q',
      meaning: 'not listed',
      matched: undefined,
      recommendation: 'review',
      source: 'unknown',
    });
    expect(readCvv('')).toBeUndefined();
  });
});
