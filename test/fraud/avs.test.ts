import { avsCodes, inferredAvsCodes, readAvs } from 'payments-client/fraud';
import { describe, expect, it } from 'vitest';
import fraud from '../interface/tables/fraud.json' with { type: 'json' };

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
    expect(Object.keys(avsCodes).sort()).toEqual(fraud.avs.map(({ code }) => code).sort());
    expect(fraud.avs).toHaveLength(11);
    for (const [code, result] of Object.entries(avsCodes)) expect(readAvs(code)).toEqual(result);
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
      street: undefined,
      zip: undefined,
      zipDigits: undefined,
      international: false,
      recommendation: 'review',
      source: 'unknown',
    });
    expect(readAvs('')).toBeUndefined();
  });
});
