/**
 * The short form of `npm run bench` for CI. Fails if a POST or a list needs a quarter more CPU time than recorded here. It compares
 * with stripe-node's CPU time, not with the clock, and tries again before it fails, so that a busy machine does not fail it.
 */

import { linkBuild } from './build.ts';
import { type Race, run } from './race.ts';
import { median, ratios } from './row.ts';
import { creating, listing } from './rows/calls.ts';

/**
 * Our CPU time divided by stripe-node's. To renew these figures after a change that is meant, run `npx node test/bench/check.ts` on a quiet
 * machine a few times, and copy the ratios that it prints.
 */
const recorded = { create: 0.95, list: 1.2 };
const slack = 1.25;

const races: Readonly<Record<keyof typeof recorded, Race>> = {
  create: { ...creating, turn: { count: 2_000, inFlight: 32 }, warmUp: 10_000, rounds: 11 },
  list: { ...listing, turn: { count: 4, inFlight: 1 }, warmUp: 30, rounds: 11 },
};

async function measure(race: Race): Promise<number> {
  const { ours, theirs } = await run(race);
  const cpu = (took: typeof ours) => took.map(({ cpuSeconds }) => cpuSeconds);
  return median(ratios(cpu(ours), cpu(theirs)));
}

/** Returns whether the CPU time is within its limit. */
async function isWithinLimit(name: keyof typeof recorded): Promise<boolean> {
  const limit = recorded[name] * slack;
  const ratio = await measure(races[name]);
  console.log(
    `${name}: ${ratio.toFixed(2)} × stripe's CPU time (recorded ${recorded[name]}, limit ${limit.toFixed(2)})`,
  );
  return ratio <= limit;
}

linkBuild();
for (const name of ['create', 'list'] as const) {
  if ((await isWithinLimit(name)) || (await isWithinLimit(name))) continue;
  console.error(`${name} fell behind. Find the cause, or renew the ratio in test/bench/check.ts.`);
  process.exitCode = 1;
}
