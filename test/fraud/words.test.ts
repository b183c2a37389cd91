/** Every finding and every refusal, word by word, and every spelling that counts as the same. */

import { describe, expect, it, vi } from 'vitest';
import {
  type AssessableTransaction,
  assessFraud,
  checkFraudPolicy,
  FraudMonitor,
  type FraudPolicy,
  mergeFraudStates,
  readAvs,
  readCvv,
  readRisk,
  type VelocityAttempt,
  VelocityGuard,
  type VelocityRule,
} from '../../src/fraud/index.ts';
import { anything } from '../support/anything.ts';

const nothing: AssessableTransaction = {
  ...{ approved: true, response: '1' },
  ...{ avs: undefined, cvv: undefined, risk: undefined },
};

const off: FraudPolicy = { avs: { enabled: false }, cvv: { enabled: false }, risk: { enabled: false } };

/** What one check finds while the others are off. */
function findings(facts: Partial<AssessableTransaction>, policy: FraudPolicy) {
  const { reasons } = assessFraud({ ...nothing, ...facts }, { ...off, ...policy });
  const own = reasons.filter(({ check }) => check !== 'coverage');
  return own.map(({ code, check, what }) => [code, check, what]);
}

const required = { enabled: true, required: true };

describe('a finding', () => {
  it.each<
    [code: string, check: string, what: string, facts: Partial<AssessableTransaction>, policy: FraudPolicy]
  >([
    ['avs_missing', 'avs', 'no address check was made', {}, { avs: {} }],
    ['cvv_missing', 'cvv', 'no security-code check was made', {}, { cvv: {} }],
    ['risk_missing', 'risk', 'no risk score was given', {}, { risk: {} }],
    [
      'risk_missing',
      'risk',
      'no risk score was given',
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
      '3-D Secure is required, and there is no outcome',
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
      '3-D Secure is required, and there is no outcome',
      { amount: '30.01' },
      { threeDSecure: { ...required, exemptions: { amountUpTo: '30.00' } } },
    ],
    [
      'three_d_secure_missing',
      'three_d_secure',
      '3-D Secure is required, and there is no outcome',
      {},
      { threeDSecure: { ...required, exemptions: { amountUpTo: '30.00', scoreUpTo: 20 } } },
    ],
    [
      'three_d_secure_missing',
      'three_d_secure',
      '3-D Secure is required, and there is no outcome',
      { amount: '1.00', risk: readRisk('5', '') },
      { threeDSecure: required },
    ],
    [
      'three_d_secure_missing',
      'three_d_secure',
      '3-D Secure is required, and there is no outcome',
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
      '3-D Secure is required, and there is no outcome',
      { risk: readRisk('21', '') },
      { threeDSecure: { ...required, exemptions: { scoreUpTo: 20 } } },
    ],
  ])('%s: %s, %s', (code, check, what, facts, policy) => {
    expect(findings(facts, policy)[0]).toEqual([code, check, what]);
  });

  it('is there for what was refused, whatever the checks say', () => {
    const { reasons } = assessFraud({ ...nothing, approved: false, response: '2' }, off);
    expect(reasons).toEqual([
      {
        ...{ code: 'not_approved', check: 'response', recommendation: 'decline' },
        what: 'response 2: the transaction was not approved',
      },
    ]);
  });

  it('is none where every check is off, and one where every check is missing', () => {
    expect(assessFraud(nothing, { ...off, threeDSecure: { enabled: false } }).reasons).toEqual([]);
    const { decision, reasons } = assessFraud(nothing);
    expect(decision).toBe('review');
    expect(reasons[0]).toEqual({
      ...{ code: 'nothing_checked', check: 'coverage', recommendation: 'review' },
      what: 'none of the enabled checks gave anything',
    });
  });

  it('of an address tells no match from no check', () => {
    const codesOf = (avs: string) => findings({ avs: readAvs(avs) }, { avs: {} })[0]?.[0];
    expect([codesOf('N'), codesOf('U'), codesOf('A'), codesOf('R'), codesOf('?')]).toEqual([
      ...['avs_no_match', 'avs_not_verified', 'avs_partial_match', 'avs_retry', 'avs_unknown_code'],
    ]);
    // Of a street without a ZIP, and of a ZIP without a street, one is known.
    expect([readAvs('B')?.zip, readAvs('P')?.street]).toEqual([undefined, undefined]);
    expect([codesOf('B'), codesOf('P')]).toEqual(['avs_partial_match', 'avs_partial_match']);
    expect(findings({ cvv: readCvv('P') }, { cvv: {} })[0]?.slice(0, 2)).toEqual(['cvv_not_verified', 'cvv']);
  });
});

describe('a score', () => {
  it.each([
    ['0', 0, 'low'],
    ['20', 20, 'low'],
    ['21', 21, 'medium_low'],
    ['100', 100, 'high'],
    ['101', undefined, undefined],
    ['1000', undefined, undefined],
    ['x50', undefined, undefined],
    ['50x', undefined, undefined],
    ['10.5', undefined, undefined],
    ['1e1', undefined, undefined],
    ['-5', undefined, undefined],
  ])('%s is %s, %s', (text, score, level) => {
    expect(readRisk(text, '')).toMatchObject({ score, level });
  });
});

/** A guard that blocks the second attempt of a subject. */
function guardBy(per: string) {
  const rule: VelocityRule = {
    name: 'one',
    per,
    counts: 'attempts',
    limit: 1,
    windowMs: 60_000,
    action: 'block',
  };
  return new VelocityGuard({ secret: 'a secret of the merchant, random', rules: [rule], now: () => 0 });
}

async function isSame(per: string, one: VelocityAttempt, other: VelocityAttempt): Promise<boolean> {
  const guard = guardBy(per);
  await guard.check(one);
  return (await guard.check(other)).decision === 'block';
}

describe('two buyers are one', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1:443', true],
    ['192.0.2.10', '192.0.2.10:65535', true],
    ['192.0.2.1', '192.0.2.2', false],
    ['192.0.22.1', '192.0.2.21', false],
    ['10.200.130.140:80', '10.200.130.140:81', true],
    [' 192.0.2.1 ', '192.0.2.1', true],
    ['::ffff:192.0.2.1', '192.0.2.1', true],
    ['[2001:db8::1]:443', '2001:DB8::2', true],
    ['[2001:db8::1]', '2001:db8:0:0:ffff::', true],
    ['2001:db8::1', '2001:db8:1::1', false],
    ['::1', '::2', true],
    ['1::', '2::', false],
    ['2001:db8:1:2::', '2001:db8:1:2:3:4:5:6', true],
    ['unknown', 'UNKNOWN', true],
    ['client192.0.2.1:80', '192.0.2.1', false],
    ['192.0.2.1:80x', '192.0.2.1', false],
    ['1:23::', '12:3::', false],
    ['a[::1]', '::1', false],
    ['[::1]x', '::1', false],
    ['x]@[::1', '::1', false],
    ['::1]/x[', '::1', false],
    ['x]@b/[', 'x]@c/[', false],
    ['x:]@b/[', '::1', false],
    ['a:b', 'a:c', false],
  ])('%s and %s: %s', async (one, other, same) => {
    expect(await isSame('ip', { ip: one }, { ip: other })).toBe(same);
  });

  it.each([
    ['4929876512340988', '4929 8765-1234 0988', true],
    ['492987651234', '4929876512345', false],
  ])('by their cards %s and %s: %s', async (one, other, same) => {
    expect(await isSame('card', { card: { number: one } }, { card: { number: other } })).toBe(same);
  });

  it.each<[attempt: unknown, message: string]>([
    [
      { card: { number: '49298765123' } },
      'attempt.card.number: expected a card number of 12 to 19 digits, got another value of type string',
    ],
    [
      { card: { number: 'x4929876512340988' } },
      'attempt.card.number: expected a card number of 12 to 19 digits, got another value of type string',
    ],
    [
      { card: { number: 4929876512340988 } },
      'attempt.card.number: expected a card number of 12 to 19 digits, got another value of type number',
    ],
    [
      { card: { number: '4929876512340988', token: 't' } },
      'attempt.card: expected either a number or a token, got an object',
    ],
    [{ card: {} }, 'attempt.card: expected either a number or a token, got nothing'],
    [{ card: { token: '' } }, 'attempt.card.token: expected a non-empty string, got an empty string'],
    [
      { card: '4929876512340988' },
      'attempt.card: expected { number } or { token }, got another value of type string',
    ],
  ])('not by %o', async (attempt, message) => {
    await expect(guardBy('card').check(anything(attempt))).rejects.toThrow(new TypeError(message));
  });

  it('not by a name that is no text, whose place is told', async () => {
    const attempt = { subjects: { shop: 7 } };
    await expect(guardBy('shop').check(anything(attempt))).rejects.toThrow(
      new TypeError('attempt.subjects.shop: expected a non-empty string, got another value of type number'),
    );
  });
});

describe('a refusal says what was expected and what came:', () => {
  const policy = (value: unknown) => () => checkFraudPolicy(anything(value));
  const rule = { name: 'n', per: 'ip', counts: 'attempts', limit: 1, windowMs: 1, action: 'block' };
  const guard = (changed: object) => () =>
    new VelocityGuard({
      secret: 'a secret of the merchant, random',
      rules: [anything({ ...rule, ...changed })],
    });
  const state = { version: 1, windowMs: 10, bucketMs: 5, buckets: [] };
  const merge = (a: unknown, b: unknown) => () => mergeFraudStates(anything(a), anything(b));
  const monitor = () => new FraudMonitor();

  it.each<[message: string, start: () => unknown]>([
    [
      "policy.avs.acceptableCodes[1]: expected an AVS code such as 'Y', got 'YN'",
      policy({ avs: { acceptableCodes: ['Y', 'YN'] } }),
    ],
    [
      "policy.avs.acceptableCodes[0]: expected an AVS code such as 'Y', got 'y'",
      policy({ avs: { acceptableCodes: ['y'] } }),
    ],
    [
      "policy.avs.acceptableCodes[0]: expected an AVS code such as 'Y', got an empty string",
      policy({ avs: { acceptableCodes: [''] } }),
    ],
    [
      "policy.avs.acceptableCodes[0]: expected an AVS code such as 'Y', got null",
      policy({ avs: { acceptableCodes: [null] } }),
    ],
    [
      "policy.avs.acceptableCodes[0]: expected an AVS code such as 'Y', got the number 7",
      policy({ avs: { acceptableCodes: [7] } }),
    ],
    [
      "policy.avs.acceptableCodes[0]: expected an AVS code such as 'Y', got a long number",
      policy({ avs: { acceptableCodes: [1e11] } }),
    ],
    [
      "policy.avs.acceptableCodes[0]: expected an AVS code such as 'Y', got true",
      policy({ avs: { acceptableCodes: [true] } }),
    ],
    [
      "policy.avs.acceptableCodes[0]: expected an AVS code such as 'Y', got a symbol",
      policy({ avs: { acceptableCodes: [Symbol('x')] } }),
    ],
    [
      "policy.avs.acceptableCodes[0]: expected an AVS code such as 'Y', got an array of 2",
      policy({ avs: { acceptableCodes: [['Y', 'N']] } }),
    ],
    [
      'policy.avs.acceptableCodes: expected an array of AVS codes, got an object',
      policy({ avs: { acceptableCodes: {} } }),
    ],
    [
      'policy.risk.thresholds.review: expected a score from 30, where monitor starts, got the number 20',
      policy({ risk: { thresholds: { monitor: 30, review: 20 } } }),
    ],
    [
      'rules[0].name: expected a name of letters, digits, dots, dashes and underscores, got a string of 3 characters',
      guard({ name: 'a b' }),
    ],
    [
      'rules[0].name: expected a name of letters, digits, dots, dashes and underscores, got the number 7',
      guard({ name: 7 }),
    ],
    [
      "rules[0].currency: expected a currency code such as 'USD', got 'USDX'",
      guard({ counts: 'amount', limit: '1.00', currency: 'USDX' }),
    ],
    [
      "rules[0].currency: expected a currency code such as 'USD', got the number 7",
      guard({ counts: 'amount', limit: '1.00', currency: 7 }),
    ],
    ["rules[0].currency: expected nothing beside a count, got 'USD'", guard({ currency: 'USD' })],
    [
      "rules[0].currency: expected a currency code such as 'USD', got an array of 1",
      guard({ counts: 'amount', limit: '1.00', currency: ['USD'] }),
    ],
    [
      'VelocityGuard.secret: expected a secret of at least 16 bytes, got null',
      () => new VelocityGuard({ secret: anything(null) }),
    ],
    [
      "result.amount: expected a decimal string such as '12.00', got 'much'",
      () =>
        assessFraud(
          { ...nothing, amount: 'much' },
          { threeDSecure: { ...required, exemptions: { amountUpTo: '30.00' } } },
        ),
    ],
    ['a: expected the state of a monitor, got null', merge(null, state)],
    ['b: expected the state of a monitor, got nothing', merge(state, undefined)],
    ['a.bucketMs: expected an integer from 0, got another number', merge({ ...state, bucketMs: 1.5 }, state)],
    [
      'b.windowMs: expected an integer from 0, got a value of type string',
      merge(state, { ...state, windowMs: '1' }),
    ],
    ['a.bucketMs: expected an integer from 0, got another number', merge({ ...state, bucketMs: -1 }, state)],
    ['a.buckets[0]: expected a bucket, got null', merge({ ...state, buckets: [null] }, state)],
    ['b.bucketMs: expected 5, got the number 6', merge(state, { ...state, bucketMs: 6 })],
    [
      'at: expected a date or milliseconds since 1970, got a string of 4 characters',
      () => monitor().recordFraud(anything('2026')),
    ],
    [
      'at: expected a date or milliseconds since 1970, got an object',
      () => monitor().recordChargeback({}, new Date(Number.NaN)),
    ],
  ])('%s', (message, start) => {
    expect(start).toThrow(message);
    expect(start).toThrow(/^[\w.[\]]+: expected .+, got .+$/);
  });
});

it('a chargeback without a reason is no fraud, and one that was found otherwise is', () => {
  const monitor = new FraudMonitor({ now: () => 0 });
  monitor.recordChargeback();
  monitor.recordChargeback({ countsAsFraud: true });
  expect(monitor.state().buckets).toMatchObject([{ chargebacks: 2, frauds: 1 }]);
});

it('a monitor without a clock takes the time of the machine', () => {
  const start = Date.UTC(2026, 0, 31, 12);
  vi.spyOn(Date, 'now').mockReturnValue(start + 1);
  const monitor = new FraudMonitor();
  monitor.recordFraud();
  monitor.recordFraud(new Date(start + 2));
  expect(monitor.state().buckets).toMatchObject([{ start, frauds: 2 }]);
});
