import fc from 'fast-check';
import { readAvs, readCvv, readRisk } from 'payments-client/fraud';
import { describe, expect, it } from 'vitest';

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
        readRisk(code, code);
      }),
    );
  });
});
