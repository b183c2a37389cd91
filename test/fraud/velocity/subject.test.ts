/** Which attempts come from one buyer, and what of a buyer reaches the store. */

import { ConfigurationError } from 'payments-client';
import { type VelocityAttempt, VelocityGuard } from 'payments-client/fraud';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it, vi } from 'vitest';
import { anything } from '../../support/anything.ts';
import { card, guardAt, once, secret } from '../velocity.ts';

const rules = ['card', 'ip', 'email'].map((per) => ({ ...once, name: per, per }));

async function isSame(one: VelocityAttempt, other: VelocityAttempt): Promise<boolean> {
  const { check } = guardAt({ rules });
  await check(one);
  return (await check(other)).decision === 'block';
}

describe('two attempts are of one buyer', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1:443', true],
    ['192.0.2.1:5000', '192.0.2.1:65535', true],
    ['192.0.2.1', '192.0.2.2', false],
    ['192.0.2.1', '192.0.2.10', false],
    ['192.0.22.1', '192.0.2.21', false],
    [' 192.0.2.1 ', '192.0.2.1', true],
    ['::FFFF:192.0.2.1', '192.0.2.1', true],
    ['::ffff:c000:201', '192.0.2.1', true],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.2', false],
    ['[2001:db8::1]:443', '2001:DB8::2', true],
    ['[2001:db8::1]', '2001:db8:0:0:ffff::', true],
    ['2001:db8::1', '2001:db8:1::1', false],
    ['2001:db8::1', '2001:db8:0:1::1', false],
    ['2001::1:2:3:4:5', '2001::2:2:3:4:5', false],
    ['2001:db8:1:2::', '2001:db8:1:2:3:4:5:6', true],
    ['::1', '::2', true],
    ['1::', '2::', false],
    ['1:23::', '12:3::', false],
    ['unknown:', 'UNKNOWN:', true],
    ['a:b', 'a:c', false],
    // Text that only contains an address is none.
    ['client192.0.2.1:80', '192.0.2.1', false],
    ['192.0.2.1:80x', '192.0.2.1', false],
    ['a[::1]', '::1', false],
    ['[::1]x', '::1', false],
    ['x]@[::1', '::1', false],
    ['::1]/x[', '::1', false],
    ['x]@b/[', 'x]@c/[', false],
    ['x:]@b/[', '::1', false],
  ])('at the addresses %s and %s: %s', async (one, other, same) => {
    expect(await isSame({ ip: one }, { ip: other })).toBe(same);
  });

  it.each<[what: string, one: VelocityAttempt, other: VelocityAttempt, isSame: boolean]>([
    ['a card number, however grouped', { card }, { card: { number: '4929 8765-1234 0988' } }, true],
    ['another card', { card }, { card: { number: '4929876512340970' } }, false],
    [
      'a part of a number',
      { card: { number: '492987651234' } },
      { card: { number: '4929876512345' } },
      false,
    ],
    ['a token', { card: { token: 'fp_1' } }, { card: { token: 'fp_1' } }, true],
    ['a token that looks like the number', { card }, { card: { token: card.number } }, false],
    ['a subject', { subjects: { email: 'a@b.example' } }, { subjects: { email: 'a@b.example' } }, true],
    [
      'a subject in upper case',
      { subjects: { email: 'a@b.example' } },
      { subjects: { email: 'A@b.example' } },
      false,
    ],
    ['a subject that no rule has', { subjects: { phone: '1' } }, { subjects: { phone: '1' } }, false],
    ['the same text as another subject', { ip: 'x' }, { subjects: { email: 'x' } }, false],
  ])('with %s', async (_what, one, other, same) => {
    expect(await isSame(one, other)).toBe(same);
  });
});

describe('an attempt', () => {
  it.each<[path: string, expected: string, attempt: unknown]>([
    ['attempt', 'an object', undefined],
    ['attempt.card', '{ number } or { token }', { card: '4929876512340988' }],
    ['attempt.card', 'either number or token', { card: {} }],
    ['attempt.card', 'either number or token', { card: { number: '4929876512340988', token: 'x' } }],
    ['attempt.card.number', 'a card number of 12 to 19 digits', { card: { number: '49298765123' } }],
    ['attempt.card.number', 'a card number of 12 to 19 digits', { card: { number: '49298765123409884929' } }],
    ['attempt.card.number', 'a card number of 12 to 19 digits', { card: { number: 'x4929876512340988' } }],
    ['attempt.card.number', 'a card number of 12 to 19 digits', { card: { number: 4929876512340988 } }],
    ['attempt.card.token', 'a non-empty string', { card: { token: '' } }],
    ['attempt.ip', 'a non-empty string', { ip: 7 }],
    ['attempt.ip', 'a non-empty string', { ip: '' }],
    ['attempt.subjects.email', 'a non-empty string', { subjects: { email: 4929876512340988 } }],
    ['attempt.amount', 'a decimal string', { card, amount: 12 }],
    ['attempt.amount', 'a decimal string', { card, amount: '-1' }],
    ['attempt.amount', 'a decimal string', { card, amount: '1.00001' }],
    ['attempt.amount', 'a decimal string', { card, amount: '12,00' }],
    ['attempt.currency', "a currency code such as 'USD'", { card, currency: '€' }],
    ['attempt.currency', "a currency code such as 'USD'", { card, currency: 'USDX' }],
    // A misspelt field would leave its rule out.
    ['attempt.email', 'subjects: { email }', { email: 'a@b.example' }],
    ['attempt.crad', 'a known name', { crad: card }],
    ['attempt.ipaddress', 'one of card, ip, subjects, id, amount, currency', { ipaddress: '192.0.2.7' }],
  ])('is refused and not counted if %s is not %s: %j', async (path, expected, attempt) => {
    const check = vi.fn();
    const guard = new VelocityGuard({ secret, rules, store: { check } });
    const error: unknown = await guard.check(anything(attempt)).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(String(error)).toContain(`${path}: expected ${expected}`);
    expect(String(error)).not.toMatch(/49298|a@b/);
    expect(check).not.toHaveBeenCalled();
  });

  it('reaches the store as keyed hashes alone, and so does its ticket', async () => {
    const store = memoryStore();
    const check = vi.spyOn(store, 'check');
    const guard = new VelocityGuard({
      secret,
      rules: [...rules, { ...once, name: 'number', counts: 'failures' }],
      store,
    });
    const attempt = { card, ip: '192.0.2.77', subjects: { email: 'ada@b.example' }, id: 'attempt-77' };
    const { ticket } = await guard.check(attempt);
    await guard.record(ticket, 'not_sent');
    const seen = JSON.stringify([check.mock.calls, ticket], (_key, value) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(ticket.entries).toHaveLength(4);
    expect(check).toHaveBeenCalledTimes(2);
    // A hash may hold a few of these characters by chance.
    expect(seen.replace(/[\da-f]{64}|[\da-f]{32}/g, '')).not.toMatch(/4929|0988|192\.0|ada|attempt-77/);
  });
});
