/** What the codes and scores of a payment mean, for each check that the interface shows. */

import fc from 'fast-check';
import { ConfigurationError } from 'payments-client';
import { readChecks } from 'payments-client/fraud';
import { describe, expect, it } from 'vitest';
import fraud from '../../interface/tables/fraud.json' with { type: 'json' };
import { anything } from '../../support/anything.ts';

const readAvs = (avsresponse: string) => readChecks({ avsresponse }).avs;
const readCvv = (cvvresponse: string) => readChecks({ cvvresponse }).cvv;
const readRisk = (risk_score: number | string) => readChecks({ risk_score }).risk;

const matches: Readonly<Record<string, boolean | undefined>> = { yes: true, no: false, '-': undefined };
const notListed = { meaning: 'not listed', recommendation: 'review', source: 'unknown' };

describe('AVS codes', () => {
  it.each(fraud.avs)('$code are those of the interface', ({ code, meaning, street, zip, recommendation }) => {
    const [, digits] = /(\d)-digit/.exec(`${zip} ${meaning}`) ?? [];
    expect(readAvs(code)).toEqual({
      code,
      // The SDK's words for G differ.
      meaning: expect.stringContaining(code === 'G' ? 'global' : meaning),
      street: matches[street],
      zip: matches[zip.replace(/ .*/, '')],
      zipDigits: digits === undefined ? undefined : Number(digits),
      international: code === 'G',
      recommendation: recommendation.replaceAll(' ', '_'),
      source: 'shown',
    });
  });

  it('are eleven, and any other is unknown and reviewed', () => {
    const shown = fraud.avs.map(({ code }) => code);
    expect(shown).toHaveLength(11);
    const others = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789x'].filter((code) => !shown.includes(code));
    const parts = { street: undefined, zip: undefined, zipDigits: undefined, international: false };
    for (const code of others) expect(readAvs(code)).toEqual({ code, ...parts, ...notListed });
  });
});

describe('CVV codes', () => {
  it('are those of the interface', () => {
    const results = fraud.cvv.map(({ code }) => readCvv(code));
    expect(results).toMatchObject(
      fraud.cvv.map(({ code, meaning }) => ({ code, meaning: expect.stringContaining(meaning) })),
    );
    expect(results).toMatchObject([
      { code: 'M', matched: true, recommendation: 'accept', source: 'shown' },
      { code: 'N', matched: false, recommendation: 'decline_or_flag', source: 'shown' },
    ]);
  });

  it.each([...'PSUXQm'])('%s that the interface does not list is unknown', (code) => {
    expect(readCvv(code)).toEqual({ code, matched: undefined, ...notListed });
  });
});

describe('a risk score', () => {
  const recommendations = ['approve', 'approve_with_monitoring', 'review', 'decline_or_verify', 'decline'];

  it('has the bands of the interface', () => {
    const scores = fraud.riskBands.flatMap(({ from, to, level }, index) =>
      Array.from({ length: to - from + 1 }, (_, offset) => ({
        score: from + offset,
        level: level.toLowerCase().replace('-', '_'),
        recommendation: recommendations[index],
        decision: undefined,
      })),
    );
    expect(scores.map(({ score }) => readRisk(score))).toEqual(scores);
    expect(scores.map(({ score }) => readRisk(String(score)))).toEqual(scores);
    expect(scores.map(({ score }) => score)).toEqual(Array.from({ length: 101 }, (_, score) => score));
  });

  it.each(['101', '1000', 'x50', '50x', '10.5', '1e1', '-5', ' 5'])('%j has no band', (text) => {
    const none = { score: undefined, level: undefined, recommendation: undefined, decision: undefined };
    expect(readRisk(text)).toEqual(none);
  });
});

describe('the columns of a payment', () => {
  it.each([undefined, null, ''])('that are %j were not checked', (none) => {
    const columns = { avsresponse: none, cvvresponse: none, risk_score: none, risk_decision: none };
    const unchecked = { avs: undefined, cvv: undefined, risk: undefined };
    expect(readChecks(columns)).toEqual(unchecked);
    expect(readChecks({})).toEqual(unchecked);
  });

  it('never make a reader throw, and keep their codes', () => {
    const names = fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty');
    fc.assert(
      fc.property(fc.oneof(fc.string({ minLength: 1 }), names), (code) => {
        const columns = { avsresponse: code, cvvresponse: code, risk_score: code, risk_decision: code };
        const { avs, cvv, risk } = readChecks(columns);
        expect([avs?.code, cvv?.code, risk?.decision]).toEqual([code, code, code]);
      }),
    );
  });

  it('are an object', () => {
    expect(() => readChecks(anything(null))).toThrow(ConfigurationError);
    expect(() => readChecks(anything('Y'))).toThrow(/^fields: expected .+, got /);
  });
});
