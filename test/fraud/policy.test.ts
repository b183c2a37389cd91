import { type CvvPolicy, compileFraudPolicy, type FraudPolicy } from 'payments-client/fraud';
import { describe, expect, it } from 'vitest';
import { type Facts, judge, transaction, unchecked } from './transactions.ts';

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
      { avs: { international: 'review' }, inferredCodes: true },
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

  it('accepts a verified buyer if configured', () => {
    expect(
      judge({ score: 70, threeDSecure: { authenticated: true } }, { risk: { verified: 'accept' } })[0],
    ).toBe('accept');
  });

  it('moves the thresholds', () => {
    const risk = { thresholds: { monitor: 5, review: 10, verify: 15, decline: 20 } };
    const codes = [4, 5, 9, 10, 14, 15, 19, 20].map((score) => {
      const { reasons } = compileFraudPolicy({ risk })(transaction({ score }));
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
    const { reasons } = compileFraudPolicy({ threeDSecure })(transaction({ score: 50, ...facts }));
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
      'policy.risk.thresholds.monitor: expected an integer from 0 to 101, got a string of 1 character',
    ],
    [
      { cvv: { mismatch: 'ignore' } },
      TypeError,
      "policy.cvv.mismatch: expected 'decline' or 'flag', got 'ignore'",
    ],
    [
      { risk: { thresholds: { monitor: 4929876512340988 } } },
      RangeError,
      'policy.risk.thresholds.monitor: expected an integer from 0 to 101, got a number',
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
      "policy.avs.acceptableCodes: expected an array, got 'XY'",
    ],
    [
      { avs: { acceptable: ['X'] } },
      TypeError,
      'policy.avs.acceptable: expected one of enabled, acceptableCodes, notAcceptable, noMatch, international, missing, got an unknown option',
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
      'policy.velocity: expected one of avs, cvv, risk, threeDSecure, inferredCodes, got an unknown option',
    ],
  ])('is refused when it is wrong: %j', (policy, type, message) => {
    expect(() => compileFraudPolicy(policy)).toThrow(new type(message));
  });

  it('is read once, at compilation', () => {
    let reads = 0;
    const cvv: CvvPolicy = {
      get mismatch(): 'flag' {
        reads += 1;
        return 'flag';
      },
    };
    const assess = compileFraudPolicy({ cvv });
    const readsToCompile = reads;
    for (let call = 0; call < 100; call += 1) {
      expect(assess(transaction({ cvvCode: 'N' })).decision).toBe('review');
    }
    expect(readsToCompile).toBeGreaterThan(0);
    expect(reads).toBe(readsToCompile);
  });

  it('does not change when its object changes after compilation', () => {
    const acceptableCodes = ['Z'];
    const assess = compileFraudPolicy({ avs: { acceptableCodes } });
    acceptableCodes.pop();
    expect(assess(transaction({ avsCode: 'Z' })).reasons.map(({ code }) => code)).toContain('avs_acceptable');
  });

  it('accepts unlisted codes, inferred or not', () => {
    const policy = { avs: { acceptableCodes: ['X', 'Q'] } };
    expect(judge({ avsCode: 'Q' }, policy)).toEqual(['accept', 'avs_acceptable']);
    expect(judge({ avsCode: 'D' }, { ...policy, inferredCodes: true })).toEqual([
      'review',
      'avs_not_acceptable',
    ]);
  });
});
