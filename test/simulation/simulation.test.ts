import { createSandbox } from 'payments-client-sandbox';
import { expect, test } from 'vitest';
import { bySize } from '../support/size.ts';
import { describeFailure, runCampaign } from './campaign.ts';
import { type EpisodeOptions, runEpisode } from './episode.ts';
import { Seats, unchangedSystem } from './system.ts';

const total = bySize({ short: 300, all: 10_000 });

test(`keeps every promise through ${total} operations with every fault`, async () => {
  const { operations, faults, failure } = await runCampaign({
    system: unchangedSystem,
    seed: 0,
    operations: total,
  });
  expect(failure && describeFailure(failure)).toBeUndefined();
  expect(operations).toBe(total);
  expect(faults).toBeGreaterThan(total / 10);
});

/** Returns the schedules of some episodes, which run concurrently. */
function schedulesOf(episodes: readonly Pick<EpisodeOptions, 'seed' | 'inFile'>[]) {
  const seats = new Seats(unchangedSystem, createSandbox());
  return Promise.all(
    episodes.map(async (episode) => {
      const lines: string[] = [];
      await runEpisode(seats, { ...episode, operations: 10, log: (line) => lines.push(line) });
      return lines;
    }),
  );
}

test('repeats a schedule for the same seed', async () => {
  const schedules = await schedulesOf([{ seed: 4 }, { seed: 4 }, { seed: 9 }]);
  expect(schedules[0]?.length).toBeGreaterThan(50);
  expect(schedules[0]).toEqual(schedules[1]);
  expect(schedules[0]).not.toEqual(schedules[2]);
});

test('has the same schedule with SQLite as in memory', async () => {
  const seeds = [1, 2];
  const inFiles = await schedulesOf(seeds.map((seed) => ({ seed, inFile: true })));
  expect(inFiles).toEqual(await schedulesOf(seeds.map((seed) => ({ seed }))));
});
