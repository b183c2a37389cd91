import { chargebackReasons, readChargebackReason } from 'payments-client/fraud';
import { describe, expect, it } from 'vitest';

describe('chargeback reasons', () => {
  it.each([
    ['10.1', 'EMV liability shift, counterfeit'],
    ['10.2', 'EMV liability shift, non-counterfeit'],
    ['10.3', 'other fraud, card present'],
    ['10.4', 'other fraud, card absent'],
    ['10.5', 'fraud monitoring program'],
  ] as const)('%s are those of the interface', (code, meaning) => {
    expect(chargebackReasons[code]).toEqual({ code, meaning, category: 'fraud', source: 'shown' });
    expect(readChargebackReason(code)).toEqual(chargebackReasons[code]);
  });

  it('are five', () => {
    expect(Object.keys(chargebackReasons)).toHaveLength(5);
  });

  it.each([
    ['10.6', 'fraud', 'inferred', 'another kind of fraud'],
    ['11.3', 'authorization', 'inferred', 'a missing or wrong authorization'],
    ['12.1', 'processing_error', 'inferred', 'an error in processing'],
    ['13.1', 'consumer_dispute', 'inferred', 'a dispute of the buyer'],
    ['4837', undefined, 'unknown', 'not listed'],
    ['', undefined, 'unknown', 'not listed'],
  ])('%s have a category where it is known', (code, category, source, meaning) => {
    expect(readChargebackReason(code)).toEqual({ code, category, source, meaning });
  });
});
