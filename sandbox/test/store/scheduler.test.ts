/** Reaches inside: the order of entries with the same due time is visible only in the scheduler. */

import { expect, test } from 'vitest';
import { VirtualClock } from '../../src/store/clock.ts';
import { Scheduler } from '../../src/store/scheduler.ts';

test('entries run in order of time, including those added on the way', async () => {
  const clock = new VirtualClock(0);
  const done: [string, number][] = [];
  const scheduler = new Scheduler(clock, ({ id }) => {
    done.push([id, clock.now()]);
    if (id === 'first') scheduler.add({ at: 2_000, kind: 'refund', id: 'second' });
  });
  const plan = (at: number, id: string) => scheduler.add({ at, kind: 'refund', id });
  plan(3_000, 'third');
  plan(1_000, 'first');
  plan(3_000, 'fourth');
  plan(9_000, 'later');
  await scheduler.advance(3_000);
  expect(done).toEqual([
    ['first', 1_000],
    ['second', 2_000],
    ['third', 3_000],
    ['fourth', 3_000],
  ]);
  expect(clock.now()).toBe(3_000);
});

test('asynchronous work completes before later entries run', async () => {
  const clock = new VirtualClock(0);
  const done: string[] = [];
  const scheduler = new Scheduler(clock, async ({ id }) => {
    await Promise.resolve();
    done.push(`${id} at ${clock.now()}`);
  });
  for (const at of [30, 10, 20]) scheduler.add({ at, kind: 'refund', id: `due ${at}` });
  await Promise.all([scheduler.advance(15), scheduler.advance(30)]);
  expect(done).toEqual(['due 10 at 10', 'due 20 at 20', 'due 30 at 30']);
  scheduler.add({ at: 0, kind: 'refund', id: 'due already' });
  await scheduler.settled();
  expect(done.at(-1)).toBe('due already at 45');
});
