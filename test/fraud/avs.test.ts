import { avsCodes, inferredAvsCodes, readAvs } from 'payments-client/fraud';
import { describe, expect, it } from 'vitest';

// The tables of the interface, transcribed by hand.

const yes = true;
const no = false;
const none = undefined;

const avsTable = [
  ['X', /exact match/, yes, yes, 9, 'accept'],
  ['Y', /match/, yes, yes, 5, 'accept'],
  ['A', /address only/, yes, no, none, 'review'],
  ['W', /ZIP only, 9-digit/, no, yes, 9, 'review'],
  ['Z', /ZIP only, 5-digit/, no, yes, 5, 'review'],
  ['N', /no match/, no, no, none, 'decline_or_review'],
  ['U', /unavailable/, none, none, none, 'review'],
  ['R', /retry/, none, none, none, 'retry'],
  ['E', /AVS error/, none, none, none, 'review'],
  ['S', /not supported/, none, none, none, 'accept'],
  ['G', /global, not verifiable/, none, none, none, 'accept'],
] as const;

describe('AVS codes', () => {
  it.each(avsTable)(
    '%s are those of the interface',
    (code, meaning, street, zip, zipDigits, recommendation) => {
      expect(avsCodes[code]).toEqual({
        code,
        meaning: expect.stringMatching(meaning),
        street,
        zip,
        zipDigits,
        international: code === 'G',
        recommendation,
        source: 'shown',
      });
      expect(readAvs(code)).toEqual(avsCodes[code]);
    },
  );

  it('are eleven', () => {
    expect(Object.keys(avsCodes).sort()).toEqual(avsTable.map(([code]) => code).sort());
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
      street: none,
      zip: none,
      zipDigits: none,
      international: false,
      recommendation: 'review',
      source: 'unknown',
    });
    expect(readAvs('')).toBeUndefined();
  });
});
