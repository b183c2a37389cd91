import { typicalVelocityRules } from 'payments-client/fraud';
import { describe, expect, it } from 'vitest';
import fraud from '../interface/tables/fraud.json' with { type: 'json' };
import { anything } from '../support/anything.ts';
import { card, day, guardAt, hour, minute, start, times } from './velocity.ts';

/** A bucket is a 60th of the window, and counts until its last attempt has left the window. */

const left = (windowMs: number) => windowMs + windowMs / 60 - 1;

const windows: Readonly<Record<string, number>> = { '10 minutes': 10 * minute, hour, day };

describe('the typical rules', () => {
  it('are those of the interface', () => {
    expect(typicalVelocityRules({ dailyAmountPerCard: '500.00' })).toEqual([
      {
        name: 'card-10-minutes',
        per: 'card',
        counts: 'attempts',
        limit: 3,
        windowMs: 600_000,
        action: 'block',
      },
      { name: 'ip-hour', per: 'ip', counts: 'attempts', limit: 5, windowMs: 3_600_000, action: 'block' },
      {
        name: 'card-failures-day',
        per: 'card',
        counts: 'failures',
        limit: 3,
        windowMs: 86_400_000,
        action: 'block',
      },
      {
        name: 'card-amount-day',
        per: 'card',
        counts: 'amount',
        limit: '500.00',
        windowMs: 86_400_000,
        action: 'review',
      },
    ]);
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
    const blocked = await check({ card });
    expect(blocked).toMatchObject({
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
    const pays = () => {
      last += 1;
      return pay({ card: { token: `card ${last}` }, ip: '192.0.2.7' });
    };
    expect(await times(6, pays)).toEqual([...Array(5).fill('allow'), 'block']);
    expect(await pay({ ip: '192.0.2.8' })).toBe('allow');
    at(left(hour) - 1);
    expect((await check({ ip: '192.0.2.7' })).retryAt).toEqual(new Date(start + left(hour)));
    at(left(hour));
    expect(await pays()).toBe('allow');
  });

  it('block a card for the attempt after 3 failed ones, until one of them is a day old', async () => {
    const { at, pay, check } = guardAt();
    for (const time of [0, hour, 2 * hour]) {
      at(time);
      expect(await pay({ card }, 'declined')).toBe('allow');
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

  it('do not count an approved transaction as failed', async () => {
    const { at, pay } = guardAt();
    const decisions: string[] = [];
    for (let index = 0; index < 10; index += 1) {
      at(index * 20 * minute);
      decisions.push(await pay({ card }));
    }
    expect(decisions).toEqual(Array(10).fill('allow'));
  });

  it('count an attempt with an unknown outcome as failed', async () => {
    const { at, pay, check } = guardAt();
    for (const time of [0, hour]) {
      at(time);
      await pay({ card }, 'unknown');
    }
    at(2 * hour);
    await check({ card });
    at(3 * hour);
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
        {
          rule: 'card-amount-day',
          limit: '0.30',
          reached: '0.3001',
          retryAt: new Date(start + left(day)),
          what: 'card-amount-day: at most 0.30 in total per card in 1 day, this would be 0.3001',
        },
      ],
    });
    expect(held.ticket.entries).toHaveLength(3);
    at(left(day));
    expect(await pay({ card, amount: '0.29' })).toBe('allow');
  });

  it('do not count the amount of a declined payment', async () => {
    const { pay } = guardAt({ rules: typicalVelocityRules({ dailyAmountPerCard: '100' }) });
    expect(await pay({ card, amount: '100' }, 'declined')).toBe('allow');
    expect(await pay({ card, amount: '100.00' })).toBe('allow');
    expect(await pay({ card, amount: '0.01' })).toBe('review');
  });

  it('hold a payment that exceeds the amount alone, without a retryAt', async () => {
    const { check } = guardAt({ rules: typicalVelocityRules({ dailyAmountPerCard: '100' }) });
    const { decision, reasons } = await check({ card, amount: '100.01' });
    expect([decision, reasons[0]?.retryAt]).toEqual(['review', undefined]);
  });
});

it('typical rules are refused with a misspelt amount, which would leave a rule out', () => {
  expect(() => typicalVelocityRules(anything({ dailyAmountPerCrd: '500.00' }))).toThrow(
    /^typicalVelocityRules\.dailyAmountPerCrd: expected a known name, got an unknown option \(did you mean 'dailyAmountPerCard'\?\)/,
  );
});
