import {
  backtestVelocityRules,
  type RecordedAttempt,
  typicalVelocityRules,
  type VelocityRule,
} from 'payments-client/fraud';
import { describe, expect, it } from 'vitest';
import { anything } from '../support/anything.ts';
import { card, day, guardAt, hour, minute, start } from './velocity.ts';

const perCard: VelocityRule = {
  name: 'card',
  per: 'card',
  counts: 'attempts',
  limit: 2,
  windowMs: hour,
  action: 'block',
};

const recorded = (id: string, minutes: number, more: Partial<RecordedAttempt> = {}): RecordedAttempt => ({
  id,
  at: start + minutes * minute,
  card,
  outcome: 'approved',
  ...more,
});

describe('a backtest of velocity rules', () => {
  it('names the attempts that each rule would have blocked or held', async () => {
    const daily = { per: 'card', counts: 'amount', limit: '25.00', windowMs: day, action: 'review' } as const;
    const rules = [perCard, { ...daily, name: 'daily' }];
    const month = [0, 10, 20, 30, 70, 80].map((minutes, index) =>
      recorded(`txn_${index + 1}`, minutes, { amount: '10.00', currency: 'USD' }),
    );
    expect(await backtestVelocityRules(rules, month)).toEqual([
      { rule: 'card', action: 'block', ids: ['txn_3', 'txn_4'], skipped: 0 },
      { rule: 'daily', action: 'review', ids: ['txn_3', 'txn_4', 'txn_5', 'txn_6'], skipped: 0 },
    ]);
  });

  it('accepts attempts in any order, with dates or numbers', async () => {
    const month = [
      recorded('third', 3),
      recorded('first', 1, { at: new Date(start + minute) }),
      recorded('second', 2),
    ];
    expect(await backtestVelocityRules([perCard], month)).toMatchObject([{ ids: ['third'] }]);
  });

  it('counts outcomes as a guard does', async () => {
    const rules = [{ ...perCard, counts: 'failures' } as const];
    const month = (['approved', 'declined', 'not_sent', 'unknown', 'approved'] as const).map(
      (outcome, index) => recorded(`txn_${index}`, index, { outcome }),
    );
    expect(await backtestVelocityRules(rules, month)).toMatchObject([{ ids: ['txn_4'] }]);
  });

  it('reports how many attempts a rule did not apply to', async () => {
    const month = [recorded('1', 0), recorded('2', 1, { card: undefined }), recorded('3', 2)];
    expect(
      await backtestVelocityRules([perCard, { ...perCard, name: 'ip', per: 'ip' }], month),
    ).toMatchObject([
      { rule: 'card', skipped: 1 },
      { rule: 'ip', skipped: 3 },
    ]);
  });

  it('reports what a shadow rule would have done, next to blocking rules', async () => {
    const strict = { ...perCard, name: 'strict', limit: 1, shadow: true };
    const month = [0, 1, 2, 3].map((index) => recorded(`${index}`, index));
    expect(await backtestVelocityRules([strict, perCard], month)).toMatchObject([
      { rule: 'strict', action: 'block', ids: ['1', '2', '3'] },
      { rule: 'card', ids: ['2', '3'] },
    ]);
  });

  it('decides as a guard would have', async () => {
    const rules = typicalVelocityRules({ dailyAmountPerCard: '100.00' });
    const outcomes = ['approved', 'declined', 'unknown', 'not_sent'] as const;
    const month = Array.from({ length: 300 }, (_, index) => {
      const mixed = (index * 7919) % 1009;
      return recorded(`txn_${index}`, index * 2, {
        card: { token: `card ${mixed % 11}` },
        ip: `192.0.2.${mixed % 23}`,
        amount: `${mixed % 37}.00`,
        outcome: outcomes[mixed % 4] ?? 'unknown',
      });
    });
    const { guard, at } = guardAt({ rules });
    const expected = new Map(rules.map(({ name }) => [name, [] as string[]]));
    for (const attempt of month) {
      at(Number(attempt.at) - start);
      const { reasons, ticket } = await guard.check(attempt);
      await guard.record(ticket, attempt.outcome);
      for (const { rule } of reasons) expected.get(rule)?.push(attempt.id);
    }
    const results = await backtestVelocityRules(rules, month);
    expect(new Map(results.map(({ rule, ids }) => [rule, ids]))).toEqual(expected);
    expect(results.flatMap(({ ids }) => ids).length).toBeGreaterThan(20);
  });

  it('does not change its arguments', async () => {
    const month = Object.freeze([Object.freeze(recorded('2', 2)), Object.freeze(recorded('1', 1))]);
    const rules = Object.freeze([Object.freeze(perCard)]);
    expect(await backtestVelocityRules(rules, month)).toEqual(await backtestVelocityRules(rules, month));
  });

  it.each<[rules: unknown, attempts: unknown, message: string]>([
    [{}, [], 'rules: expected an array of rules, got an object'],
    [[{ ...perCard, limit: -1 }], [], 'rules[0].limit: expected an integer from 0, got the number -1'],
    [[perCard], {}, 'attempts: expected an array of attempts, got an object'],
    [[perCard], [7], 'attempts[0]: expected an object, got the number 7'],
    [
      [perCard],
      [{ ...recorded('1', 0), id: undefined }],
      'attempts[0].id: expected a non-empty string, got nothing',
    ],
    [
      [perCard],
      [recorded('1', 0), recorded('2', 0, { at: Number.NaN })],
      'attempts[1].at: expected a Date or milliseconds since 1970, got the number NaN',
    ],
    [
      [perCard],
      [recorded('1', 0, { outcome: anything('refused') })],
      "outcome: expected 'approved', 'declined', 'not_sent' or 'unknown', got 'refused'",
    ],
  ])('refuses %j over %j', async (rules, attempts, message) => {
    await expect(backtestVelocityRules(anything(rules), anything(attempts))).rejects.toThrow(message);
  });
});
