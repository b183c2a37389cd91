import { readChecks } from 'payments-client/fraud';
import { describe, expect, it } from 'vitest';
import fraud from '../interface/tables/fraud.json' with { type: 'json' };

const readCvv = (cvvresponse: string) => readChecks({ cvvresponse }).cvv;

describe('CVV codes', () => {
  it('are those of the interface', () => {
    const results = fraud.cvv.map(({ code }) => readCvv(code));
    expect(results).toEqual([
      { code: 'M', meaning: 'match', matched: true, recommendation: 'accept', source: 'shown' },
      {
        code: 'N',
        meaning: 'mismatch, a fraud indicator',
        matched: false,
        recommendation: 'decline_or_flag',
        source: 'shown',
      },
    ]);
    const meanings = results.map((result) => ({
      code: result?.code,
      meaning: result?.meaning.replace(/,.*/, ''),
    }));
    expect(meanings).toEqual(fraud.cvv);
  });

  it.each([...'PSUXQ', '__proto__'])('%s that the interface does not list is unknown', (code) => {
    expect(readCvv(code)).toEqual({
      code,
      meaning: 'not listed',
      matched: undefined,
      recommendation: 'review',
      source: 'unknown',
    });
  });

  it('that are empty return undefined', () => {
    expect(readCvv('')).toBeUndefined();
  });
});
