import fc from 'fast-check';
import { readChecks } from 'payments-client/fraud';
import { describe, expect, it } from 'vitest';

describe('a reader', () => {
  const hostile = fc.oneof(
    fc.string(),
    fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty'),
  );

  it('never throws and keeps the code', () => {
    fc.assert(
      fc.property(hostile, (code) => {
        const columns = { avsresponse: code, cvvresponse: code, risk_score: code, risk_decision: code };
        const { avs, cvv, risk } = readChecks(columns);
        const expected = code === '' ? undefined : code;
        expect([avs?.code, cvv?.code, risk?.decision]).toEqual([expected, expected, expected]);
      }),
    );
  });
});
