import type { TransactionResult } from 'payments-client';
import { describe, expect, it } from 'vitest';
import {
  type AssessableTransaction,
  assessFraud,
  checkFraudPolicy,
  type FraudPolicy,
  readAvs,
  readCvv,
  readRisk,
} from '../../src/fraud/index.ts';

interface Facts extends Partial<AssessableTransaction> {
  readonly avsCode?: string;
  readonly cvvCode?: string;
  readonly score?: number | string;
  readonly riskDecision?: string;
}

/** An approved transaction that passed every check, with what a test changes. */
function transaction({
  avsCode = 'X',
  cvvCode = 'M',
  score = 10,
  riskDecision = 'A',
  ...facts
}: Facts = {}): AssessableTransaction {
  return {
    approved: true,
    response: '1',
    avs: readAvs(avsCode),
    cvv: readCvv(cvvCode),
    risk: readRisk(String(score), riskDecision),
    ...facts,
  };
}

/** The decision, and the reason that it rests on. */
function judge(facts: Facts, policy?: FraudPolicy) {
  const { decision, reasons } = assessFraud(transaction(facts), policy);
  return [decision, reasons[0]?.code];
}

const missing = ['avs_missing', 'cvv_missing'];
const unchecked = { avsCode: '', cvvCode: '', score: '', riskDecision: '' };

describe('assessFraud by default', () => {
  it('accepts what passes every check, and says why', () => {
    expect(assessFraud(transaction())).toEqual({
      decision: 'accept',
      reasons: [
        {
          code: 'avs_match',
          check: 'avs',
          what: 'AVS X: exact match, 9-digit ZIP',
          recommendation: 'accept',
        },
        { code: 'cvv_match', check: 'cvv', what: 'CVV M: match', recommendation: 'accept' },
        {
          code: 'risk_score_low',
          check: 'risk',
          what: 'risk score 10: approve, process normally',
          recommendation: 'accept',
        },
        {
          code: 'risk_decision_approve',
          check: 'risk',
          what: 'risk decision A: approve',
          recommendation: 'accept',
        },
      ],
    });
  });

  it('takes the result of a transaction as it is', () => {
    const base = { responsetext: 'ok', transactionid: '316', fields: {}, ...transaction({ cvvCode: 'N' }) };
    const result: TransactionResult = { ...base, approved: true, errored: false, response: '1' };
    expect(assessFraud(result).decision).toBe('decline');
    expect(assessFraud({ ...result, threeDSecure: { authenticated: true } }).reasons).toHaveLength(5);
  });

  it.each([
    ['X', 'accept', 'avs_match'],
    ['Y', 'accept', 'avs_match'],
    ['A', 'review', 'avs_partial_match'],
    ['W', 'review', 'avs_partial_match'],
    ['Z', 'review', 'avs_partial_match'],
    ['N', 'review', 'avs_no_match'],
    ['U', 'review', 'avs_not_verified'],
    ['R', 'retry', 'avs_retry'],
    ['E', 'review', 'avs_not_verified'],
    ['S', 'accept', 'avs_not_verified'],
    ['G', 'accept', 'avs_not_verified'],
    ['D', 'accept', 'avs_match'],
    ['P', 'review', 'avs_partial_match'],
    ['Q', 'review', 'avs_unknown_code'],
  ])('follows the interface for AVS %s: %s', (avsCode, decision, code) => {
    expect(judge({ avsCode })).toEqual([decision, code]);
  });

  it.each([
    ['M', 'accept', 'cvv_match'],
    ['N', 'decline', 'cvv_mismatch'],
    ['P', 'review', 'cvv_not_verified'],
    ['Q', 'review', 'cvv_unknown_code'],
  ])('judges CVV %s: %s', (cvvCode, decision, code) => {
    const { decision: made, reasons } = assessFraud(transaction({ cvvCode }));
    expect(made).toBe(decision);
    expect(reasons.find(({ check }) => check === 'cvv')).toMatchObject({ code, recommendation: decision });
  });

  it.each([
    [0, 'accept', 'risk_score_low'],
    [20, 'accept', 'risk_score_low'],
    [21, 'accept', 'risk_score_monitor'],
    [40, 'accept', 'risk_score_monitor'],
    [41, 'review', 'risk_score_review'],
    [60, 'review', 'risk_score_review'],
    [61, 'decline', 'risk_score_verify'],
    [80, 'decline', 'risk_score_verify'],
    [81, 'decline', 'risk_score_decline'],
    [100, 'decline', 'risk_score_decline'],
  ])('judges a score of %i: %s', (score, decision, code) => {
    const { decision: made, reasons } = assessFraud(transaction({ score }));
    expect(made).toBe(decision);
    expect(reasons.find((reason) => reason.code.startsWith('risk_score'))).toMatchObject({
      code,
      recommendation: decision,
    });
  });

  it.each([
    ['A', 'accept', 'risk_decision_approve'],
    ['R', 'review', 'risk_decision_review'],
    ['D', 'decline', 'risk_decision_decline'],
    ['H', 'review', 'risk_decision_unknown'],
    ['constructor', 'review', 'risk_decision_unknown'],
  ])('follows the risk decision %s: %s', (riskDecision, decision, code) => {
    const { decision: made, reasons } = assessFraud(transaction({ riskDecision }));
    expect(made).toBe(decision);
    expect(reasons.map((reason) => reason.code)).toContain(code);
  });

  it('judges a score without a decision, and a decision without a score', () => {
    expect(judge({ score: 50, riskDecision: '' })).toEqual(['review', 'risk_score_review']);
    expect(judge({ score: '', riskDecision: 'R' })).toEqual(['review', 'risk_decision_review']);
    const codesOf = (facts: Facts) =>
      assessFraud(transaction({ avsCode: '', cvvCode: '', ...facts })).reasons.map(({ code }) => code);
    expect(codesOf({ score: 50, riskDecision: '' })).toEqual(['risk_score_review', ...missing]);
    expect(codesOf({ score: '', riskDecision: 'R' })).toEqual(['risk_decision_review', ...missing]);
  });

  it.each([
    [10, 'risk score 10: approve, process normally'],
    [30, 'risk score 30: approve with monitoring'],
    [50, 'risk score 50: review before fulfilment'],
    [70, 'risk score 70: decline, or require verification'],
    [90, 'risk score 90: decline'],
  ])('says of a score of %i what the interface says', (score, what) => {
    expect(assessFraud(transaction({ score })).reasons.map((reason) => reason.what)).toContain(what);
  });

  it('holds a risk that cannot be read', () => {
    expect(judge({ score: 999, riskDecision: '' })).toEqual(['review', 'risk_unreadable']);
  });

  it.each([
    [{ authenticated: true, cardholder_auth: 'Y' }, 'accept', 'three_d_secure_authenticated'],
    [{ authenticated: true }, 'accept', 'three_d_secure_authenticated'],
    [{ authenticated: true, cardholder_auth: '' }, 'accept', 'three_d_secure_authenticated'],
    [{ authenticated: true, cardholder_auth: null }, 'accept', 'three_d_secure_authenticated'],
    [{ authenticated: true, status: 'frictionless' }, 'accept', 'three_d_secure_authenticated'],
    [{ authenticated: true, status: 'authenticated' }, 'accept', 'three_d_secure_authenticated'],
    [{ authenticated: false, status: 'authenticated' }, 'review', 'three_d_secure_contradictory'],
    [{ authenticated: true, cardholder_auth: 'N' }, 'review', 'three_d_secure_contradictory'],
    [{ authenticated: true, status: 'failed' }, 'review', 'three_d_secure_contradictory'],
    [{ authenticated: false, status: 'frictionless' }, 'review', 'three_d_secure_contradictory'],
    [{ authenticated: false }, 'decline', 'three_d_secure_failed'],
    [{ authenticated: false, status: 'failed' }, 'decline', 'three_d_secure_failed'],
    [{ authenticated: false, status: 'unavailable' }, 'review', 'three_d_secure_unavailable'],
    [{ authenticated: false, status: 'challenge_required' }, 'retry', 'three_d_secure_unfinished'],
  ] as const)('judges 3-D Secure %j: %s', (threeDSecure, decision, code) => {
    const { decision: made, reasons } = assessFraud(transaction({ threeDSecure }));
    expect(made).toBe(decision);
    expect(reasons.find(({ check }) => check === 'three_d_secure')).toMatchObject({
      code,
      recommendation: decision,
    });
  });

  it('takes an authenticated buyer for the verification that a score of 61 to 80 requires, and no further', () => {
    const threeDSecure = { authenticated: true };
    expect(judge({ score: 70, threeDSecure })).toEqual(['review', 'risk_score_verified']);
    expect(judge({ score: 81, threeDSecure })).toEqual(['decline', 'risk_score_decline']);
    expect(judge({ score: 70, threeDSecure: { authenticated: true, cardholder_auth: 'N' } })[0]).toBe(
      'decline',
    );
  });

  it.each([
    [{ approved: false, response: '2' }],
    [{ approved: false, response: '1' }],
    [{ approved: true, response: '2' }],
  ])('declines what was not approved: %j', (facts) => {
    expect(judge(facts)).toEqual(['decline', 'not_approved']);
  });

  it.each([
    ['retry over accept', { avsCode: 'R' }, 'retry'],
    ['review over retry', { avsCode: 'R', riskDecision: 'R' }, 'review'],
    ['decline over review', { avsCode: 'A', score: 95 }, 'decline'],
    ['decline over retry', { avsCode: 'R', cvvCode: 'N' }, 'decline'],
  ])('lets the strictest win: %s', (_what, facts, decision) => {
    const assessment = assessFraud(transaction(facts));
    expect(assessment.decision).toBe(decision);
    const order = ['decline', 'review', 'retry', 'accept'];
    const ranks = assessment.reasons.map(({ recommendation }) => order.indexOf(recommendation));
    expect(ranks).toEqual([...ranks].sort());
  });

  it('accepts without one check, and holds without any', () => {
    expect(judge({ avsCode: '' })[0]).toBe('accept');
    expect(judge({ cvvCode: '' })[0]).toBe('accept');
    expect(judge({ score: '', riskDecision: '' })[0]).toBe('accept');
    expect(judge(unchecked)).toEqual(['review', 'nothing_checked']);
    expect(judge({ ...unchecked, threeDSecure: { authenticated: true } })[0]).toBe('accept');
  });

  it('does not repeat an odd code', () => {
    const { reasons } = assessFraud(transaction({ avsCode: '4111111111111111', riskDecision: 'a\nb' }));
    expect(JSON.stringify(reasons)).not.toMatch(/4111|\\n/);
  });

  it('refuses what is no result', () => {
    // @ts-expect-error: a result is needed
    expect(() => assessFraud(undefined)).toThrow(
      new TypeError('result: expected the result of a transaction, got nothing'),
    );
  });
});

describe('a policy', () => {
  it.each<[what: string, facts: Facts, policy: FraudPolicy, decision: string, code: string | undefined]>([
    ['AVS off', { avsCode: 'N' }, { avs: { enabled: false } }, 'accept', 'cvv_match'],
    ['AVS N declines', { avsCode: 'N' }, { avs: { noMatch: 'decline' } }, 'decline', 'avs_no_match'],
    ['AVS list, in it', { avsCode: 'Z' }, { avs: { acceptableCodes: ['Z'] } }, 'accept', 'avs_acceptable'],
    [
      'AVS list, not in it',
      { avsCode: 'Y' },
      { avs: { acceptableCodes: ['X'] } },
      'review',
      'avs_not_acceptable',
    ],
    [
      'AVS list, not in it, decline',
      { avsCode: 'S' },
      { avs: { acceptableCodes: ['X'], notAcceptable: 'decline' } },
      'decline',
      'avs_not_acceptable',
    ],
    [
      'AVS list never softens',
      { avsCode: 'N' },
      { avs: { acceptableCodes: ['X'], noMatch: 'decline' } },
      'decline',
      'avs_not_acceptable',
    ],
    ['AVS list keeps a retry', { avsCode: 'R' }, { avs: { acceptableCodes: ['X'] } }, 'retry', 'avs_retry'],
    ['empty AVS list', { avsCode: 'X' }, { avs: { acceptableCodes: [] } }, 'review', 'avs_not_acceptable'],
    [
      'international',
      { avsCode: 'G' },
      { avs: { international: 'decline' } },
      'decline',
      'avs_international',
    ],
    [
      'inferred international',
      { avsCode: 'D' },
      { avs: { international: 'review' } },
      'review',
      'avs_international',
    ],
    ['home stays', { avsCode: 'X' }, { avs: { international: 'decline' } }, 'accept', 'avs_match'],
    [
      'international, in the list',
      { avsCode: 'G' },
      { avs: { international: 'decline', acceptableCodes: ['G'] } },
      'accept',
      'avs_acceptable',
    ],
    [
      'international, not in the list',
      { avsCode: 'G' },
      { avs: { international: 'accept', acceptableCodes: ['X'] } },
      'accept',
      'avs_international',
    ],
    ['AVS missing', { avsCode: '' }, { avs: { missing: 'decline' } }, 'decline', 'avs_missing'],
    ['CVV off', { cvvCode: 'N' }, { cvv: { enabled: false } }, 'accept', 'avs_match'],
    ['CVV flag', { cvvCode: 'N' }, { cvv: { mismatch: 'flag' } }, 'review', 'cvv_mismatch'],
    ['CVV unverified', { cvvCode: 'U' }, { cvv: { unverified: 'accept' } }, 'accept', 'avs_match'],
    ['CVV missing', { cvvCode: '' }, { cvv: { missing: 'review' } }, 'review', 'cvv_missing'],
    ['risk off', { score: 99, riskDecision: 'D' }, { risk: { enabled: false } }, 'accept', 'avs_match'],
    [
      'risk missing',
      { score: '', riskDecision: '' },
      { risk: { missing: 'decline' } },
      'decline',
      'risk_missing',
    ],
    ['61-80 reviewed', { score: 61 }, { risk: { unverified: 'review' } }, 'review', 'risk_score_verify'],
    [
      'decision not followed',
      { riskDecision: 'D' },
      { risk: { followDecision: false } },
      'accept',
      'avs_match',
    ],
    [
      'only a decision, not followed',
      { score: '', riskDecision: 'A' },
      { risk: { followDecision: false, missing: 'review' } },
      'review',
      'risk_missing',
    ],
    [
      '3-D Secure off',
      { threeDSecure: { authenticated: false } },
      { threeDSecure: { enabled: false } },
      'accept',
      'avs_match',
    ],
    [
      'failed authentication reviewed',
      { threeDSecure: { authenticated: false } },
      { threeDSecure: { failed: 'review' } },
      'review',
      'three_d_secure_failed',
    ],
    [
      '3-D Secure unavailable declined',
      { threeDSecure: { authenticated: false, status: 'unavailable' } },
      { threeDSecure: { unavailable: 'decline' } },
      'decline',
      'three_d_secure_unavailable',
    ],
    ['3-D Secure required', {}, { threeDSecure: { required: true } }, 'review', 'three_d_secure_missing'],
    [
      '3-D Secure required, decline',
      {},
      { threeDSecure: { required: true, missing: 'decline' } },
      'decline',
      'three_d_secure_missing',
    ],
    [
      'every check off',
      { ...unchecked, avsCode: 'N', cvvCode: 'N' },
      { avs: { enabled: false }, cvv: { enabled: false }, risk: { enabled: false } },
      'accept',
      undefined,
    ],
  ])('rules: %s', (_what, facts, policy, decision, code) => {
    expect(judge(facts, policy)).toEqual([decision, code]);
  });

  it('accepts what is exempt', () => {
    const threeDSecure = { required: true, exemptions: { amountUpTo: '30.00' } };
    expect(judge({ amount: '30.00' }, { threeDSecure })[0]).toBe('accept');
    expect(judge({ ...unchecked, amount: '30.00' }, { threeDSecure })[0]).toBe('review');
  });

  it('accepts a verified buyer where it says so', () => {
    expect(
      judge({ score: 70, threeDSecure: { authenticated: true } }, { risk: { verified: 'accept' } })[0],
    ).toBe('accept');
  });

  it('moves the thresholds', () => {
    const risk = { thresholds: { monitor: 5, review: 10, verify: 15, decline: 20 } };
    const codes = [4, 5, 9, 10, 14, 15, 19, 20].map((score) => {
      const { reasons } = assessFraud(transaction({ score }), { risk });
      return reasons.find(({ code }) => code.startsWith('risk_score'))?.code;
    });
    const bands = ['low', 'monitor', 'monitor', 'review', 'review', 'verify', 'verify', 'decline'];
    expect(codes).toEqual(bands.map((band) => `risk_score_${band}`));
  });

  it('has thresholds that never apply', () => {
    const thresholds = { review: 101, verify: 101, decline: 101 };
    expect(judge({ score: 100 }, { risk: { thresholds } })[0]).toBe('accept');
  });

  it.each([
    [{ amount: '30.00' }, 'three_d_secure_exempt'],
    [{ amount: '30.0001' }, 'three_d_secure_missing'],
    [{ amount: '9.99' }, 'three_d_secure_exempt'],
    [{ score: 12 }, 'three_d_secure_exempt'],
    [{ score: 13 }, 'three_d_secure_missing'],
    [{ amount: '31', score: 5 }, 'three_d_secure_exempt'],
    [{ amount: '1', threeDSecure: { authenticated: false } }, 'three_d_secure_failed'],
  ])('exempts from 3-D Secure: %j', (facts, code) => {
    const exemptions = { amountUpTo: '30.00', scoreUpTo: 12 };
    const threeDSecure = { required: true, exemptions };
    const { reasons } = assessFraud(transaction({ score: 50, ...facts }), { threeDSecure });
    expect(reasons.find(({ check }) => check === 'three_d_secure')?.code).toBe(code);
  });

  it.each<[policy: object, type: typeof TypeError | typeof RangeError, message: string]>([
    [
      { risk: { thresholds: { review: 70 } } },
      RangeError,
      'policy.risk.thresholds.verify: expected a score from 70, where review starts, got the number 61',
    ],
    [
      { risk: { thresholds: { decline: 60 } } },
      RangeError,
      'policy.risk.thresholds.decline: expected a score from 61, where verify starts, got the number 60',
    ],
    [
      { risk: { thresholds: { decline: 102 } } },
      RangeError,
      'policy.risk.thresholds.decline: expected an integer from 0 to 101, got the number 102',
    ],
    [
      { risk: { thresholds: { monitor: 1.5 } } },
      RangeError,
      'policy.risk.thresholds.monitor: expected an integer from 0 to 101, got the number 1.5',
    ],
    [
      { risk: { thresholds: { monitor: Number.NaN } } },
      RangeError,
      'policy.risk.thresholds.monitor: expected an integer from 0 to 101, got the number NaN',
    ],
    [
      { risk: { thresholds: { monitor: '5' } } },
      TypeError,
      'policy.risk.thresholds.monitor: expected an integer from 0 to 101, got a string of 1 characters',
    ],
    [
      { cvv: { mismatch: 'ignore' } },
      TypeError,
      "policy.cvv.mismatch: expected 'decline' or 'flag', got 'ignore'",
    ],
    [
      { risk: { thresholds: { monitor: 4929876512340988 } } },
      RangeError,
      'policy.risk.thresholds.monitor: expected an integer from 0 to 101, got a long number',
    ],
    [{ avs: { enabled: 'no' } }, TypeError, "policy.avs.enabled: expected true or false, got 'no'"],
    [
      { avs: { acceptableCodes: ['Y', 'yes'] } },
      TypeError,
      "policy.avs.acceptableCodes[1]: expected an AVS code such as 'Y', got 'yes'",
    ],
    [
      { avs: { acceptableCodes: 'XY' } },
      TypeError,
      "policy.avs.acceptableCodes: expected an array of AVS codes, got 'XY'",
    ],
    [
      { avs: { acceptable: ['X'] } },
      TypeError,
      "policy.avs: expected enabled, acceptableCodes, notAcceptable, noMatch, international, missing, got an option named 'acceptable'",
    ],
    [
      { threeDSecure: { exemptions: { amountUpTo: 30 } } },
      TypeError,
      "policy.threeDSecure.exemptions.amountUpTo: expected a decimal string such as '12.00', got the number 30",
    ],
    [
      { threeDSecure: { exemptions: { scoreUpTo: 101 } } },
      RangeError,
      'policy.threeDSecure.exemptions.scoreUpTo: expected an integer from 0 to 100, got the number 101',
    ],
    [{ cvv: [] }, TypeError, 'policy.cvv: expected an object, got an array of 0'],
    [
      { velocity: {} },
      TypeError,
      "policy: expected avs, cvv, risk, threeDSecure, got an option named 'velocity'",
    ],
  ])('is refused when it is wrong: %j', (policy, type, message) => {
    expect(() => assessFraud(transaction(), policy)).toThrow(new type(message));
    expect(() => checkFraudPolicy(policy)).toThrow(type);
  });

  it('is given back when it is right', () => {
    const policy: FraudPolicy = { avs: { acceptableCodes: ['X', 'Y', 'D'] } };
    expect(checkFraudPolicy(policy)).toBe(policy);
  });
});
