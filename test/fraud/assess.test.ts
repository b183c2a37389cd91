import fc from 'fast-check';
import type { Charge, TransactionResult } from 'payments-client';
import { assessFraud, type FraudAssessment, type FraudReason, readChecks } from 'payments-client/fraud';
import { describe, expect, it } from 'vitest';
import fraud from '../interface/tables/fraud.json' with { type: 'json' };
import { anything } from '../support/anything.ts';
import { bySize } from '../support/size.ts';

type Transaction = Exclude<Parameters<typeof assessFraud>[0], { readonly object: 'charge' }>;

/** The fields that a test changes of a transaction that passed every check. */
interface Facts extends Partial<Transaction> {
  readonly avsCode?: string;
  readonly cvvCode?: string;
  readonly score?: number | string;
  readonly riskDecision?: string;
}

/** Returns an approved transaction that passed every check, with a test's changes. */
function transaction(facts: Facts = {}): Transaction {
  const { avsCode = 'X', cvvCode = 'M', score = 10, riskDecision = 'A', ...rest } = facts;
  const columns = {
    avsresponse: avsCode,
    cvvresponse: cvvCode,
    risk_score: score,
    risk_decision: riskDecision,
  };
  return { approved: true, response: '1', ...readChecks(columns), ...rest };
}

/** Returns the decision and the code of its reason. */
function judge(facts: Facts) {
  const { decision, reasons } = assessFraud(transaction(facts));
  return [decision, reasons[0]?.code];
}

const codesOf = (facts: Facts) => assessFraud(transaction(facts)).reasons.map(({ code }) => code);

/** The facts of a transaction without checks. */
const unchecked = { avsCode: '', cvvCode: '', score: '', riskDecision: '' };

type Decision = FraudAssessment['decision'];
type Row<Fact> = readonly [code: FraudReason['code'], recommendation: Decision, ...facts: Fact[]];

const avsRows: readonly Row<string>[] = [
  ['avs_match', 'accept', 'X', 'Y'],
  ['avs_partial_match', 'review', 'A', 'W', 'Z'],
  ['avs_no_match', 'review', 'N'],
  ['avs_not_verified', 'review', 'U', 'E'],
  ['avs_not_verified', 'accept', 'S', 'G'],
  ['avs_retry', 'retry', 'R'],
  ['avs_unknown_code', 'review', 'D', '?'],
  ['avs_missing', 'accept', ''],
];

const cvvRows: readonly Row<string>[] = [
  ['cvv_match', 'accept', 'M'],
  ['cvv_mismatch', 'decline', 'N'],
  ['cvv_unknown_code', 'review', 'P'],
  ['cvv_missing', 'accept', ''],
];

const scoreRows: readonly Row<number>[] = [
  ['risk_score_low', 'accept', 0, 20],
  ['risk_score_monitor', 'accept', 21, 40],
  ['risk_score_review', 'review', 41, 60],
  ['risk_score_verify', 'decline', 61, 80],
  ['risk_score_decline', 'decline', 81, 100],
];

const decisionRows: readonly Row<string>[] = [
  ['risk_decision_approve', 'accept', 'A'],
  ['risk_decision_review', 'review', 'R'],
  ['risk_decision_decline', 'decline', 'D'],
  ['risk_decision_unknown', 'review', 'H', 'a', 'constructor'],
];

const authenticationRows: readonly Row<NonNullable<Facts['threeDSecure']>>[] = [
  [
    'three_d_secure_authenticated',
    'accept',
    { authenticated: true, cardholder_auth: 'Y' },
    { authenticated: true, cardholder_auth: 'Y', status: 'frictionless' },
    { authenticated: true, cardholder_auth: 'Y', status: 'authenticated' },
  ],
  [
    'three_d_secure_contradictory',
    'review',
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
    { authenticated: false },
    { authenticated: false, cardholder_auth: null },
    { authenticated: false, cardholder_auth: 'N' },
    { authenticated: false, cardholder_auth: 'U', status: 'failed' },
    { authenticated: false, status: 'failed' },
  ],
  [
    'three_d_secure_unavailable',
    'review',
    { authenticated: false, status: 'unavailable' },
    { authenticated: false, cardholder_auth: 'U' },
  ],
  [
    'three_d_secure_unfinished',
    'retry',
    { authenticated: false, status: 'challenge_required' },
    { authenticated: false, cardholder_auth: 'C' },
  ],
];

type Finding = readonly [
  check: FraudReason['check'],
  facts: Facts,
  code: FraudReason['code'],
  recommendation: Decision,
];

/** The findings of a table: one for each fact. */
const findingsOf = <Fact>(check: Finding[0], rows: readonly Row<Fact>[], toFacts: (fact: Fact) => Facts) =>
  rows.flatMap(([code, recommendation, ...facts]) =>
    facts.map((fact): Finding => [check, toFacts(fact), code, recommendation]),
  );

const byCheck = [
  findingsOf('avs', avsRows, (avsCode) => ({ avsCode })),
  findingsOf('cvv', cvvRows, (cvvCode) => ({ cvvCode })),
  findingsOf('risk', scoreRows, (score) => ({ score })),
  findingsOf('risk', decisionRows, (riskDecision) => ({ riskDecision })),
  findingsOf('three_d_secure', authenticationRows, (threeDSecure) => ({ threeDSecure })),
] as const;

const strictness = ['decline', 'review', 'retry', 'accept'] as const;

describe('assessFraud', () => {
  it.each<Finding>([
    ...byCheck.flat(),
    ['risk', { score: 999 }, 'risk_unreadable', 'review'],
    ['risk', {}, 'risk_missing', 'accept'],
  ])('finds in the check %s, of %j: %s, %s', (check, facts, code, recommendation) => {
    const { decision, reasons } = assessFraud(transaction({ ...unchecked, ...facts }));
    expect(reasons).toContainEqual({ code, check, what: expect.stringMatching(/./), recommendation });
    expect(decision).toBe(code.endsWith('_missing') ? 'review' : recommendation);
    const others = check === 'risk' ? { score: '', riskDecision: '' } : {};
    expect(judge({ ...others, ...facts })[0]).toBe(recommendation);
  });

  it('lets the strictest finding decide, in any combination, and lists it first', () => {
    const combination = fc.tuple(...byCheck.map((findings) => fc.constantFrom(...findings)));
    fc.assert(
      fc.property(combination, (found) => {
        const facts: Facts = Object.assign({}, ...found.map(([, given]) => given));
        const isVerified = found.some(([, , code]) => code === 'three_d_secure_authenticated');
        const expected = found.map(([, , code, recommendation]) =>
          code === 'risk_score_verify' && isVerified
            ? (['risk_score_verified', 'review'] as const)
            : ([code, recommendation] as const),
        );
        const { decision, reasons } = assessFraud(transaction(facts));
        const decisions = expected.map(([, recommendation]) => recommendation);
        expect(decision).toBe(strictness.find((each) => decisions.includes(each)));
        expect(reasons.map(({ code }) => code).toSorted()).toEqual(expected.map(([code]) => code).toSorted());
        const ranks = reasons.map(({ recommendation }) => strictness.indexOf(recommendation));
        expect(ranks).toEqual(ranks.toSorted());
      }),
      { numRuns: bySize({ short: 200, all: 5_000 }) },
    );
  });

  it('accepts a payment that passes every check, with reasons', () => {
    const codes = ['avs_match', 'cvv_match', 'risk_score_low', 'risk_decision_approve'];
    expect(assessFraud(transaction()).decision).toBe('accept');
    expect(codesOf({})).toEqual(codes);
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
    expect(codesOf({ ...unchecked, score: 50 })).toEqual(['risk_score_review', ...missing]);
    expect(codesOf({ ...unchecked, riskDecision: 'R' })).toEqual(['risk_decision_review', ...missing]);
  });

  it.each<[score: number, cardholder_auth: string | undefined, ...judged: ReturnType<typeof judge>]>([
    [60, 'Y', 'review', 'risk_score_review'],
    [61, 'Y', 'review', 'risk_score_verified'],
    [80, 'Y', 'review', 'risk_score_verified'],
    [81, 'Y', 'decline', 'risk_score_decline'],
    [70, 'N', 'decline', 'risk_score_verify'],
    [70, undefined, 'decline', 'risk_score_verify'],
  ])(
    'counts as the verification of a score %i only an authenticated buyer (%s): %s',
    (score, cardholder_auth, ...judged) => {
      expect(judge({ score, threeDSecure: { authenticated: true, cardholder_auth } })).toEqual(judged);
    },
  );

  it.each([
    [{ approved: false, response: '2' }],
    [{ approved: false, response: '1' }],
    [{ approved: true, response: '2' }],
  ])('declines an unapproved transaction: %j', (facts) => {
    expect(judge(facts)).toEqual(['decline', 'not_approved']);
    expect(judge({ ...unchecked, ...facts })).toEqual(['decline', 'not_approved']);
    expect(assessFraud(transaction(facts)).reasons[0]?.what).toContain(`response ${facts.response}:`);
  });

  it.each([{ avsCode: '' }, { cvvCode: '' }, { score: '', riskDecision: '' }])(
    'accepts without one check: %j',
    (facts) => {
      expect(judge(facts)[0]).toBe('accept');
    },
  );

  it('reviews a payment without any check, and accepts one that 3-D Secure alone has authenticated', () => {
    expect(judge(unchecked)).toEqual(['review', 'nothing_checked']);
    const threeDSecure = { authenticated: true, cardholder_auth: 'Y' };
    expect(judge({ ...unchecked, threeDSecure })).toEqual(['accept', expect.any(String)]);
  });

  it('says in words what it found, and does not quote an unusual code', () => {
    const words = (facts: Facts) => assessFraud(transaction(facts)).reasons.map(({ what }) => what);
    expect(words({ avsCode: 'A', cvvCode: 'N', score: 50, riskDecision: 'R' }).toSorted()).toEqual([
      'AVS A: address only',
      'CVV N: mismatch, a fraud indicator',
      'risk decision R: review',
      'risk score 50: review before fulfilment',
    ]);
    const unusual = words({ avsCode: '4111111111111111', cvvCode: '?', riskDecision: 'a\nb' });
    expect(unusual.join()).not.toMatch(/4111|\?|\n/);
    expect(words({ riskDecision: 'REVIEWED' }).join()).toContain('REVIEWED');
    expect(words({ riskDecision: 'REVIEWEDX' }).join()).not.toContain('REVIEWEDX');
  });

  it('has the decisions of the interface', () => {
    for (const { code, meaning } of fraud.riskDecisions) {
      const { reasons } = assessFraud(transaction({ riskDecision: code }));
      expect(reasons.map(({ what }) => what)).toContain(`risk decision ${code}: ${meaning}`);
    }
  });

  it('refuses a value that is not a result', () => {
    expect(() => assessFraud(anything(undefined))).toThrow(/^result: expected .+, got nothing\./);
    // The fields as they came, and a call that nobody awaited, would look declined.
    for (const given of [{ response: '1', transactionid: '316' }, Promise.resolve(), { approved: 'true' }]) {
      expect(() => assessFraud(anything(given))).toThrow(/^result\.approved: expected true or false, got /);
    }
  });
});

describe('a charge', () => {
  const charge: Pick<Charge, 'object' | 'status' | 'amount'> = {
    object: 'charge',
    status: 'succeeded',
    amount: 1200,
  };
  const missing = ['avs_missing', 'cvv_missing', 'risk_missing'];

  it.each<[status: string, Decision, first: FraudReason['code'][]]>([
    ['succeeded', 'review', ['nothing_checked']],
    ['failed', 'decline', ['not_approved', 'nothing_checked']],
    ['processing', 'review', ['status_unknown', 'nothing_checked']],
  ])('that %s has the decision %s, since it shows no checks', (status, expected, first) => {
    const { decision, reasons } = assessFraud({ ...charge, status });
    expect([decision, reasons.map(({ code }) => code)]).toEqual([expected, [...first, ...missing]]);
  });

  it('is not a payment intent', () => {
    expect(() => assessFraud(anything({ ...charge, object: 'payment_intent' }))).toThrow(
      "result.object: expected 'charge', got 'payment_intent'",
    );
  });
});
