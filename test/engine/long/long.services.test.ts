/**
 * A process holds no more after an hour's work than after a minute's, and exits when it has nothing to do.
 *
 * @module-tag thorough
 */

import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { forkScript } from '../../support/programs.ts';
import { serve } from '../../support/serve.ts';
import { size } from '../../support/size.ts';
import { soakService } from './service.ts';
import type { TrafficReport, TrafficTask } from './traffic.ts';

/** In the long form, 20 calls per second for an hour. */
const mixedCalls = size === 'long' ? 72_000 : 9_000;
const abortedCalls = size === 'long' ? 100_000 : 5_000;
const failingCalls = 50_000;
/** The first two rounds fill caches and compile code, so the others are compared with the second. */
const rounds = 5;
/** Less than one listener or timer per call would take, even in the short form. */
const mayGrow = 512 * 1024;
const patience = 290_000;

async function run(task: Pick<TrafficTask, 'kind' | 'calls'>): Promise<TrafficReport> {
  // Many closed connections to one address would exhaust its ports for a minute.
  const servers = await Promise.all([1, 2, 3, 4].map(() => serve(soakService())));
  for (const { close } of servers) onTestFinished(close);
  const baseUrls = servers.map(({ url }) => url);
  const whole: TrafficTask = { ...task, baseUrls, rounds };
  const child = forkScript(new URL('./traffic.ts', import.meta.url), whole, ['--expose-gc']);
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const [report]: [TrafficReport] = await Promise.race([
    once(child, 'message') as Promise<[TrafficReport]>,
    ended.then(([code, signal]) => Promise.reject(new Error(`the process ended early: ${code ?? signal}`))),
  ]);
  // Nothing stops it: an open resource would keep it alive.
  expect(await ended).toEqual([0, null]);
  return report;
}

function expectBaseline({ measurements, warnings }: TrafficReport): void {
  expect(warnings).toEqual([]);
  for (const { timers, resources, listeners } of measurements) {
    expect({ timers, resources, listeners }).toEqual({ timers: 0, resources: {}, listeners: 0 });
  }
  const [, warm = 0, ...others] = measurements.map(({ heap }) => heap);
  // One round may include newly compiled code, up to a megabyte; a leak of calls shows in every round.
  expect(Math.min(...others.slice(-2)) - warm).toBeLessThan(mayGrow);
}

function tell(what: string, calls: number, { measurements, endings }: TrafficReport): void {
  const heaps = measurements.map(({ heap }) => `${(heap / 1024).toFixed(0)} KB`).join(', ');
  const ends = Object.entries(endings)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
  process.stdout.write(`soak, ${calls} ${what}: ${ends}; heap after each round: ${heaps}\n`);
}

it(`${mixedCalls} calls of every kind leave nothing behind`, { timeout: patience }, async () => {
  const report = await run({ kind: 'mixed', calls: mixedCalls / rounds });
  tell('calls', mixedCalls, report);
  expectBaseline(report);
  expect(Object.keys(report.endings).sort()).toEqual([
    'ConnectionError',
    'InvalidRequestError',
    'PaymentDeclinedError',
    'TimeoutError',
    'ok',
  ]);
});

it(`${abortedCalls} calls that are given up leave nothing behind`, { timeout: patience }, async () => {
  const report = await run({ kind: 'aborted', calls: abortedCalls / rounds });
  tell('aborted calls', abortedCalls, report);
  expectBaseline(report);
  expect(report.endings).toEqual({ RequestAbortedError: abortedCalls });
});

it(`${failingCalls} calls of an outage leave nothing behind`, { timeout: patience }, async () => {
  const report = await run({ kind: 'failing', calls: failingCalls / rounds });
  tell('calls of an outage', failingCalls, report);
  expectBaseline(report);
  expect(Object.keys(report.endings).sort()).toEqual([
    'ConnectionError',
    'ServerError',
    'TimeoutError',
    'ok',
  ]);
});
