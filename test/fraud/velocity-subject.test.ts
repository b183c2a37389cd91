import { type VelocityAttempt, VelocityGuard, type VelocityRule } from 'payments-client/fraud';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';

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
  return new VelocityGuard({
    secret: 'a secret of the merchant, random',
    rules: [rule],
    store: memoryStore(),
  });
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
      'attempt.card.number: expected a card number of 12 to 19 digits, got a string of 11 characters',
    ],
    [
      { card: { number: 'x4929876512340988' } },
      'attempt.card.number: expected a card number of 12 to 19 digits, got a string of 17 characters',
    ],
    [
      { card: { number: 4929876512340988 } },
      'attempt.card.number: expected a card number of 12 to 19 digits, got a number',
    ],
    [
      { card: { number: '4929876512340988', token: 't' } },
      'attempt.card: expected either number or token, got both',
    ],
    [{ card: {} }, 'attempt.card: expected either number or token, got neither'],
    [{ card: { token: '' } }, 'attempt.card.token: expected a non-empty string, got an empty string'],
    [
      { card: '4929876512340988' },
      'attempt.card: expected { number } or { token }, got a string of 16 characters',
    ],
  ])('not by %o', async (attempt, message) => {
    await expect(guardBy('card').check(anything(attempt))).rejects.toThrow(message);
  });

  it('not by a name that is not a string, and the error says where', async () => {
    const attempt = { subjects: { shop: 7 } };
    await expect(guardBy('shop').check(anything(attempt))).rejects.toThrow(
      'attempt.subjects.shop: expected a non-empty string, got a number',
    );
  });
});
