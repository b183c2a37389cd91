import { readChargebackReason } from 'payments-client/fraud';
import { describe, expect, it } from 'vitest';
import fraud from '../interface/tables/fraud.json' with { type: 'json' };

describe('chargeback reasons', () => {
  it.each(fraud.chargebackReasons)('$code are those of the interface', ({ code, meaning }) => {
    expect(readChargebackReason(code)).toEqual({ code, meaning, category: 'fraud', source: 'shown' });
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
    ['', undefined, 'unknown', 'not listed'],
  ])('%s have a category where it is known', (code, category, source, meaning) => {
    expect(readChargebackReason(code)).toEqual({ code, category, source, meaning });
  });
});
