import { ConfigurationError } from 'payments-client';
import {
  typicalVelocityRules,
  type VelocityAttempt,
  VelocityGuard,
  type VelocityOutcome,
  type VelocityRule,
} from 'payments-client/fraud';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it, vi } from 'vitest';
import { anything } from '../../support/anything.ts';
import type { VelocityStore } from '../../support/stores.ts';
import { amounts, card, guardAt, hour, minute, once, secret, start, times } from '../velocity.ts';

const failures = { ...once, name: 'failures', counts: 'failures' } as const;
const perIp = { ...once, name: 'ip', per: 'ip' } as const;
const allowed = (verdicts: readonly { readonly decision: string }[]) =>
  verdicts.filter(({ decision }) => decision === 'allow').length;

describe('an outcome', () => {
  /** Every attempt exceeds these, so that the next one shows what was counted before. */
  const rules: readonly VelocityRule[] = [
    { ...once, name: 'attempts', limit: 0, action: 'review' },
    { ...failures, limit: 0, action: 'review' },
    { ...amounts, limit: '0' },
  ];

  async function countedBefore(check: (attempt: VelocityAttempt) => ReturnType<VelocityGuard['check']>) {
    const { reasons } = await check({ card, amount: '0.0001' });
    return Object.fromEntries(reasons.map(({ rule, reached }) => [rule, reached]));
  }

  it.each<[outcome: VelocityOutcome | 'none', attempts: string, failures: string, amounts: string]>([
    ['approved', '2', '1', '5.0001'],
    ['declined', '2', '2', '0.0001'],
    ['not_sent', '1', '1', '0.0001'],
    ['unknown', '2', '2', '5.0001'],
    ['none', '2', '2', '5.0001'],
  ])('%s leaves of one attempt and the next: %s, %s, %s', async (outcome, ...expected) => {
    const { guard, check } = guardAt({ rules });
    const { ticket } = await check({ card, amount: '5.00' });
    const restored = JSON.parse(JSON.stringify(ticket));
    // It is idempotent, and may come from another process.
    if (outcome !== 'none') await times(2, () => guard.record(restored, outcome));
    expect(Object.values(await countedBefore(check))).toEqual(expected);
  });

  it('takes back its own attempt, and none of another at the same time', async () => {
    const { guard, check } = guardAt({ rules });
    const [first] = await times(3, () => check({ card, amount: '2.00' }));
    if (first) await guard.record(first.ticket, 'not_sent');
    expect(await countedBefore(check)).toEqual({ attempts: '3', failures: '3', amounts: '4.0001' });
  });

  it('of a blocked attempt changes nothing', async () => {
    const { guard, check } = guardAt({ rules: [once, { ...amounts, limit: '0' }] });
    await check({ card, amount: '5.00' });
    const { decision, ticket } = await check({ card, amount: '5.00' });
    await guard.record(ticket, 'not_sent');
    expect([decision, ticket]).toEqual(['block', { id: '', entries: [] }]);
    const { reasons } = await check({ card, amount: '0.0001' });
    expect(reasons).toMatchObject([
      { rule: 'once', reached: '2' },
      { rule: 'amounts', reached: '5.0001' },
    ]);
  });

  it('asks the store only if the attempt was counted, and ends', async () => {
    const store = memoryStore();
    const guard = new VelocityGuard({ secret, rules: [once], store });
    const { ticket } = await guard.check({ card });
    const { ticket: blocked } = await guard.check({ card });
    const check = vi.spyOn(store, 'check');
    await guard.record(ticket, 'unknown');
    await guard.record(blocked, 'declined');
    expect(check).not.toHaveBeenCalled();
    await guard.record(ticket, 'approved');
    expect(check).toHaveBeenCalledOnce();
  });

  it.each<[message: string, ticket: unknown, outcome: unknown]>([
    [
      "outcome: expected 'approved', 'declined', 'not_sent' or 'unknown', got 'refused'",
      { id: '', entries: [] },
      'refused',
    ],
    [
      "outcome: expected 'approved', 'declined', 'not_sent' or 'unknown', got 'constructor'",
      { id: '', entries: [] },
      'constructor',
    ],
    ['ticket: expected a ticket of check, got nothing', undefined, 'approved'],
    ['ticket: expected a ticket of check, got an object', {}, 'approved'],
  ])('is refused: %s', async (message, ticket, outcome) => {
    const { guard } = guardAt();
    const recorded = guard.record(anything(ticket), anything(outcome));
    await expect(recorded).rejects.toThrow(ConfigurationError);
    await expect(recorded).rejects.toThrow(message);
  });
});

describe('an attempt', () => {
  it.each([once, failures])('at the same time as others does not bypass a limit: $name', async (rule) => {
    const { check } = guardAt({ rules: [{ ...rule, limit: 3 }] });
    expect(allowed(await Promise.all(Array.from({ length: 20 }, () => check({ card }))))).toBe(3);
  });

  it('of one id counts once, also when a repetition is blocked, and none without an id is a repetition', async () => {
    const { check, at } = guardAt({ rules: [{ ...once, limit: 2 }, perIp] });
    for (const _ of [1, 2, 3]) expect((await check({ card, id: 'attempt-1' })).decision).toBe('allow');
    await check({ ip: '192.0.2.1' });
    expect((await check({ card, id: 'attempt-1', ip: '192.0.2.1' })).decision).toBe('block');
    at(1);
    expect((await check({ card })).decision).toBe('allow');
    expect((await check({ card })).decision).toBe('block');
    expect((await check({ card, id: 'attempt-1' })).decision).toBe('allow');
  });

  it('that is repeated after a lost response of the store counts once', async () => {
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

  it('that one rule blocks counts under no other', async () => {
    const { pay } = guardAt({ rules: [{ ...once, limit: 2 }, perIp] });
    expect(await pay({ card, ip: 'a' })).toBe('allow');
    expect(await pay({ card, ip: 'a' })).toBe('block');
    expect(await pay({ card, ip: 'b' })).toBe('allow');
  });

  it('of another card at the address of a stolen one is not blocked', async () => {
    for (const place of [0, 3, 49]) {
      const { check } = guardAt();
      const ip = '192.0.2.7';
      const stolen = Array.from({ length: 50 }, () => check({ card, ip }));
      const innocent = check({ card: { token: 'innocent' }, ip });
      const verdicts = await Promise.all(stolen.toSpliced(place, 0, innocent));
      expect(verdicts.splice(place, 1)).toMatchObject([{ decision: 'allow' }]);
      expect(allowed(verdicts)).toBe(3);
    }
  });
});

describe('a verdict', () => {
  it('lists the rules that did not apply', async () => {
    const rules = typicalVelocityRules({ dailyAmountPerCard: '100' });
    const { check } = guardAt({ rules });
    const nothing = await check({});
    expect(nothing.skipped).toEqual(rules.map(({ name }) => name));
    expect(nothing).toMatchObject({ decision: 'allow', reasons: [], ticket: { id: '', entries: [] } });
    expect((await check({ card })).skipped).toEqual(['ip-hour', 'card-amount-day']);
    expect((await check({ card, ip: '192.0.2.1', amount: '1' })).skipped).toEqual([]);
  });

  it.each<
    [what: string, rules: VelocityRule[], decision: string, reasons: string[], retryAt: number | undefined]
  >([
    [
      'the last of its blocks',
      [once, { ...once, name: 'longer', windowMs: hour }],
      'block',
      ['once', 'longer'],
      hour + minute - 1,
    ],
    [
      'its block, and not that of a review',
      [{ ...once, name: 'longer', windowMs: hour, action: 'review' }, once],
      'block',
      ['once', 'longer'],
      minute + 999,
    ],
    ['nothing, if it is only held', [{ ...once, action: 'review' }], 'review', ['once'], undefined],
    [
      'nothing, if no wait helps against one',
      [once, { ...perIp, name: 'none', limit: 0 }],
      'block',
      ['once', 'none'],
      undefined,
    ],
  ])('lists blocks first, and tells to wait for %s', async (_what, rules, decision, names, retryAt) => {
    const { check } = guardAt({ rules });
    await check({ card });
    const verdict = await check({ card, ip: '192.0.2.1' });
    expect([verdict.decision, verdict.reasons.map(({ rule }) => rule)]).toEqual([decision, names]);
    expect(verdict.retryAt).toEqual(retryAt === undefined ? undefined : new Date(start + retryAt));
  });

  it('on an amount that alone exceeds the limit has no time to wait for', async () => {
    const { check } = guardAt({ rules: [amounts] });
    const { reasons } = await check({ card, amount: '10.0001' });
    expect(reasons).toMatchObject([{ reached: '10.0001', retryAt: undefined }]);
    const [held] = (await check({ card, amount: '10.00' })).reasons;
    expect(held?.retryAt).toBeInstanceOf(Date);
  });
});

describe('a guard', () => {
  it('shares its limits with guards of the same store and secret, in text or bytes, and with no others', async () => {
    const store = memoryStore();
    const bytes = new TextEncoder().encode(secret);
    const guards = [secret, bytes, 'a rotated secret, random too'].map(
      (each) => new VelocityGuard({ secret: each, rules: [once], store }),
    );
    // It keeps its secret when the bytes are wiped.
    bytes.fill(0);
    const decisions: string[] = [];
    for (const guard of [...guards, ...guards]) decisions.push((await guard.check({ card })).decision);
    expect(decisions).toEqual(['allow', 'block', 'allow', 'block', 'block', 'block']);
  });

  it.each<[path: string, expected: string, options: object]>([
    ['secret', 'a secret of at least 16 bytes, got nothing', { secret: undefined }],
    ['secret', 'a secret of at least 16 bytes, got null', { secret: null }],
    ['secret', 'a secret of at least 16 bytes, got one of 15', { secret: '0123456789abcde' }],
    ['secret', 'a secret of at least 16 bytes, got one of 15', { secret: new Uint8Array(15) }],
    ['secret', 'a secret of at least 16 bytes, got a number', { secret: 1234567890123456 }],
    ['rule', 'a known name', { rule: [] }],
    [
      'store',
      'a store that all processes share, or memoryStore() for one process, got nothing',
      { store: undefined },
    ],
    [
      'store',
      'a store that all processes share, or memoryStore() for one process, got an object',
      { store: { record() {} } },
    ],
  ])('is refused if its %s is not %s', (path, expected, options) => {
    const create = () => new VelocityGuard(anything({ secret, store: memoryStore(), ...options }));
    expect(create).toThrow(ConfigurationError);
    expect(create).toThrow(`VelocityGuard.${path}: expected ${expected}`);
  });

  it.each(['0123456789abcdef', 'éééééééé', new Uint8Array(16)])(
    'accepts a secret of 16 bytes: %j',
    (short) => {
      expect(() => new VelocityGuard({ secret: short, store: memoryStore() })).not.toThrow();
    },
  );

  it('fails when its store does, or lacks a total of an entry', async () => {
    const failing = { check: () => Promise.reject(new Error('store is down')) };
    await expect(new VelocityGuard({ secret, store: failing }).check({ card })).rejects.toThrow(
      'store is down',
    );
    const forgetful = new VelocityGuard({ secret, store: { check: async () => [] } });
    await expect(forgetful.check({ card })).rejects.toThrow('store.check(): expected a total for each entry');
  });
});
