import fc from 'fast-check';
import { parseChargeback } from 'payments-client/fraud';
import { describe, expect, it } from 'vitest';
import fraud from '../interface/tables/fraud.json' with { type: 'json' };

/** Returns the meaning of the reason code in a notification. */
function reasonOf(reason_code: string) {
  const { reasonCode } = parseChargeback({
    event: 'chargeback.received',
    chargeback_id: 'cb_1',
    transaction_id: '316',
    amount: '49.99',
    reason_code,
    reason: 'Fraud: card absent',
    due_date: '2026-03-01',
    timestamp: '2026-02-10T08:30:00Z',
  });
  return reasonCode;
}

describe('chargeback reasons', () => {
  it.each(fraud.chargebackReasons)('$code are those of the interface', ({ code, meaning }) => {
    expect(reasonOf(code)).toEqual({ code, meaning, category: 'fraud', source: 'shown' });
  });

  it('are five', () => {
    expect(fraud.chargebackReasons).toHaveLength(5);
  });

  it.each([
    ['10.6', 'fraud', 'inferred', 'another kind of fraud'],
    ['11.3', 'authorization', 'inferred', 'a missing or wrong authorization'],
    ['12.1', 'processing_error', 'inferred', 'a processing error'],
    ['13.1', 'consumer_dispute', 'inferred', 'a consumer dispute'],
    ['4837', undefined, 'unknown', 'not listed'],
    ['__proto__', undefined, 'unknown', 'not listed'],
  ])('%s have a category where it is known', (code, category, source, meaning) => {
    expect(reasonOf(code)).toEqual({ code, category, source, meaning });
  });

  it('keep any code', () => {
    const code = fc.string({ minLength: 1 });
    fc.assert(
      fc.property(code, (text) => {
        expect(reasonOf(text).code).toBe(text);
      }),
    );
  });
});
