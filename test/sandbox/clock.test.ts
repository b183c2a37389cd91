import { expect, test } from 'vitest';
import { VirtualClock } from '../../src/sandbox/clock.ts';
import { createSandbox } from '../../src/sandbox/index.ts';

test('the clock moves only forwards and only when told', () => {
  const { clock } = createSandbox({ startsAt: 1_000 });
  expect(clock.now()).toBe(1_000);
  clock.advance(500);
  expect(clock.now()).toBe(1_500);
  expect(() => clock.advance(-1)).toThrow(RangeError);
  expect(() => clock.advance(Number.NaN)).toThrow(RangeError);
});

test('what is due is done in the order of time, also what is scheduled on the way', () => {
  const clock = new VirtualClock(0);
  const done: [string, number][] = [];
  const note = (name: string) => () => done.push([name, clock.now()]);
  clock.schedule(3, note('third'));
  clock.schedule(1, () => {
    note('first')();
    clock.schedule(2, note('second'));
  });
  clock.schedule(3, note('fourth'));
  clock.schedule(9, note('later'));
  clock.advance(3_000);
  expect(done).toEqual([
    ['first', 1_000],
    ['second', 2_000],
    ['third', 3_000],
    ['fourth', 3_000],
  ]);
});
