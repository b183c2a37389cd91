/** Reaches inside: the order of what falls due at one moment shows only in the agenda. */

import { createSandbox } from 'payments-client/sandbox';
import { expect, test } from 'vitest';
import { Agenda } from '../../src/sandbox/agenda.ts';
import { VirtualClock } from '../../src/sandbox/clock.ts';

test('the clock moves only forwards and only when told', () => {
  const { clock } = createSandbox({ startsAt: 1_000 });
  expect(clock.now()).toBe(1_000);
  clock.advance(500);
  expect(clock.now()).toBe(1_500);
  expect(() => clock.advance(-1)).toThrow(RangeError);
  expect(() => clock.advance(Number.NaN)).toThrow(RangeError);
});

test('the clock takes durations in words', () => {
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
  ]) {
    clock.advance(duration);
  }
  const day = 86_400_000;
  expect(clock.now()).toBe(10 * day + (2 + 1.5 + 1) * 3_600_000 + 60_000 + 1_000 + 1_500 + 250);
  for (const wrong of ['', '3', 'days', '3 moons', '-1 day', '3 months']) {
    expect(() => clock.advance(wrong)).toThrow(
      /expected milliseconds, an integer from 0, or a text such as '3 days'/,
    );
  }
});

test('what is due is done in the order of time, also what is planned on the way', () => {
  const clock = new VirtualClock(0);
  const done: [string, number][] = [];
  const agenda = new Agenda(clock, ({ id }) => {
    done.push([id, clock.now()]);
    if (id === 'first') agenda.add({ at: 2_000, kind: 'refund', id: 'second' });
  });
  const plan = (at: number, id: string) => agenda.add({ at, kind: 'refund', id });
  plan(3_000, 'third');
  plan(1_000, 'first');
  plan(3_000, 'fourth');
  plan(9_000, 'later');
  agenda.advance(3_000);
  expect(done).toEqual([
    ['first', 1_000],
    ['second', 2_000],
    ['third', 3_000],
    ['fourth', 3_000],
  ]);
  expect(clock.now()).toBe(3_000);
});

test('what takes a network is waited for before anything later is done', async () => {
  const clock = new VirtualClock(0);
  const done: string[] = [];
  const agenda = new Agenda(clock, async ({ id }) => {
    await Promise.resolve();
    done.push(`${id} at ${clock.now()}`);
  });
  for (const at of [30, 10, 20]) agenda.add({ at, kind: 'refund', id: `due ${at}` });
  await Promise.all([agenda.advance(15), agenda.advance(30)]);
  expect(done).toEqual(['due 10 at 10', 'due 20 at 20', 'due 30 at 30']);
  agenda.add({ at: 0, kind: 'refund', id: 'due already' });
  await agenda.settled();
  expect(done.at(-1)).toBe('due already at 45');
});
