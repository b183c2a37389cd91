import { createSandbox } from 'payments-client/sandbox';
import { expect, test } from 'vitest';
import { runCampaign } from './campaign.ts';
import { runEpisode } from './episode.ts';
import { describeFailure } from './report.ts';
import { asItIs, Seats } from './system.ts';

test('keeps every promise through 10,000 operations in which everything may fail', async () => {
  const { operations, faults, failure } = await runCampaign({ system: asItIs, seed: 0, operations: 10_000 });
  expect(failure && describeFailure(failure)).toBeUndefined();
  expect(operations).toBe(10_000);
  expect(faults).toBeGreaterThan(1_000);
});

test('repeats a course of events by its seed', async () => {
  const seats = new Seats(asItIs, createSandbox());
  const schedules = await Promise.all(
    [4, 4, 9].map(async (seed) => {
      const lines: string[] = [];
      await runEpisode(seats, { seed, operations: 10, tell: (line) => lines.push(line) });
      return lines;
    }),
  );
  expect(schedules[0]?.length).toBeGreaterThan(50);
  expect(schedules[0]).toEqual(schedules[1]);
  expect(schedules[0]).not.toEqual(schedules[2]);
});
