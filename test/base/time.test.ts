/** Reaches inside: a call bounds its steps, and a test of the function alone can hold each of them still. */

import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bounded, Interrupted, wait } from '../../src/base/time.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What comes first: the work, its failure, an abort before or after the start, or the end of the time. */
type Event = 'aborted before' | 'aborted' | 'done' | 'failed' | 'time over';

async function outcomeOf(events: readonly Event[]): Promise<unknown> {
  let resolve = (_: string) => {};
  let reject = (_: string) => {};
  const promise = new Promise<string>((...settle) => ([resolve, reject] = settle));
  const controller = new AbortController();
  if (events[0] === 'aborted before') controller.abort();
  const work = bounded(promise, controller.signal, 1000);
  const outcome = work.catch((error: unknown) => (error instanceof Interrupted ? error.reason : error));
  for (const event of events) {
    if (event === 'done') resolve('value');
    if (event === 'failed') reject('failure');
    if (event === 'aborted') controller.abort();
    await vi.advanceTimersByTimeAsync(event === 'time over' ? 1000 : 999 / events.length);
  }
  const result = await outcome;
  expect(vi.getTimerCount()).toBe(0);
  expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  return result;
}

describe('bounded work', () => {
  it.each<[events: Event[], outcome: string]>([
    [['done', 'aborted', 'time over'], 'value'],
    [['failed', 'aborted', 'time over'], 'failure'],
    [['aborted', 'done', 'time over'], 'aborted'],
    [['aborted', 'failed', 'time over'], 'aborted'],
    [['time over', 'done', 'aborted'], 'timeout'],
    [['time over', 'failed'], 'timeout'],
    [['aborted before'], 'aborted'],
    [['aborted before', 'done'], 'aborted'],
  ])('ends as the first of %j says, and leaves no timer and no listener', async (events, outcome) => {
    expect(await outcomeOf(events)).toBe(outcome);
  });

  it('has no bound without a signal and a time', async () => {
    let resolve = (_: string) => {};
    const work = bounded(new Promise<string>((settle) => (resolve = settle)), undefined);
    await vi.advanceTimersByTimeAsync(2 ** 31);
    resolve('value');
    expect(await work).toBe('value');
  });
});

describe('a wait', () => {
  it.each([
    ['for its time', 1000, undefined],
    ['until its signal is aborted', 400, 400],
    ['not at all if its signal is aborted already', 0, 0],
  ])('lasts %s', async (_, expected, abortedAfter) => {
    const controller = new AbortController();
    if (abortedAfter === 0) controller.abort();
    else if (abortedAfter !== undefined) setTimeout(() => controller.abort(), abortedAfter);
    const start = Date.now();
    const waiting = wait(1000, controller.signal).then(() => Date.now() - start);
    await vi.runAllTimersAsync();
    expect(await waiting).toBe(expected);
  });
});
