import { ConfigurationError, toDate } from 'payments-client';
import { describe, expect, it } from 'vitest';
import { anything } from '../../support/anything.ts';

describe('toDate', () => {
  it.each([
    ['seconds', 1_790_000_000, '2026-09-21T14:13:20.000Z'],
    ['milliseconds', 1_790_000_000_000, '2026-09-21T14:13:20.000Z'],
    ['the last of the seconds', 99_999_999_999, '5138-11-16T09:46:39.000Z'],
    ['the first of the milliseconds', 100_000_000_000, '1973-03-03T09:46:40.000Z'],
    ['zero', 0, '1970-01-01T00:00:00.000Z'],
    ['seconds before 1970', -86_400, '1969-12-31T00:00:00.000Z'],
    ['milliseconds before 1970', -100_000_000_000, '1966-10-31T14:13:20.000Z'],
  ])('recognizes %s by magnitude', (_what, timestamp, date) => {
    expect(toDate(timestamp).toISOString()).toBe(date);
  });

  it('uses the unit that is passed', () => {
    expect(toDate(86_400_000, { timestamps: 'milliseconds' }).toISOString()).toBe('1970-01-02T00:00:00.000Z');
    expect(toDate(100_000_000_000, { timestamps: 'seconds' }).toISOString()).toBe('5138-11-16T09:46:40.000Z');
    expect(toDate(86_400, { timestamps: undefined }).toISOString()).toBe('1970-01-02T00:00:00.000Z');
  });

  it('returns null and undefined unchanged', () => {
    expect(toDate(null)).toBeNull();
    expect(toDate(undefined, { timestamps: 'seconds' })).toBeUndefined();
  });

  it.each<[what: string, timestamp: unknown, received: string, timestamps?: 'seconds']>([
    ['a fraction', 1.5, 'the number 1.5'],
    ['NaN', Number.NaN, 'the number NaN'],
    ['a string', '2026-09-21', 'a string of 10 characters'],
    ['a bigint', 1n, 'a bigint'],
    ['a date', new Date(), 'an object'],
    ['more milliseconds than a Date can hold', 8.64e15 + 1, 'a number'],
    ['more seconds than a Date can hold', 8.64e12 + 1, 'a number', 'seconds'],
  ])('refuses %s', (_what, timestamp, received, timestamps) => {
    const expected = 'an integer that a Date can hold';
    expect(() => toDate(anything(timestamp), { timestamps })).toThrow(
      expect.objectContaining({ issues: [{ path: 'toDate.timestamp', expected, received }] }),
    );
  });

  it('takes the last moment that a Date can hold', () => {
    expect(toDate(8.64e15).getTime()).toBe(8.64e15);
    expect(toDate(8.64e12, { timestamps: 'seconds' }).getTime()).toBe(8.64e15);
  });

  it.each<[what: string, options: unknown, path: string, received: string]>([
    ['a unit that is none', { timestamps: 'ms' }, 'toDate.options.timestamps', "'ms'"],
    ['a misspelt option', { timestamp: 'seconds' }, 'toDate.options.timestamp', 'an unknown option'],
    [
      'a secret in the place of an option',
      { sk_v1_test_1: true },
      'toDate.options.[redacted]',
      'an unknown option',
    ],
    ['no options', null, 'toDate.options', 'null'],
    ['options that are no object', 'seconds', 'toDate.options', "'seconds'"],
  ])('refuses %s, even if the timestamp is null', (_what, options, path, received) => {
    for (const timestamp of [1, null]) {
      const refused = () => toDate(timestamp, anything(options));
      expect(refused).toThrow(ConfigurationError);
      expect(refused).toThrow(
        expect.objectContaining({ issues: [expect.objectContaining({ path, received })] }),
      );
    }
  });
});
