import { ConfigurationError } from 'payments-client';
import { createSandbox } from 'payments-client-sandbox';
import { expect, test } from 'vitest';
import { anything } from '../../../test/support/anything.ts';

test('the clock moves only forwards, and only on advance', async () => {
  const { clock } = createSandbox({ startsAt: 1_000 });
  expect(clock.now()).toBe(1_000);
  await clock.advance(500);
  expect(clock.now()).toBe(1_500);
  expect(() => clock.advance(-1)).toThrow(ConfigurationError);
  expect(() => clock.advance(Number.NaN)).toThrow(ConfigurationError);
  expect(() => clock.advance(anything(undefined))).toThrow(ConfigurationError);
});

test('the clock accepts durations as text', async () => {
  const { clock } = createSandbox({ startsAt: 0 });
  for (const duration of [
    '3 days',
    '2 h',
    '90 min',
    '1.5 s',
    '250 ms',
    '1 week',
    '1 hour',
    '1 minute',
    '1 second',
    '0 hrs',
    '0 MINS',
  ]) {
    await clock.advance(duration);
  }
  const day = 86_400_000;
  expect(clock.now()).toBe(10 * day + (2 + 1.5 + 1) * 3_600_000 + 60_000 + 1_000 + 1_500 + 250);
  for (const wrong of [
    '',
    '3',
    'days',
    '3 moons',
    '-1 day',
    '3 months',
    '3 dayz',
    '2 minx',
    '1 weekend',
    '1e3 s',
    '101 years',
  ]) {
    expect(() => clock.advance(wrong)).toThrow(
      "clock.advance: expected milliseconds, an integer from 0, or a text such as '2 weeks', '3 days', '2 h', " +
        "'90 min', '30 s' or '250 ms', up to 100 years, got",
    );
  }
});
