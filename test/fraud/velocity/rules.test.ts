import { ConfigurationError } from 'payments-client';
import { typicalVelocityRules, VelocityGuard, type VelocityRule } from 'payments-client/fraud';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import fraud from '../../interface/tables/fraud.json' with { type: 'json' };
import { anything } from '../../support/anything.ts';
import { amounts, card, day, guardAt, hour, minute, once, secret, start, times } from '../velocity.ts';

/** A bucket is a 60th of the window, and counts until its last attempt has left the window. */
const left = (windowMs: number) => windowMs + windowMs / 60 - 1;

const windows: Readonly<Record<string, number>> = { '10 minutes': 10 * minute, hour, day };

describe('the typical rules', () => {
  it('are those of the interface', () => {
    const rules = typicalVelocityRules({ dailyAmountPerCard: '500.00' });
    expect(rules.slice(0, 3)).toEqual(typicalVelocityRules());
    expect(rules.map(({ name, action }) => [name, action])).toEqual([
      ['card-10-minutes', 'block'],
      ['ip-hour', 'block'],
      ['card-failures-day', 'block'],
      ['card-amount-day', 'review'],
    ]);
    expect(rules[3]).toMatchObject({ per: 'card', counts: 'amount', limit: '500.00', windowMs: day });
    expect(
      typicalVelocityRules().map(({ limit, per, counts, windowMs }) => ({ limit, per, counts, windowMs })),
    ).toEqual(
      fraud.velocity.map(({ limit, per, counts, window }) => ({
        limit,
        per: per.toLowerCase(),
        counts: counts === 'failed attempts' ? 'failures' : 'attempts',
        windowMs: windows[window],
      })),
    );
  });

  it('allow 3 transactions per card in 10 minutes, and the next when the first bucket leaves the window', async () => {
    const { at, pay, check } = guardAt();
    expect(await pay({ card })).toBe('allow');
    at(minute);
    expect(await times(2, () => pay({ card }))).toEqual(['allow', 'allow']);
    at(left(10 * minute) - 1);
    expect(await check({ card })).toMatchObject({
      decision: 'block',
      retryAt: new Date(start + left(10 * minute)),
      reasons: [
        {
          rule: 'card-10-minutes',
          per: 'card',
          counts: 'attempts',
          limit: '3',
          reached: '4',
          action: 'block',
          what: 'card-10-minutes: at most 3 attempts per card in 10 minutes, this would be 4',
        },
      ],
      ticket: { entries: [] },
    });
    at(left(10 * minute));
    expect(await pay({ card })).toBe('allow');
    expect(await pay({ card })).toBe('block');
  });

  it('do not prolong a block after another attempt', async () => {
    const { at, pay } = guardAt();
    await times(3, () => pay({ card }));
    at(9 * minute);
    expect(await times(20, () => pay({ card }))).not.toContain('allow');
    at(left(10 * minute));
    expect(await times(4, () => pay({ card }))).toEqual(['allow', 'allow', 'allow', 'block']);
  });

  it('allow 5 transactions per IP address in an hour, whatever the card', async () => {
    const { at, pay, check } = guardAt();
    let last = 10;
    const pays = () => pay({ card: { token: `card ${(last += 1)}` }, ip: '192.0.2.7' });
    expect(await times(6, pays)).toEqual([...Array(5).fill('allow'), 'block']);
    expect(await pay({ ip: '192.0.2.8' })).toBe('allow');
    at(left(hour) - 1);
    expect((await check({ ip: '192.0.2.7' })).retryAt).toEqual(new Date(start + left(hour)));
    at(left(hour));
    expect(await pays()).toBe('allow');
  });

  it('block a card for the attempt after 3 failed ones, until one of them is a day old', async () => {
    const { at, pay, check } = guardAt();
    for (const [index, outcome] of (['declined', 'unknown', 'declined'] as const).entries()) {
      at(index * hour);
      expect(await pay({ card }, outcome)).toBe('allow');
    }
    at(left(day) - 1);
    expect(await check({ card })).toMatchObject({
      decision: 'block',
      reasons: [{ rule: 'card-failures-day', limit: '3', reached: '4' }],
      retryAt: new Date(start + left(day)),
    });
    at(left(day));
    expect(await pay({ card }, 'declined')).toBe('allow');
    expect(await pay({ card })).toBe('block');
  });

  it('hold a payment that exceeds the daily amount for review, to the cent', async () => {
    const { at, pay, check } = guardAt({ rules: typicalVelocityRules({ dailyAmountPerCard: '0.30' }) });
    expect(await pay({ card, amount: '0.10' })).toBe('allow');
    expect(await pay({ card, amount: '0.20' })).toBe('allow');
    at(left(day) - 1);
    const held = await check({ card, amount: '0.0001' });
    expect(held).toMatchObject({
      decision: 'review',
      retryAt: undefined,
      reasons: [
        { rule: 'card-amount-day', limit: '0.30', reached: '0.3001', retryAt: new Date(start + left(day)) },
      ],
    });
    // It is held and not blocked, so all of its rules count it.
    expect(held.ticket.entries).toHaveLength(3);
    at(left(day));
    expect(await pay({ card, amount: '0.29' })).toBe('allow');
  });

  it('are refused with a misspelt or a wrong amount, which would leave a rule out', () => {
    expect(() => typicalVelocityRules(anything({ dailyAmountPerCrd: '500.00' }))).toThrow(
      "typicalVelocityRules.dailyAmountPerCrd: expected a known name, got an unknown option (did you mean 'dailyAmountPerCard'?)",
    );
    expect(() => typicalVelocityRules(anything({ dailyAmountPerCard: 500 }))).toThrow(ConfigurationError);
  });
});

describe('a limit on amounts', () => {
  it('adds amounts exactly, and reaches as many digits as there are', async () => {
    const { check } = guardAt({ rules: [{ ...amounts, limit: '999999999999.9999' }] });
    expect((await check({ card, amount: '999999999999.9998' })).decision).toBe('allow');
    expect((await check({ card, amount: '0.0001' })).decision).toBe('allow');
    expect((await check({ card, amount: '0.0001' })).reasons).toMatchObject([
      { reached: '1000000000000.00' },
    ]);
  });

  it.each([
    ['JPY', '1200', '1', '1200.00', '1201.00'],
    ['USD', '12.00', '0.01', '12.00', '12.01'],
    ['KWD', '1.234', '0.001', '1.234', '1.235'],
    ['USD', '12.34', '0.005', '12.34', '12.345'],
    ['USD', '0.05', '0.0001', '0.05', '0.0501'],
  ])('in %s is exact: %s and then %s', async (currency, limit, amount, asText, reached) => {
    const { pay, check } = guardAt({ rules: [{ ...amounts, limit }] });
    expect(await pay({ card, amount: limit, currency })).toBe('allow');
    const { decision, reasons } = await check({ card, amount, currency });
    expect([decision, reasons[0]?.limit, reasons[0]?.reached]).toEqual(['review', asText, reached]);
    const what = `amounts: at most ${asText} in total per card in 1 day, this would be ${reached}`;
    expect(reasons[0]?.what).toBe(what);
  });

  it('applies to each currency by itself, however it is written, and to none as another', async () => {
    const { pay, check } = guardAt({ rules: [amounts] });
    for (const currency of ['USD', 'jpy', 'KWD', undefined]) {
      expect(await pay({ card, amount: '10', currency })).toBe('allow');
    }
    for (const currency of ['usd', 'JPY', 'Kwd', undefined]) {
      const { reasons } = await check({ card, amount: '0.0001', currency });
      expect(reasons).toMatchObject([{ reached: '10.0001' }]);
    }
  });

  it('in one currency leaves others alone', async () => {
    const { pay, check } = guardAt({ rules: [{ ...amounts, currency: 'usd' }] });
    expect(await pay({ card, amount: '99', currency: 'EUR' })).toBe('allow');
    expect(await pay({ card, amount: '10', currency: 'USD' })).toBe('allow');
    expect((await check({ card, amount: '1', currency: 'EUR' })).skipped).toEqual(['amounts']);
    expect((await check({ card, amount: '1' })).skipped).toEqual(['amounts']);
    const { skipped, reasons } = await check({ card, amount: '1', currency: 'Usd' });
    expect([skipped, reasons[0]?.reached]).toEqual([[], '11.00']);
  });
});

describe('a rule', () => {
  it.each<[path: string, expected: string, rules: unknown]>([
    ['', 'an array of rules', {}],
    ['[0]', 'an object', [undefined]],
    ['[0].limit', 'an integer from 0', [{ ...once, limit: -1 }]],
    ['[0].limit', 'an integer from 0', [{ ...once, limit: '1' }]],
    ['[0].windowMs', 'an integer from 1', [{ ...once, windowMs: 0 }]],
    ['[0].limit', 'a decimal string', [{ ...amounts, limit: 5 }]],
    ['[0].limit', 'a decimal string', [{ ...amounts, limit: 'much' }]],
    ['[0].limit', 'a decimal string', [{ ...amounts, limit: '1.00001' }]],
    ['[0].currency', 'nothing beside a count', [{ ...once, currency: 'USD' }]],
    ['[0].currency', "a currency code such as 'USD'", [{ ...amounts, currency: 'USDX' }]],
    ['[0].currency', "a currency code such as 'USD'", [{ ...amounts, currency: ['USD'] }]],
    ['[0].action', "'review' or 'block'", [{ ...once, action: undefined }]],
    ['[0].counts', "'attempts' or 'failures' or 'amount'", [{ ...once, counts: 'sales' }]],
    ['[0].name', 'a name of letters', [{ ...once, name: 'a:b' }]],
    ['[0].name', 'a name of letters', [{ ...once, name: '' }]],
    ['[0].name', 'a name of letters', [{ ...once, name: 'x'.repeat(65) }]],
    ['[0].per', 'a name of letters', [{ ...once, per: 'a b' }]],
    ['[0].windowsMs', 'a known name', [{ ...once, windowsMs: 1 }]],
    ['[2].name', 'a unique name', [once, amounts, once]],
  ])('is refused if rules%s is not %s', (path, expected, rules) => {
    const create = () => new VelocityGuard({ secret, rules: anything(rules), store: memoryStore() });
    expect(create).toThrow(ConfigurationError);
    expect(create).toThrow(`VelocityGuard.rules${path}: expected ${expected}`);
  });

  it.each<VelocityRule>([
    { ...once, name: `a.b-c_${'x'.repeat(58)}`, limit: 0, windowMs: 1 },
    { ...amounts, limit: '0', currency: 'Usd' },
  ])('of the smallest values is accepted: %j', async (rule) => {
    const { check } = guardAt({ rules: [rule] });
    const { decision } = await check({ card, amount: '0.0001', currency: 'USD' });
    expect(decision).toBe(rule.action);
  });

  it.each([
    [1, '1 millisecond'],
    [1500, '1500 milliseconds'],
    [1000, '1 second'],
    [90_000, '90 seconds'],
    [7_200_000, '2 hours'],
    [2 * day, '2 days'],
  ])('of %i ms is described by its window of %s', async (windowMs, words) => {
    const { check } = guardAt({ rules: [{ ...once, limit: 0, windowMs }] });
    const what = `once: at most 0 attempts per card in ${words}, this would be 1`;
    expect((await check({ card })).reasons).toMatchObject([{ what }]);
  });
});
