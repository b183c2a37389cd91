import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAvs, readChargebackReason, readCvv, readRisk } from '../../src/fraud/index.ts';

describe('a reader', () => {
  const hostile = fc.oneof(
    fc.string(),
    fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty'),
  );

  it('never throws and keeps the code', () => {
    fc.assert(
      fc.property(hostile, (code) => {
        if (code !== '') {
          expect(readAvs(code)?.code).toBe(code);
          expect(readCvv(code)?.code).toBe(code);
        }
        expect(readChargebackReason(code).code).toBe(code);
        readRisk(code, code);
      }),
    );
  });
});
