import { readChecks } from 'payments-client/fraud';
import { describe, expect, it } from 'vitest';
import fraud from '../interface/tables/fraud.json' with { type: 'json' };

const readAvs = (avsresponse: string) => readChecks({ avsresponse }).avs;

/** Where the SDK's words for a code differ from those of the interface. */
const otherWords: Readonly<Record<string, string>> = { G: 'global, not verifiable' };

const matches: Readonly<Record<string, boolean | undefined>> = { yes: true, no: false, '-': undefined };

describe('AVS codes', () => {
  it.each(fraud.avs)('$code are those of the interface', ({ code, meaning, street, zip, recommendation }) => {
    const [, digits] = /(\d)-digit/.exec(`${zip} ${meaning}`) ?? [];
    expect(readAvs(code)).toEqual({
      code,
      meaning: expect.stringContaining(otherWords[code] ?? meaning),
      street: matches[street],
      zip: matches[zip.replace(/ .*/, '')],
      zipDigits: digits === undefined ? undefined : Number(digits),
      international: code === 'G',
      recommendation: recommendation.replaceAll(' ', '_'),
      source: 'shown',
    });
  });

  it('are eleven', () => {
    expect(fraud.avs).toHaveLength(11);
  });

  it.each([...'BCDFIKLMOPTV012345678Q', '__proto__'])(
    '%s that the interface does not list is unknown',
    (code) => {
      expect(readAvs(code)).toEqual({
        code,
        meaning: 'not listed',
        street: undefined,
        zip: undefined,
        zipDigits: undefined,
        international: false,
        recommendation: 'review',
        source: 'unknown',
      });
    },
  );

  it('that are empty return undefined', () => {
    expect(readAvs('')).toBeUndefined();
  });
});
