import type { Charge, TransactionResult } from 'payments-client';
import { assessFraud, type FraudAssessment, type FraudReason } from 'payments-client/fraud';
import { describe, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { type Facts, judge, transaction, unchecked } from './transactions.ts';

type Decision = FraudAssessment['decision'];
type Row<Fact> = readonly [fact: Fact, code: FraudReason['code'], recommendation: Decision, what: string];

const avsRows: readonly Row<string>[] = [
  ['X', 'avs_match', 'accept', 'AVS X: exact match, 9-digit ZIP'],
  ['Y', 'avs_match', 'accept', 'AVS Y: match, 5-digit ZIP'],
  ['A', 'avs_partial_match', 'review', 'AVS A: address only'],
  ['W', 'avs_partial_match', 'review', 'AVS W: ZIP only, 9-digit'],
  ['Z', 'avs_partial_match', 'review', 'AVS Z: ZIP only, 5-digit'],
  ['N', 'avs_no_match', 'review', 'AVS N: no match'],
  ['U', 'avs_not_verified', 'review', 'AVS U: unavailable'],
  ['R', 'avs_retry', 'retry', 'AVS R: retry'],
  ['E', 'avs_not_verified', 'review', 'AVS E: AVS error'],
  ['S', 'avs_not_verified', 'accept', 'AVS S: not supported'],
  ['G', 'avs_not_verified', 'accept', 'AVS G: global, not verifiable'],
  ['D', 'avs_unknown_code', 'review', 'AVS D: not listed'],
  ['?', 'avs_unknown_code', 'review', 'AVS (1 characters): not listed'],
  ['', 'avs_missing', 'accept', 'no AVS result'],
];

const cvvRows: readonly Row<string>[] = [
  ['M', 'cvv_match', 'accept', 'CVV M: match'],
  ['N', 'cvv_mismatch', 'decline', 'CVV N: mismatch, a fraud indicator'],
  ['P', 'cvv_unknown_code', 'review', 'CVV P: not listed'],
  ['', 'cvv_missing', 'accept', 'no CVV result'],
];

const scoreRows: readonly Row<number>[] = [
  [0, 'risk_score_low', 'accept', 'risk score 0: approve, process normally'],
  [20, 'risk_score_low', 'accept', 'risk score 20: approve, process normally'],
  [21, 'risk_score_monitor', 'accept', 'risk score 21: approve with monitoring'],
  [40, 'risk_score_monitor', 'accept', 'risk score 40: approve with monitoring'],
  [41, 'risk_score_review', 'review', 'risk score 41: review before fulfilment'],
  [60, 'risk_score_review', 'review', 'risk score 60: review before fulfilment'],
  [61, 'risk_score_verify', 'decline', 'risk score 61: decline, or require verification'],
  [80, 'risk_score_verify', 'decline', 'risk score 80: decline, or require verification'],
  [81, 'risk_score_decline', 'decline', 'risk score 81: decline'],
  [100, 'risk_score_decline', 'decline', 'risk score 100: decline'],
];

const decisionRows: readonly Row<string>[] = [
  ['A', 'risk_decision_approve', 'accept', 'risk decision A: approve'],
  ['R', 'risk_decision_review', 'review', 'risk decision R: review'],
  ['D', 'risk_decision_decline', 'decline', 'risk decision D: decline'],
  ['H', 'risk_decision_unknown', 'review', 'risk decision H: not listed'],
  ['REVIEWED', 'risk_decision_unknown', 'review', 'risk decision REVIEWED: not listed'],
  ['REVIEWED!', 'risk_decision_unknown', 'review', 'risk decision (9 characters): not listed'],
  ['REVIEWEDX', 'risk_decision_unknown', 'review', 'risk decision (9 characters): not listed'],
  ['constructor', 'risk_decision_unknown', 'review', 'risk decision (11 characters): not listed'],
];

type Authentication = readonly [
  code: FraudReason['code'],
  recommendation: Decision,
  what: string,
  ...outcomes: NonNullable<Facts['threeDSecure']>[],
];

const authentications: readonly Authentication[] = [
  [
    'three_d_secure_authenticated',
    'accept',
    '3-D Secure authenticated the cardholder',
    { authenticated: true, cardholder_auth: 'Y' },
    { authenticated: true, cardholder_auth: 'Y', status: 'frictionless' },
    { authenticated: true, cardholder_auth: 'Y', status: 'authenticated' },
  ],
  [
    'three_d_secure_contradictory',
    'review',
    'the fields of the 3-D Secure outcome contradict each other',
    { authenticated: false, status: 'authenticated' },
    { authenticated: false, status: 'frictionless' },
    { authenticated: false, cardholder_auth: 'Y' },
    { authenticated: false, cardholder_auth: 'Y', status: 'unavailable' },
    { authenticated: true },
    { authenticated: true, cardholder_auth: '' },
    { authenticated: true, cardholder_auth: null },
    { authenticated: true, cardholder_auth: 'N' },
    { authenticated: true, cardholder_auth: 'U' },
    { authenticated: true, status: 'frictionless' },
    { authenticated: true, cardholder_auth: 'Y', status: 'failed' },
  ],
  [
    'three_d_secure_failed',
    'decline',
    '3-D Secure authentication failed, which is a high risk of fraud',
    { authenticated: false },
    { authenticated: false, cardholder_auth: null },
    { authenticated: false, cardholder_auth: 'N' },
    { authenticated: false, cardholder_auth: 'U', status: 'failed' },
    { authenticated: false, status: 'failed' },
  ],
  [
    'three_d_secure_unavailable',
    'review',
    '3-D Secure authentication was not available',
    { authenticated: false, status: 'unavailable' },
    { authenticated: false, cardholder_auth: 'U' },
  ],
  [
    'three_d_secure_unfinished',
    'retry',
    'the 3-D Secure challenge is not finished',
    { authenticated: false, status: 'challenge_required' },
    { authenticated: false, cardholder_auth: 'C' },
  ],
];

type Finding = readonly [check: FraudReason['check'], ...Row<Facts>];

const unreadable = 'the risk score is not a number from 0 to 100';

const avsFindings = avsRows.map(([avsCode, ...row]): Finding => ['avs', { avsCode }, ...row]);
const cvvFindings = cvvRows.map(([cvvCode, ...row]): Finding => ['cvv', { cvvCode }, ...row]);
const scoreFindings = scoreRows.map(([score, ...row]): Finding => ['risk', { score }, ...row]);
const decisionFindings = decisionRows.map(
  ([riskDecision, ...row]): Finding => ['risk', { riskDecision }, ...row],
);
const threeDSecureFindings = authentications.flatMap(([code, recommendation, what, ...outcomes]) =>
  outcomes.map((threeDSecure): Finding => ['three_d_secure', { threeDSecure }, code, recommendation, what]),
);
const findings: readonly Finding[] = [
  ...avsFindings,
  ...cvvFindings,
  ...scoreFindings,
  ...decisionFindings,
  ...threeDSecureFindings,
  ['risk', { score: 999 }, 'risk_unreadable', 'review', unreadable],
  ['risk', {}, 'risk_missing', 'accept', 'no risk score'],
];

/** Returns the first finding of each code. */
const ofEachCode = (all: readonly Finding[]) =>
  all.filter(([, , code], index) => all.findIndex(([, , other]) => other === code) === index);

/** Every combination of one finding of each check. */
function* combinations(): Generator<Finding[]> {
  for (const avs of ofEachCode(avsFindings))
    for (const cvv of ofEachCode(cvvFindings))
      for (const score of ofEachCode(scoreFindings))
        for (const decision of ofEachCode(decisionFindings))
          for (const authentication of ofEachCode(threeDSecureFindings))
            yield [avs, cvv, score, decision, authentication];
}

const strictness = ['decline', 'review', 'retry', 'accept'] as const;

describe('assessFraud', () => {
  it.each(findings)('finds in the check %s, of %j: %s, %s', (check, facts, code, recommendation, what) => {
    const { decision, reasons } = assessFraud(transaction({ ...unchecked, ...facts }));
    expect(reasons).toContainEqual({ code, check, what, recommendation });
    expect(decision).toBe(code.endsWith('_missing') ? 'review' : recommendation);
    const others = check === 'risk' ? { score: '', riskDecision: '' } : {};
    expect(judge({ ...others, ...facts })[0]).toBe(recommendation);
  });

  it('lets the strictest finding decide, in every combination', () => {
    let count = 0;
    for (const combination of combinations()) {
      const facts: Facts = Object.assign({}, ...combination.map(([, given]) => given));
      const { decision, reasons } = assessFraud(transaction(facts));
      const isVerified = facts.threeDSecure?.authenticated === true;
      const expected = combination.map(([, , code, recommendation]) =>
        code === 'risk_score_verify' && isVerified
          ? (['risk_score_verified', 'review'] as const)
          : ([code, recommendation] as const),
      );
      const decisions = expected.map(([, recommendation]) => recommendation);
      expect(decision).toBe(strictness.find((each) => decisions.includes(each)));
      expect(new Set(reasons.map(({ code }) => code))).toEqual(new Set(expected.map(([code]) => code)));
      const ranks = reasons.map(({ recommendation }) => strictness.indexOf(recommendation));
      expect(ranks).toEqual(ranks.toSorted());
      count += 1;
    }
    expect(count).toBe(7 * 4 * 5 * 4 * 5);
  });

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

  it('judges a score without a decision, and a decision without a score', () => {
    expect(judge({ score: 50, riskDecision: '' })).toEqual(['review', 'risk_score_review']);
    expect(judge({ score: '', riskDecision: 'R' })).toEqual(['review', 'risk_decision_review']);
    const missing = ['avs_missing', 'cvv_missing'];
    const codesOf = (facts: Facts) =>
      assessFraud(transaction({ avsCode: '', cvvCode: '', ...facts })).reasons.map(({ code }) => code);
    expect(codesOf({ score: 50, riskDecision: '' })).toEqual(['risk_score_review', ...missing]);
    expect(codesOf({ score: '', riskDecision: 'R' })).toEqual(['risk_decision_review', ...missing]);
  });

  it('counts an authenticated buyer as the verification for a score of 61 to 80 only', () => {
    const threeDSecure = { authenticated: true, cardholder_auth: 'Y' };
    expect(judge({ score: 70, threeDSecure })).toEqual(['review', 'risk_score_verified']);
    expect(judge({ score: 81, threeDSecure })).toEqual(['decline', 'risk_score_decline']);
    for (const cardholder_auth of ['N', undefined]) {
      const contradictory = { authenticated: true, cardholder_auth };
      expect(judge({ score: 70, threeDSecure: contradictory })[0]).toBe('decline');
    }
  });

  it.each([
    [{ approved: false, response: '2' }],
    [{ approved: false, response: '1' }],
    [{ approved: true, response: '2' }],
  ])('declines an unapproved transaction: %j', (facts) => {
    expect(judge(facts)).toEqual(['decline', 'not_approved']);
    const what = `response ${facts.response}: the transaction was not approved`;
    expect(assessFraud(transaction({ ...unchecked, ...facts })).reasons[0]?.what).toBe(what);
  });

  it('accepts without one check, and reviews without any', () => {
    expect(judge({ avsCode: '' })[0]).toBe('accept');
    expect(judge({ cvvCode: '' })[0]).toBe('accept');
    expect(judge({ score: '', riskDecision: '' })[0]).toBe('accept');
    expect(assessFraud(transaction(unchecked)).reasons[0]).toEqual({
      code: 'nothing_checked',
      check: 'coverage',
      recommendation: 'review',
      what: 'no check has a result',
    });
    expect(judge({ ...unchecked, threeDSecure: { authenticated: true, cardholder_auth: 'Y' } })[0]).toBe(
      'accept',
    );
  });

  it('does not quote an unusual code', () => {
    const { reasons } = assessFraud(transaction({ avsCode: '4111111111111111', riskDecision: 'a\nb' }));
    expect(JSON.stringify(reasons)).not.toMatch(/4111|\\n/);
  });

  it('refuses a value that is not a result', () => {
    // @ts-expect-error: a result is needed
    expect(() => assessFraud(undefined)).toThrow(
      'result: expected the result of a transaction, or a charge, got nothing',
    );
    // The fields as they came, and a call that nobody awaited, would look declined.
    for (const given of [{ response: '1', transactionid: '316' }, Promise.resolve()]) {
      expect(() => assessFraud(anything(given))).toThrow(
        'result.approved: expected true or false, got nothing. Pass what a call of payments.transact or payments.charges returned, awaited and whole.',
      );
    }
  });
});

describe('a charge', () => {
  const charge: Charge = {
    id: 'ch_1',
    object: 'charge',
    livemode: false,
    intent_id: 'pi_1',
    payment_method: 'pm_1',
    amount: 1200,
    amount_refunded: 0,
    currency: 'USD',
    authorization_code: 'A1',
    status: 'succeeded',
    decline_code: null,
    decline_type: null,
    failure_message: null,
    settled_at: null,
    settlement_batch_id: null,
    created_at: 1,
    updated_at: 1,
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

  it.each<[status: string, reason: FraudReason]>([
    [
      'failed',
      {
        code: 'not_approved',
        check: 'response',
        recommendation: 'decline',
        what: 'status failed: the charge did not succeed',
      },
    ],
    [
      'processing',
      {
        code: 'status_unknown',
        check: 'response',
        recommendation: 'review',
        what: 'status (10 characters): not listed',
      },
    ],
  ])('with the status %s has a finding of its own', (status, reason) => {
    const { decision, reasons } = assessFraud({ ...charge, status });
    expect(decision).toBe(reason.recommendation);
    expect(reasons[0]).toEqual(reason);
  });

  it('is not a payment intent', () => {
    // @ts-expect-error: an intent is no charge
    expect(() => assessFraud({ ...charge, object: 'payment_intent' })).toThrow(
      "result.object: expected 'charge', got 'payment_intent'",
    );
  });
});
