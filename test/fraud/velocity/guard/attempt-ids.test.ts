/** What the id of an attempt names: one try of one card, until its outcome is recorded. */

import { type VelocityAttempt, VelocityGuard, type VelocityOutcome } from 'payments-client/fraud';
import { memoryStore } from 'payments-client/stores';
import { describe, expect, it } from 'vitest';
import { anything } from '../../../support/anything.ts';
import { amounts, card, guardAt, hour, once, secret, times } from '../../velocity.ts';

const three = { ...once, limit: 3, windowMs: hour } as const;
const perIp = { ...three, name: 'ip', per: 'ip' } as const;
const id = 'order-7';

/** How many of a row of decisions let the attempt pass. */
const passed = (decisions: readonly string[]) => decisions.filter((one) => one !== 'block').length;

describe('an id', () => {
  it.each<VelocityOutcome>(['declined', 'approved'])(
    'whose outcome was recorded as %s names a new attempt: a thousand security codes do not pass on one',
    async (outcome) => {
      const { pay } = guardAt({ rules: [three] });
      expect(passed(await times(1000, () => pay({ card, id }, outcome)))).toBe(3);
    },
  );

  it.each([
    ['card', (index: number) => ({ card: { token: `card-${index}` } })],
    ['amount', (index: number) => ({ card, amount: `${index}.00` })],
    ['currency', (index: number) => ({ card, amount: '1.00', currency: `AA${'ABCDEFGHIJ'[index]}` })],
  ])('with another %s names a new attempt', async (_what, attemptOf) => {
    const { check } = guardAt({ rules: [perIp] });
    const verdicts: string[] = [];
    for (let index = 0; index < 10; index += 1) {
      verdicts.push((await check({ id, ip: '192.0.2.1', ...attemptOf(index) })).decision);
    }
    expect(passed(verdicts)).toBe(3);
  });

  it('counts once while nothing else is known of its attempt, by whatever spelling of card and amount', async () => {
    const { check, guard } = guardAt({ rules: [{ ...three, limit: 1 }] });
    const first = await check({ card, id, amount: '1.00', currency: 'usd' });
    await guard.record(first.ticket, 'unknown');
    const spelt = { number: '4929-8765-1234-0988' };
    const again = [first, await check({ card: spelt, id, amount: '1', currency: 'USD' })];
    expect(again.map(({ decision }) => decision)).toEqual(['allow', 'allow']);
    expect((await check({ card, id: 'order-8' })).decision).toBe('block');
  });

  it('needs a card that can be read, though no rule counts cards', async () => {
    const { check } = guardAt({ rules: [perIp] });
    await expect(check({ id, ip: '192.0.2.1', card: anything({ number: 'x' }) })).rejects.toThrow(
      /^attempt\.card/,
    );
  });

  it('is free again after an attempt that was not sent', async () => {
    const { pay } = guardAt({ rules: [{ ...three, limit: 1 }] });
    expect(passed(await times(5, () => pay({ card, id }, 'not_sent')))).toBe(5);
    expect(await times(2, () => pay({ card, id }, 'declined'))).toEqual(['allow', 'block']);
  });

  it('cannot spend an amount again under the name of a smaller one', async () => {
    const { check } = guardAt({ rules: [{ ...amounts, action: 'block' }] });
    expect((await check({ card, id, amount: '0.01' })).decision).toBe('allow');
    expect((await check({ card, id, amount: '10.00' })).decision).toBe('block');
    expect((await check({ card, id, amount: '0.01' })).decision).toBe('allow');
  });
});

describe('a ticket', () => {
  /** Holds every attempt, so that the next verdict shows what was counted before. */
  const rules = [{ ...amounts, limit: '0' }];
  const attempt: VelocityAttempt = { card, id, amount: '2.00' };

  async function countedBefore(guard: VelocityGuard) {
    const { reasons } = await guard.check({ card, amount: '0.0001' });
    return reasons[0]?.reached;
  }

  it('of an attempt that has ended changes nothing of the next one with its id', async () => {
    const { guard } = guardAt({ rules });
    const { ticket: old } = await guard.check(attempt);
    await guard.record(old, 'declined');
    const { ticket } = await guard.check(attempt);
    // A job is delivered twice.
    await guard.record(old, 'declined');
    await guard.record(old, 'not_sent');
    expect(await countedBefore(guard)).toBe('2.0001');
    await guard.record(ticket, 'declined');
    expect(await countedBefore(guard)).toBe('0.0002');
  });

  it('records one outcome: the first', async () => {
    const { guard } = guardAt({ rules });
    const { ticket } = await guard.check(attempt);
    await guard.record(ticket, 'approved');
    await guard.record(ticket, 'not_sent');
    expect(await countedBefore(guard)).toBe('2.0001');
  });

  it('of a repeat is that of its attempt, so that either may record the outcome', async () => {
    const store = memoryStore();
    const guards = times(2, async () => new VelocityGuard({ secret, rules, store }));
    const [first, second] = await guards;
    if (first === undefined || second === undefined) throw new Error('no guards');
    const { ticket } = await first.check(attempt);
    const { ticket: repeated } = await second.check(attempt);
    expect(repeated).toEqual(ticket);
    await first.record(ticket, 'declined');
    await second.record(repeated, 'approved');
    expect(await countedBefore(first)).toBe('0.0001');
  });
});
