import { ConfigurationError } from 'payments-client';
import { typicalVelocityRules, VelocityGuard, type VelocityRule } from 'payments-client/fraud';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it, vi } from 'vitest';
import type { VelocityStore } from '../support/stores.ts';
import { card, day, guardAt, hour, minute, secret, start, times } from './velocity.ts';

describe('a velocity guard', () => {
  const once: VelocityRule = {
    name: 'once',
    per: 'card',
    counts: 'attempts',
    limit: 1,
    windowMs: minute,
    action: 'block',
  };

  it('takes back an unsent attempt under all rules', async () => {
    const { pay } = guardAt({ rules: [once, { ...once, name: 'fails', counts: 'failures' }] });
    expect(await times(5, () => pay({ card }, 'not_sent'))).toEqual(Array(5).fill('allow'));
  });

  it('lets no concurrent attempt bypass a limit', async () => {
    const { guard } = guardAt({ rules: [{ ...once, limit: 3 }] });
    const verdicts = await Promise.all(Array.from({ length: 20 }, () => guard.check({ card })));
    expect(verdicts.filter(({ decision }) => decision === 'allow')).toHaveLength(3);
  });

  it('lets no concurrent failure bypass a limit', async () => {
    const { guard } = guardAt({ rules: [{ ...once, counts: 'failures', limit: 3 }] });
    const verdicts = await Promise.all(Array.from({ length: 20 }, () => guard.check({ card })));
    expect(verdicts.filter(({ decision }) => decision === 'allow')).toHaveLength(3);
  });

  it('counts an attempt of one id once, and keeps it when a repetition is blocked', async () => {
    const { check, at } = guardAt({ rules: [once, { ...once, name: 'ip', per: 'ip' }] });
    expect((await check({ card, id: 'attempt-1' })).decision).toBe('allow');
    expect((await check({ card, id: 'attempt-1' })).decision).toBe('allow');
    await check({ ip: '192.0.2.1' });
    expect((await check({ card, id: 'attempt-1', ip: '192.0.2.1' })).decision).toBe('block');
    at(1);
    expect((await check({ card, id: 'attempt-2' })).decision).toBe('block');
  });

  it('takes back what other rules counted when one blocks', async () => {
    const { pay } = guardAt({
      rules: [
        { ...once, limit: 2 },
        { ...once, name: 'ip', per: 'ip' },
      ],
    });
    expect(await pay({ card, ip: 'a' })).toBe('allow');
    expect(await pay({ card, ip: 'a' })).toBe('block');
    expect(await pay({ card, ip: 'b' })).toBe('allow');
  });

  it('counts a check once that is repeated after a lost response', async () => {
    const store = memoryStore();
    let isLost = true;
    const losing: VelocityStore = {
      async check(...args) {
        const totals = await store.check(...args);
        if (isLost) throw new Error('connection reset');
        return totals;
      },
    };
    const guard = new VelocityGuard({ secret, rules: [once], store: losing });
    await expect(guard.check({ card, id: 'attempt-1' })).rejects.toThrow('connection reset');
    isLost = false;
    expect((await guard.check({ card, id: 'attempt-1' })).decision).toBe('allow');
    expect((await guard.check({ card, id: 'attempt-2' })).decision).toBe('block');
  });

  it('does not block another card at the address of a stolen one', async () => {
    const rules = typicalVelocityRules();
    for (let round = 0; round < 20; round += 1) {
      const { guard } = guardAt({ rules });
      const ip = '192.0.2.7';
      const stolen = Array.from({ length: 50 }, () => guard.check({ card, ip }));
      const innocent = guard.check({ card: { token: 'innocent' }, ip });
      const verdicts = await Promise.all(stolen.toSpliced(round, 0, innocent));
      expect(verdicts.splice(round, 1)).toMatchObject([{ decision: 'allow' }]);
      expect(verdicts.filter(({ decision }) => decision === 'allow')).toHaveLength(3);
    }
  });

  it('lists the rules that did not apply', async () => {
    const rules = typicalVelocityRules({ dailyAmountPerCard: '100' });
    const { check } = guardAt({ rules });
    expect((await check({})).skipped).toEqual(rules.map(({ name }) => name));
    expect((await check({ card })).skipped).toEqual(['ip-hour', 'card-amount-day']);
    expect((await check({ card, ip: '192.0.2.1', amount: '1' })).skipped).toEqual([]);
  });

  it.each([
    [{ email: 'a@example.com' }, 'attempt.email: expected subjects: { email }, got the subject beside it'],
    [{ crad: card }, "attempt.crad: expected a known name, got an unknown option (did you mean 'card'?)"],
    [
      { ipaddress: '192.0.2.7' },
      'attempt.ipaddress: expected one of card, ip, subjects, id, amount, currency',
    ],
  ])('refuses a field that no rule would read: %o', async (fields, message) => {
    const { guard } = guardAt({ rules: [{ ...once, per: 'email' }] });
    const attempt: object = { ...fields, id: 'attempt-1' };
    await expect(guard.check(attempt)).rejects.toThrow(message);
    const subjects = { email: 'a@example.com' };
    expect((await guard.check({ subjects, id: 'attempt-1' })).decision).toBe('allow');
  });

  it('blocks until the last rule allows the attempt', async () => {
    const { check } = guardAt({ rules: [once, { ...once, name: 'longer', windowMs: hour }] });
    await check({ card });
    const retryAt = new Date(start + hour + minute - 1);
    expect(await check({ card })).toMatchObject({ decision: 'block', retryAt });
  });

  it('has no retryAt if waiting does not help', async () => {
    const { check } = guardAt({
      rules: [
        { ...once, limit: 0 },
        { ...once, name: 'other' },
      ],
    });
    expect(await check({ card })).toMatchObject({ decision: 'block', retryAt: undefined });
  });

  it('lists blocking rules before review rules', async () => {
    const { check } = guardAt({ rules: [{ ...once, name: 'hold', action: 'review' }, once] });
    await check({ card });
    const { reasons } = await check({ card });
    expect(reasons.map(({ rule }) => rule)).toEqual(['once', 'hold']);
  });

  it('keeps currencies apart, and a limit in one currency to that one', async () => {
    const amount = { per: 'card', counts: 'amount', limit: '10', windowMs: day, action: 'review' } as const;
    const { pay, check } = guardAt({
      rules: [
        { ...amount, name: 'each' },
        { ...amount, name: 'usd', limit: '5', currency: 'usd' },
      ],
    });
    expect(await pay({ card, amount: '5', currency: 'USD' })).toBe('allow');
    expect(await pay({ card, amount: '10', currency: 'EUR' })).toBe('allow');
    expect((await check({ card, amount: '1', currency: 'eur' })).reasons.map(({ rule }) => rule)).toEqual([
      'each',
    ]);
    expect((await check({ card, amount: '1', currency: 'usd' })).reasons.map(({ rule }) => rule)).toEqual([
      'usd',
    ]);
    expect((await check({ card: { token: 'x' }, amount: '1' })).skipped).toEqual(['usd']);
  });

  it('adds amounts exactly', async () => {
    const rules = typicalVelocityRules({ dailyAmountPerCard: '999999999999.9999' }).slice(3);
    const { check } = guardAt({ rules });
    expect((await check({ card, amount: '999999999999.9998' })).decision).toBe('allow');
    expect((await check({ card, amount: '0.0001' })).decision).toBe('allow');
    const { reasons } = await check({ card, amount: '0.0001' });
    expect(reasons[0]?.reached).toBe('1000000000000.00');
  });

  it.each([
    ['a card number, however grouped', { card }, { card: { number: '4929 8765-1234 0988' } }, true],
    ['another card', { card }, { card: { number: '4929876512340970' } }, false],
    ['a token', { card: { token: 'fp_1' } }, { card: { token: 'fp_1' } }, true],
    ['a token that looks like the number', { card }, { card: { token: card.number } }, false],
    ['an IPv4 address', { ip: '192.0.2.1' }, { ip: ' 192.0.2.1' }, true],
    ['another IPv4 address', { ip: '192.0.2.1' }, { ip: '192.0.2.10' }, false],
    ['an IPv4 address in IPv6', { ip: '192.0.2.1' }, { ip: '::FFFF:192.0.2.1' }, true],
    ['an IPv4 address in IPv6, as digits', { ip: '192.0.2.1' }, { ip: '::ffff:c000:201' }, true],
    ['another IPv4 address in IPv6', { ip: '::ffff:192.0.2.1' }, { ip: '::ffff:192.0.2.2' }, false],
    ['an address with a port', { ip: '192.0.2.1:5000' }, { ip: '192.0.2.1:5001' }, true],
    ['an IPv6 address with a port', { ip: '[2001:db8::1]:5000' }, { ip: '2001:db8::1' }, true],
    ['an IPv6 address of the same network', { ip: '2001:DB8::1' }, { ip: '2001:db8:0:0:ffff::2' }, true],
    ['an IPv6 address of another network', { ip: '2001:db8::1' }, { ip: '2001:db8:0:1::1' }, false],
    ['a short IPv6 address', { ip: '2001::1:2:3:4:5' }, { ip: '2001::2:2:3:4:5' }, false],
    ['IPv6 addresses that begin with zeros', { ip: '::1' }, { ip: '::2' }, true],
    ['text that is no address', { ip: 'unknown:' }, { ip: 'UNKNOWN:' }, true],
    ['another subject', { subjects: { email: 'a@b.example' } }, { subjects: { email: 'a@b.example' } }, true],
    [
      'a different subject',
      { subjects: { email: 'a@b.example' } },
      { subjects: { email: 'A@b.example' } },
      false,
    ],
  ])('recognizes %s: %j, %j', async (_what, first, second, isSame) => {
    const rules = ['card', 'ip', 'email'].map((per) => ({ ...once, name: per, per }));
    const { check } = guardAt({ rules });
    await check(first);
    expect((await check(second)).decision).toBe(isSame ? 'block' : 'allow');
  });

  it('shares its limits with guards of the same store and secret, and with no others', async () => {
    const store = memoryStore();
    const guards = [secret, secret, 'another secret, random too'].map(
      (each) => new VelocityGuard({ secret: each, rules: [once], store }),
    );
    const decisions = [];
    for (const guard of guards) decisions.push((await guard.check({ card })).decision);
    expect(decisions).toEqual(['allow', 'block', 'allow']);
  });

  it('accepts a secret as bytes, and keeps it when they are wiped', async () => {
    const bytes = new TextEncoder().encode(secret);
    const store = memoryStore();
    const first = new VelocityGuard({ secret: bytes, rules: [once], store });
    bytes.fill(0);
    await first.check({ card });
    const second = new VelocityGuard({ secret, rules: [once], store });
    expect((await second.check({ card })).decision).toBe('block');
  });

  it('accepts a secret of 16 bytes', () => {
    const store = memoryStore();
    expect(() => new VelocityGuard({ secret: '0123456789abcdef', store })).not.toThrow();
    expect(() => new VelocityGuard({ secret: '0123456789abcde', store })).toThrow(ConfigurationError);
    expect(() => new VelocityGuard({ secret: 'éééééééé', store })).not.toThrow();
  });

  it('accepts a ticket restored from JSON', async () => {
    const { guard } = guardAt({ rules: [{ ...once, counts: 'failures' }] });
    const { ticket } = await guard.check({ card });
    await guard.record(JSON.parse(JSON.stringify(ticket)), 'approved');
    expect((await guard.check({ card })).decision).toBe('allow');
  });

  it('does not call its store if there is nothing to take back', async () => {
    const memory = memoryStore();
    const check = vi.spyOn(memory, 'check');
    const store = memory;
    const guard = new VelocityGuard({ secret, rules: [once], store });
    const { ticket } = await guard.check({ card });
    check.mockClear();
    await guard.record(ticket, 'unknown');
    await guard.record(ticket, 'approved');
    expect(check).not.toHaveBeenCalled();
    await guard.record(ticket, 'not_sent');
    expect(check).toHaveBeenCalledOnce();
  });

  it('returns an empty ticket for an uncounted attempt', async () => {
    const { check } = guardAt({ rules: [once] });
    expect((await check({})).ticket).toEqual({ id: '', entries: [] });
  });

  it.each([
    [1, '1 millisecond'],
    [1500, '1500 milliseconds'],
    [1000, '1 second'],
    [90_000, '90 seconds'],
    [7_200_000, '2 hours'],
    [2 * day, '2 days'],
  ])('describes a window of %i ms as %s', async (windowMs, words) => {
    const { check } = guardAt({ rules: [{ ...once, limit: 0, windowMs }] });
    const { reasons } = await check({ card });
    expect(reasons[0]?.what).toBe(`once: at most 0 attempts per card in ${words}, this would be 1`);
  });

  it('fails when its store does', async () => {
    const store = {
      check: () => Promise.reject(new Error('store is down')),
    };
    const guard = new VelocityGuard({ secret, store });
    await expect(guard.check({ card })).rejects.toThrow('store is down');
  });

  it('requires a total for each entry', async () => {
    const store = { check: async () => [] };
    await expect(new VelocityGuard({ secret, store }).check({ card })).rejects.toThrow(
      'store.check(): expected a total for each entry, got an array of 0',
    );
  });
});

describe('what a guard refuses', () => {
  const store = memoryStore();
  const rule = { name: 'a', per: 'card', counts: 'attempts', limit: 1, windowMs: 1, action: 'block' };
  it.each([
    [{ store }, 'VelocityGuard.secret: expected a secret of at least 16 bytes, got nothing'],
    [
      { secret: 'short', store },
      'VelocityGuard.secret: expected a secret of at least 16 bytes, got one of 5',
    ],
    [
      { secret: 1234567890123456, store },
      'VelocityGuard.secret: expected a secret of at least 16 bytes, got a number',
    ],
    [
      { secret, store, rule: [] },
      "VelocityGuard.rule: expected a known name, got an unknown option (did you mean 'rules'?)",
    ],
    [{ secret, store, rules: {} }, 'VelocityGuard.rules: expected an array of rules, got an object'],
    [{ secret, store, rules: [undefined] }, 'VelocityGuard.rules[0]: expected an object, got nothing'],
    [
      { secret, store, rules: [{ ...rule, limit: -1 }] },
      'VelocityGuard.rules[0].limit: expected an integer from 0, got the number -1',
    ],
    [
      { secret, store, rules: [{ ...rule, windowMs: 0 }] },
      'VelocityGuard.rules[0].windowMs: expected an integer from 1, got the number 0',
    ],
    [
      { secret, store, rules: [{ ...rule, counts: 'amount', limit: 5 }] },
      "VelocityGuard.rules[0].limit: expected a decimal string such as '12.00', got the number 5",
    ],
    [
      { secret, store, rules: [{ ...rule, currency: 'USD' }] },
      "VelocityGuard.rules[0].currency: expected nothing beside a count, got 'USD'",
    ],
    [
      { secret, store, rules: [{ ...rule, action: undefined }] },
      "VelocityGuard.rules[0].action: expected 'review' or 'block', got nothing",
    ],
    [
      { secret, store, rules: [{ ...rule, name: 'a:b' }] },
      'VelocityGuard.rules[0].name: expected a name of letters, digits, dots, dashes and underscores, got a string of 3 characters',
    ],
    [
      { secret, store, rules: [rule, rule] },
      'VelocityGuard.rules[1].name: expected a unique name, got the name of another rule',
    ],
    [
      { secret },
      'VelocityGuard.store: expected a store that all processes share, or memoryStore() for one process, got nothing',
    ],
    [
      { secret, store: {} },
      'VelocityGuard.store: expected a store that all processes share, or memoryStore() for one process, got an object',
    ],
    [
      { secret, store: { remove() {} } },
      'VelocityGuard.store: expected a store that all processes share, or memoryStore() for one process, got an object',
    ],
    [
      { secret, store: { record() {} } },
      'VelocityGuard.store: expected a store that all processes share, or memoryStore() for one process, got an object',
    ],
  ])('as options: %j', (options, message) => {
    // @ts-expect-error: an invalid argument
    expect(() => new VelocityGuard(options)).toThrow(message);
  });

  it.each([
    [undefined, 'attempt: expected an object, got nothing'],
    [
      { card: '4929876512340988' },
      'attempt.card: expected { number } or { token }, got a string of 16 characters',
    ],
    [{ card: {} }, 'attempt.card: expected either number or token, got neither'],
    [
      { card: { number: '4929876512340988', token: 'x' } },
      'attempt.card: expected either number or token, got both',
    ],
    [
      { card: { number: '492987' } },
      'attempt.card.number: expected a card number of 12 to 19 digits, got a string of 6 characters',
    ],
    [
      { card: { number: 4929876512340988 } },
      'attempt.card.number: expected a card number of 12 to 19 digits, got a number',
    ],
    [{ card: { token: '' } }, 'attempt.card.token: expected a non-empty string, got an empty string'],
    [{ ip: 7 }, 'attempt.ip: expected a non-empty string, got a number'],
    [{ card, amount: 12 }, "attempt.amount: expected a decimal string such as '12.00', got the number 12"],
    [
      { card, amount: '-1' },
      "attempt.amount: expected a decimal string such as '12.00', got a string of 2 characters",
    ],
    [
      { card, currency: '€' },
      "attempt.currency: expected a currency code such as 'USD', got a string of 1 character",
    ],
  ])('as an attempt: %j', async (attempt, message) => {
    const check = vi.fn();
    const guard = new VelocityGuard({ secret, store: { check } });
    // @ts-expect-error: an invalid argument
    await expect(guard.check(attempt)).rejects.toThrow(message);
    expect(check).not.toHaveBeenCalled();
  });

  it('as an outcome or a ticket', async () => {
    const guard = new VelocityGuard({ secret, store });
    const { ticket } = await guard.check({ card });
    // @ts-expect-error: not an outcome
    await expect(guard.record(ticket, 'refused')).rejects.toThrow(
      "outcome: expected 'approved', 'declined', 'not_sent' or 'unknown', got 'refused'",
    );
    // @ts-expect-error: not an outcome
    await expect(guard.record(ticket, 'constructor')).rejects.toThrow(ConfigurationError);
    // @ts-expect-error: not a ticket
    await expect(guard.record(undefined, 'approved')).rejects.toThrow('ticket: expected a ticket of check');
  });
});
