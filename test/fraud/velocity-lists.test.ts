import { VelocityGuard, type VelocityGuardOptions, type VelocityList } from 'payments-client/fraud';
import { describe, expect, it, vi } from 'vitest';
import { anything } from '../support/anything.ts';
import { card, hour, secret } from './velocity.ts';

const rules = [
  { name: 'card', per: 'card', counts: 'attempts', limit: 1, windowMs: hour, action: 'block' },
  { name: 'ip', per: 'ip', counts: 'attempts', limit: 1, windowMs: hour, action: 'block' },
] as const;
const ip = '192.0.2.7';
const email = 'a@b.example';

const guardWith = (options: Pick<VelocityGuardOptions, 'allow' | 'deny'>) =>
  new VelocityGuard({ secret, rules, ...options });

describe('the deny list', () => {
  it('blocks an attempt without counting it', async () => {
    const guard = guardWith({ deny: [{ card }] });
    expect(await guard.check({ card, ip })).toEqual({
      decision: 'block',
      listed: 'deny',
      reasons: [],
      shadow: [],
      retryAt: undefined,
      skipped: ['card', 'ip'],
      ticket: { id: '', entries: [] },
    });
    expect(await guard.check({ card: { token: 'other' }, ip })).toMatchObject({
      decision: 'allow',
      listed: undefined,
    });
  });

  it('takes precedence over the allow list, which is not called', async () => {
    const allow = vi.fn(() => true);
    const guard = guardWith({ deny: [{ ip }], allow });
    expect(await guard.check({ card, ip })).toMatchObject({ decision: 'block', listed: 'deny' });
    expect(allow).not.toHaveBeenCalled();
    expect(await guard.check({ card })).toMatchObject({ decision: 'allow', listed: 'allow' });
  });
});

describe('the allow list', () => {
  it('skips every rule, and counts nothing', async () => {
    const guard = guardWith({ allow: [{ subjects: { email } }] });
    const allowed = { card, ip, subjects: { email } };
    for (let time = 0; time < 3; time += 1) {
      const { decision, listed, skipped, ticket } = await guard.check(allowed);
      expect([decision, listed, skipped]).toEqual(['allow', 'allow', ['card', 'ip']]);
      await guard.record(ticket, 'declined');
    }
    expect((await guard.check({ card, ip })).decision).toBe('allow');
    expect((await guard.check({ card, ip })).decision).toBe('block');
  });
});

describe('a list', () => {
  it.each<[list: VelocityList, attempt: object, isListed: boolean]>([
    [[{ card }], { card: { number: '4929 8765-1234 0988' } }, true],
    [[{ card }], { card: { token: card.number } }, false],
    [[{ card: { token: 'fp_1' } }], { card: { token: 'fp_1' } }, true],
    [[{ ip: '2001:db8::1' }], { ip: '[2001:db8::2]:443' }, true],
    [[{ ip }], { card }, false],
    [[{ card: { token: 'x' } }, { ip }], { ip }, true],
    [[{ card, ip }], { card, ip }, true],
    [[{ card, ip }], { card, ip: '192.0.2.8' }, false],
    [[{ card, ip }], { ip }, false],
    [[{ subjects: { email } }], { subjects: { email } }, true],
    [[{ subjects: { email } }], { subjects: { name: email } }, false],
    [[{ subjects: { email, name: 'n' } }], { subjects: { email } }, false],
    [[], { card, ip }, false],
    [({ subjects }) => subjects?.['email'] === email, { subjects: { email } }, true],
    [async (attempt) => attempt.ip === ip, { ip }, true],
    [async () => false, { ip }, false],
  ])('%j has %j: %s', async (deny, attempt, isListed) => {
    const { listed } = await guardWith({ deny }).check(attempt);
    expect(listed).toBe(isListed ? 'deny' : undefined);
  });

  it('that fails makes the check fail', async () => {
    const guard = guardWith({ allow: () => Promise.reject(new Error('the list is down')) });
    await expect(guard.check({ card })).rejects.toThrow('the list is down');
  });

  it('that returns neither true nor false is refused', async () => {
    const guard = guardWith({ deny: anything(() => undefined) });
    await expect(guard.check({ card })).rejects.toThrow(
      new TypeError('VelocityGuard.deny(): expected true or false, got nothing'),
    );
  });

  it.each<[list: unknown, message: string]>([
    ['4929876512340988', 'expected an array of subjects, or a function, got '],
    [[card.number], '[0]: expected an object, got a string of 16 characters'],
    [[{}], '[0]: expected a card, an IP address or subjects, got an object'],
    [[{ ip }, { subjects: {} }], '[1]: expected a card, an IP address or subjects, got an object'],
    [
      [{ ips: ip }],
      "[0].ips: expected one of card, ip, subjects, got an unknown option (did you mean 'ip'?)",
    ],
    [[{ card: card.number }], '[0].card: expected { number } or { token }, got a string of 16 characters'],
    [
      [{ card: { number: '49' } }],
      '[0].card.number: expected a card number of 12 to 19 digits, got a string of 2 characters',
    ],
    [[{ ip: '' }], '[0].ip: expected a non-empty string, got an empty string'],
    [[{ subjects: email }], '[0].subjects: expected an object, got a string of 11 characters'],
    [[{ subjects: { email: 7 } }], '[0].subjects.email: expected a non-empty string, got a number'],
    [
      [{ subjects: { ip } }],
      '[0].subjects.ip: expected text under a name other than card and ip, got a string of 9 characters',
    ],
  ])('%j is refused when the guard is created', (list, message) => {
    for (const name of ['deny', 'allow']) {
      const options = anything({ secret, [name]: list });
      expect(() => new VelocityGuard(options)).toThrow(`VelocityGuard.${name}`);
      expect(() => new VelocityGuard(options)).toThrow(message);
      expect(() => new VelocityGuard(options)).not.toThrow(card.number);
    }
  });
});
