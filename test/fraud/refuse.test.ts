import {
  type AssessableTransaction,
  compileFraudPolicy,
  countFraud,
  fraudFigures,
  VelocityGuard,
} from 'payments-client/fraud';
import { describe, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';

const nothing: AssessableTransaction = {
  ...{ approved: true, response: '1' },
  ...{ avs: undefined, cvv: undefined, risk: undefined },
};

const required = { enabled: true, required: true };

describe('an error says what was expected and what came:', () => {
  const policy = (value: unknown) => () => compileFraudPolicy(anything(value));
  const rule = { name: 'n', per: 'ip', counts: 'attempts', limit: 1, windowMs: 1, action: 'block' };
  const guard = (changed: object) => () =>
    new VelocityGuard({
      secret: 'a secret of the merchant, random',
      rules: [anything({ ...rule, ...changed })],
    });
  const counts = countFraud([]);
  const figures = (changed: object) => () => fraudFigures(anything({ ...counts, ...changed }));
  const records =
    (...rows: unknown[]) =>
    () =>
      countFraud(anything(rows));

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
      "policy.avs.acceptableCodes[0]: expected an AVS code such as 'Y', got a number",
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
      'policy.avs.acceptableCodes: expected an array, got an object',
      policy({ avs: { acceptableCodes: {} } }),
    ],
    [
      'policy.risk.thresholds.review: expected a score from 30, where monitor starts, got the number 20',
      policy({ risk: { thresholds: { monitor: 30, review: 20 } } }),
    ],
    [
      "rules[0].name: expected a name of letters, digits, dots, dashes and underscores, got 'a b'",
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
        compileFraudPolicy({ threeDSecure: { ...required, exemptions: { amountUpTo: '30.00' } } })({
          ...nothing,
          amount: 'much',
        }),
    ],
    ['counts.scored: expected an integer from 0, got the number 1.5', figures({ scored: 1.5 })],
    ['counts.frauds: expected an integer from 0, got the number -1', figures({ frauds: -1 })],
    ['counts.frauds: expected an integer from 0, got a string of 1 character', figures({ frauds: '1' })],
    ['counts.scoreSum: expected an integer from 0, got null', figures({ scoreSum: null })],
    ['counts: expected an object, got nothing', () => fraudFigures(anything(undefined))],
    [
      'records[1].approved: expected true or false, got the number 1',
      records({ approved: true }, { approved: 1 }),
    ],
    ['records[0].avsresponse: expected a string, got an object', records({ avsresponse: {} })],
    [
      'records[0].risk_score: expected an integer from 0 to 100, got the number 101',
      records({ risk_score: 101 }),
    ],
    [
      'records[0].risk_score: expected an integer from 0 to 100, got a string of 2 characters',
      records({ risk_score: '12' }),
    ],
    ['records[0]: expected an object, got null', records(null)],
  ])('%s', (message, start) => {
    expect(start).toThrow(message);
    expect(start).toThrow(/^[\w.[\]]+: expected .+, got .+$/);
  });
});
