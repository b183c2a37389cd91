import type { Charge, TransactionResult } from 'payments-client';
import {
  type AssessableTransaction,
  assessFraud,
  compileFraudPolicy,
  type FraudPolicy,
  readAvs,
  readCvv,
  readRisk,
} from 'payments-client/fraud';
import { describe, expect, it } from 'vitest';
import { type Facts, judge, transaction, unchecked } from './transactions.ts';

const missing = ['avs_missing', 'cvv_missing'];
describe('assessFraud by default', () => {
  it('accepts a payment that passes every check, with reasons', () => {
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

  it('accepts the result of a transaction unchanged', () => {
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
    ['D', 'review', 'avs_unknown_code'],
    ['Q', 'review', 'avs_unknown_code'],
  ])('follows the interface for AVS %s: %s', (avsCode, decision, code) => {
    expect(judge({ avsCode })).toEqual([decision, code]);
  });

  it.each([
    ['M', 'accept', 'cvv_match'],
    ['N', 'decline', 'cvv_mismatch'],
    ['P', 'review', 'cvv_unknown_code'],
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
  ])('describes a score of %i in the words of the interface', (score, what) => {
    expect(assessFraud(transaction({ score })).reasons.map((reason) => reason.what)).toContain(what);
  });

  it('holds an unreadable risk score for review', () => {
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

  it('counts an authenticated buyer as the verification for a score of 61 to 80 only', () => {
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
  ])('declines an unapproved transaction: %j', (facts) => {
    expect(judge(facts)).toEqual(['decline', 'not_approved']);
  });

  it.each([
    ['retry over accept', { avsCode: 'R' }, 'retry'],
    ['review over retry', { avsCode: 'R', riskDecision: 'R' }, 'review'],
    ['decline over review', { avsCode: 'A', score: 95 }, 'decline'],
    ['decline over retry', { avsCode: 'R', cvvCode: 'N' }, 'decline'],
  ])('uses the strictest decision: %s', (_what, facts, decision) => {
    const assessment = assessFraud(transaction(facts));
    expect(assessment.decision).toBe(decision);
    const order = ['decline', 'review', 'retry', 'accept'];
    const ranks = assessment.reasons.map(({ recommendation }) => order.indexOf(recommendation));
    expect(ranks).toEqual([...ranks].sort());
  });

  it('accepts without one check, and reviews without any', () => {
    expect(judge({ avsCode: '' })[0]).toBe('accept');
    expect(judge({ cvvCode: '' })[0]).toBe('accept');
    expect(judge({ score: '', riskDecision: '' })[0]).toBe('accept');
    expect(judge(unchecked)).toEqual(['review', 'nothing_checked']);
    expect(judge({ ...unchecked, threeDSecure: { authenticated: true } })[0]).toBe('accept');
  });

  it('does not quote an unusual code', () => {
    const { reasons } = assessFraud(transaction({ avsCode: '4111111111111111', riskDecision: 'a\nb' }));
    expect(JSON.stringify(reasons)).not.toMatch(/4111|\\n/);
  });

  it('refuses a value that is not a result', () => {
    // @ts-expect-error: a result is needed
    expect(() => assessFraud(undefined)).toThrow(
      new TypeError('result: expected the result of a transaction, or a charge, got nothing'),
    );
  });
});

const nothing: AssessableTransaction = {
  ...{ approved: true, response: '1' },
  ...{ avs: undefined, cvv: undefined, risk: undefined },
};

const off: FraudPolicy = { avs: { enabled: false }, cvv: { enabled: false }, risk: { enabled: false } };

/** Returns the findings of one check while the others are off. */
function findings(facts: Partial<AssessableTransaction>, policy: FraudPolicy) {
  const { reasons } = compileFraudPolicy({ ...off, ...policy })({ ...nothing, ...facts });
  const own = reasons.filter(({ check }) => check !== 'coverage');
  return own.map(({ code, check, what }) => [code, check, what]);
}

const required = { enabled: true, required: true };

describe('a finding', () => {
  it.each<
    [code: string, check: string, what: string, facts: Partial<AssessableTransaction>, policy: FraudPolicy]
  >([
    ['avs_missing', 'avs', 'no AVS result', {}, { avs: {} }],
    ['cvv_missing', 'cvv', 'no CVV result', {}, { cvv: {} }],
    ['risk_missing', 'risk', 'no risk score', {}, { risk: {} }],
    [
      'risk_missing',
      'risk',
      'no risk score',
      { risk: readRisk('', 'A') },
      { risk: { followDecision: false } },
    ],
    [
      'risk_unreadable',
      'risk',
      'the risk score is not a number from 0 to 100',
      { risk: readRisk('high', '') },
      { risk: {} },
    ],
    [
      'risk_score_verified',
      'risk',
      'risk score 70: needs verification, and 3-D Secure authenticated the buyer',
      { risk: readRisk('70', ''), threeDSecure: { authenticated: true } },
      { risk: {}, threeDSecure: { enabled: false } },
    ],
    [
      'risk_score_verify',
      'risk',
      'risk score 70: decline, or require verification',
      { risk: readRisk('70', '') },
      { risk: {} },
    ],
    ['risk_decision_decline', 'risk', 'risk decision D: decline', { risk: readRisk('', 'D') }, { risk: {} }],
    [
      'risk_decision_unknown',
      'risk',
      'risk decision Z: not listed',
      { risk: readRisk('', 'Z') },
      { risk: {} },
    ],
    [
      'risk_decision_unknown',
      'risk',
      'risk decision REVIEWED: not listed',
      { risk: readRisk('', 'REVIEWED') },
      { risk: {} },
    ],
    [
      'risk_decision_unknown',
      'risk',
      'risk decision (9 characters): not listed',
      { risk: readRisk('', 'REVIEWED!') },
      { risk: {} },
    ],
    [
      'risk_decision_unknown',
      'risk',
      'risk decision (9 characters): not listed',
      { risk: readRisk('', 'REVIEWEDX') },
      { risk: {} },
    ],
    [
      'three_d_secure_missing',
      'three_d_secure',
      '3-D Secure is required, but there is no outcome',
      {},
      { threeDSecure: required },
    ],
    [
      'three_d_secure_exempt',
      'three_d_secure',
      'exempt from 3-D Secure: the amount is small',
      { amount: '30.00' },
      { threeDSecure: { ...required, exemptions: { amountUpTo: '30.00' } } },
    ],
    [
      'three_d_secure_missing',
      'three_d_secure',
      '3-D Secure is required, but there is no outcome',
      { amount: '30.01' },
      { threeDSecure: { ...required, exemptions: { amountUpTo: '30.00' } } },
    ],
    [
      'three_d_secure_missing',
      'three_d_secure',
      '3-D Secure is required, but there is no outcome',
      {},
      { threeDSecure: { ...required, exemptions: { amountUpTo: '30.00', scoreUpTo: 20 } } },
    ],
    [
      'three_d_secure_missing',
      'three_d_secure',
      '3-D Secure is required, but there is no outcome',
      { amount: '1.00', risk: readRisk('5', '') },
      { threeDSecure: required },
    ],
    [
      'three_d_secure_missing',
      'three_d_secure',
      '3-D Secure is required, but there is no outcome',
      { amount: 'not asked for' },
      { threeDSecure: required },
    ],
    [
      'three_d_secure_exempt',
      'three_d_secure',
      'exempt from 3-D Secure: the risk score is low',
      { risk: readRisk('20', '') },
      { threeDSecure: { ...required, exemptions: { scoreUpTo: 20 } } },
    ],
    [
      'three_d_secure_missing',
      'three_d_secure',
      '3-D Secure is required, but there is no outcome',
      { risk: readRisk('21', '') },
      { threeDSecure: { ...required, exemptions: { scoreUpTo: 20 } } },
    ],
  ])('%s: %s, %s', (code, check, what, facts, policy) => {
    expect(findings(facts, policy)[0]).toEqual([code, check, what]);
  });

  it('exists for a declined transaction, whatever the checks say', () => {
    const { reasons } = compileFraudPolicy(off)({ ...nothing, approved: false, response: '2' });
    expect(reasons).toEqual([
      {
        ...{ code: 'not_approved', check: 'response', recommendation: 'decline' },
        what: 'response 2: the transaction was not approved',
      },
    ]);
  });

  it('is absent if every check is off, and present if every check is missing', () => {
    const assessNothing = compileFraudPolicy({ ...off, threeDSecure: { enabled: false } });
    expect(assessNothing(nothing).reasons).toEqual([]);
    const { decision, reasons } = assessFraud(nothing);
    expect(decision).toBe('review');
    expect(reasons[0]).toEqual({
      ...{ code: 'nothing_checked', check: 'coverage', recommendation: 'review' },
      what: 'none of the enabled checks has a result',
    });
  });

  it('of an address distinguishes no match from no check', () => {
    const codesOf = (avs: string) => findings({ avs: readAvs(avs) }, { avs: {} })[0]?.[0];
    expect([codesOf('N'), codesOf('U'), codesOf('A'), codesOf('R'), codesOf('?')]).toEqual([
      ...['avs_no_match', 'avs_not_verified', 'avs_partial_match', 'avs_retry', 'avs_unknown_code'],
    ]);
    expect(findings({ cvv: readCvv('P') }, { cvv: {} })[0]?.slice(0, 2)).toEqual(['cvv_unknown_code', 'cvv']);
  });
});

describe('a charge', () => {
  const charge: Charge = {
    ...{ id: 'ch_1', object: 'charge', livemode: false, intent_id: 'pi_1', payment_method: 'pm_1' },
    ...{ amount: 1200, amount_refunded: 0, currency: 'USD', authorization_code: 'A1', status: 'succeeded' },
    ...{ decline_code: null, decline_type: null, failure_message: null, settled_at: null },
    ...{ settlement_batch_id: null, created_at: 1, updated_at: 1 },
  };

  it('that succeeded needs a review, since it shows no checks', () => {
    const { decision, reasons } = assessFraud(charge);
    expect(decision).toBe('review');
    expect(reasons.map(({ code }) => code)).toEqual([
      'nothing_checked',
      'avs_missing',
      'cvv_missing',
      'risk_missing',
    ]);
  });

  it('that failed is declined, whatever the policy', () => {
    expect(compileFraudPolicy(off)({ ...charge, status: 'failed' })).toEqual({
      decision: 'decline',
      reasons: [
        {
          ...{ code: 'not_approved', check: 'response', recommendation: 'decline' },
          what: 'status failed: the charge did not succeed',
        },
      ],
    });
  });

  it('with a status that is not listed is neither declined nor accepted', () => {
    expect(compileFraudPolicy(off)({ ...charge, status: 'processing' }).reasons).toEqual([
      {
        ...{ code: 'status_unknown', check: 'response', recommendation: 'review' },
        what: 'status (10 characters): not listed',
      },
    ]);
  });

  it.each<[policy: FraudPolicy, decision: string]>([
    [off, 'accept'],
    [{ avs: { missing: 'decline' } }, 'decline'],
    [{ threeDSecure: { required: true, missing: 'decline' } }, 'decline'],
    [{ threeDSecure: { required: true, exemptions: { amountUpTo: '5000', scoreUpTo: 100 } } }, 'review'],
  ])('that succeeded follows a policy for missing checks: %j', (policy, decision) => {
    expect(compileFraudPolicy(policy)(charge).decision).toBe(decision);
  });

  it('is not a payment intent', () => {
    // @ts-expect-error: an intent is no charge
    expect(() => assessFraud({ ...charge, object: 'payment_intent' })).toThrow(
      new TypeError("result.object: expected 'charge', got 'payment_intent'"),
    );
  });
});
