import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  avsCodes,
  chargebackReasons,
  cvvCodes,
  fraudMetrics,
  inferredAvsCodes,
  inferredCvvCodes,
  readAvs,
  readChargebackReason,
  readCvv,
  readRisk,
  riskBands,
  riskDecisions,
} from '../../src/fraud/index.ts';

// The tables of the interface, transcribed by hand.

const yes = true;
const no = false;
const none = undefined;

const avsTable = [
  ['X', /exact match/, yes, yes, 9, 'accept'],
  ['Y', /match/, yes, yes, 5, 'accept'],
  ['A', /address only/, yes, no, none, 'review'],
  ['W', /ZIP only, 9-digit/, no, yes, 9, 'review'],
  ['Z', /ZIP only, 5-digit/, no, yes, 5, 'review'],
  ['N', /no match/, no, no, none, 'decline_or_review'],
  ['U', /unavailable/, none, none, none, 'review'],
  ['R', /retry/, none, none, none, 'retry'],
  ['E', /AVS error/, none, none, none, 'review'],
  ['S', /not supported/, none, none, none, 'accept'],
  ['G', /global, not verifiable/, none, none, none, 'accept'],
] as const;

describe('AVS codes', () => {
  it.each(avsTable)(
    '%s are those of the interface',
    (code, meaning, street, zip, zipDigits, recommendation) => {
      expect(avsCodes[code]).toEqual({
        code,
        meaning: expect.stringMatching(meaning),
        street,
        zip,
        zipDigits,
        international: code === 'G',
        recommendation,
        source: 'shown',
      });
      expect(readAvs(code)).toEqual(avsCodes[code]);
    },
  );

  it('are eleven', () => {
    expect(Object.keys(avsCodes).sort()).toEqual(avsTable.map(([code]) => code).sort());
  });

  it.each([...'BCDFIKLMOPTV012345678'])('%s of the card industry are recognised as inferred', (code) => {
    expect(readAvs(code)).toMatchObject({ code, source: 'inferred' });
    expect(readAvs(code)?.meaning).not.toBe('not listed');
    expect(Object.hasOwn(avsCodes, code)).toBe(false);
  });

  it('of the card industry never promise more than their parts', () => {
    for (const { street, zip, recommendation } of Object.values(inferredAvsCodes)) {
      expect(recommendation === 'accept').toBe(street === true && zip === true);
    }
    expect(Object.keys(inferredAvsCodes)).toHaveLength(21);
  });

  it('that nobody lists say so', () => {
    expect(readAvs('Q')).toEqual({
      code: 'Q',
      meaning: 'not listed',
      street: none,
      zip: none,
      zipDigits: none,
      international: false,
      recommendation: 'review',
      source: 'unknown',
    });
    expect(readAvs('')).toBeUndefined();
  });
});

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

describe('risk', () => {
  it('has the bands of the interface', () => {
    expect(riskBands).toEqual([
      { from: 0, to: 20, level: 'low', recommendation: 'approve', advice: 'approve, process normally' },
      {
        from: 21,
        to: 40,
        level: 'medium_low',
        recommendation: 'approve_with_monitoring',
        advice: 'approve with monitoring',
      },
      { from: 41, to: 60, level: 'medium', recommendation: 'review', advice: 'review before fulfilment' },
      {
        from: 61,
        to: 80,
        level: 'medium_high',
        recommendation: 'decline_or_verify',
        advice: 'decline, or require verification',
      },
      { from: 81, to: 100, level: 'high', recommendation: 'decline', advice: 'decline' },
    ]);
  });

  it.each([
    [0, 'low'],
    [20, 'low'],
    [21, 'medium_low'],
    [40, 'medium_low'],
    [41, 'medium'],
    [60, 'medium'],
    [61, 'medium_high'],
    [80, 'medium_high'],
    [81, 'high'],
    [100, 'high'],
  ])('has score %i in its band', (score, level) => {
    expect(readRisk(String(score), '')).toMatchObject({ score, level });
  });

  it('has the decisions of the interface', () => {
    expect(riskDecisions).toEqual({ A: 'approve', D: 'decline', R: 'review' });
  });
});

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

describe('monitoring targets', () => {
  it('are those of the interface', () => {
    expect(
      fraudMetrics.map(({ name, better, target, threshold, action }) => [
        name,
        better === 'lower' ? '<' : '>',
        target,
        better === 'lower' ? '>' : '<',
        threshold,
        action,
      ]),
    ).toEqual([
      ['Fraud rate', '<', 0.005, '>', 0.01, 'review settings'],
      ['Chargeback rate', '<', 0.009, '>', 0.01, 'risk of penalties'],
      ['3-D Secure authentication success', '>', 0.95, '<', 0.9, 'review flow'],
      ['AVS match rate', '>', 0.85, '<', 0.8, 'review requirements'],
      ['CVV match rate', '>', 0.95, '<', 0.9, 'review requirements'],
      ['Average fraud score', '<', 30, '>', 40, 'tighten rules'],
    ]);
  });
});

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
