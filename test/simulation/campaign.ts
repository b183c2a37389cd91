import { createSandbox } from 'payments-client-sandbox';
import { type EpisodeOptions, type EpisodeResult, runEpisode } from './episode.ts';
import { Seats, type System } from './system.ts';

/** The operations per episode: few enough for a readable schedule, enough for them to interfere. */
const operationsOfEpisode = 10;

/** One episode in this many uses the sandbox as its service, and one uses a file as its store. */
const specialEvery = 50;

/** What to simulate. */
export interface CampaignOptions {
  readonly system: System;
  /** The seed of the first episode; each further episode adds 1. */
  readonly seed: number;
  /** The number of operations in all episodes. */
  readonly operations: number;
}

/** A failed episode with a shortened schedule. */
export interface Failure {
  readonly seed: number;
  readonly violation: string;
  readonly schedule: readonly string[];
}

/** The result of a campaign. */
export interface CampaignResult {
  /** How many operations were started. */
  readonly operations: number;
  readonly faults: number;
  readonly failure: Failure | undefined;
}

/** Removes the random back-off and the stack traces, which are slow and unused here. */
async function withoutSlowParts<T>(work: () => Promise<T>): Promise<T> {
  const { random } = Math;
  const { stackTraceLimit } = Error;
  Math.random = () => 0;
  Error.stackTraceLimit = 0;
  try {
    return await work();
  } finally {
    Math.random = random;
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Returns the episode of a seed. */
function episodeOf(seed: number): EpisodeOptions {
  const place = seed % specialEvery;
  return { seed, operations: operationsOfEpisode, inSandbox: place === 0, inFile: place === 1 };
}

/** Runs episodes until one violates an invariant. */
export function runCampaign({ system, seed, operations }: CampaignOptions): Promise<CampaignResult> {
  return withoutSlowParts(async () => {
    let faults = 0;
    let done = 0;
    let seats = new Seats(system, newSandbox());
    for (let next = seed; done < operations; next += 1) {
      const episode = episodeOf(next);
      // The sandbox keeps its history, so it is replaced from time to time.
      if (next % (100 * specialEvery) === 0) seats = new Seats(system, newSandbox());
      const result = await runEpisode(seats, episode);
      done += operationsOfEpisode;
      faults += result.faults;
      if (result.violation !== undefined) {
        return { operations: done, faults, failure: await shorten(system, episode, result) };
      }
    }
    return { operations: done, faults, failure: undefined };
  });
}

const keys = { secretKey: 'sk_v1_test_simulation', securityKey: 'simulation-key' };

function newSandbox() {
  return createSandbox({ ...keys, startsAt: 0 });
}

/** Removes operations and faults while the episode still fails, until each remaining one is needed. */
async function shorten(system: System, episode: EpisodeOptions, found: EpisodeResult): Promise<Failure> {
  const run = (leftOut: ReadonlySet<string>, log?: (line: string) => void) =>
    runEpisode(new Seats(system, newSandbox()), { ...episode, leftOut, ...(log && { log: log }) });
  let leftOut = new Set<string>();
  let shortest = found;
  for (let isShorter = true; isShorter; ) {
    isShorter = false;
    for (const name of shortest.parts) {
      if (leftOut.has(name)) continue;
      const without = new Set([...leftOut, name]);
      const result = await run(without);
      if (result.violation === undefined) continue;
      leftOut = without;
      shortest = result;
      isShorter = true;
    }
  }
  const schedule: string[] = [];
  const { violation = '' } = await run(leftOut, (line) => schedule.push(line));
  return { seed: episode.seed, violation, schedule };
}

/** Describes a failure, and how to reproduce it. */
export function describeFailure({ seed, violation, schedule }: Failure): string {
  return [
    `Seed ${seed}: ${violation}. The shortest schedule found:`,
    ...schedule.map((line) => `  ${line}`),
    `Reproduce it with: npx node --import ./test/support/source-hook.ts test/simulation/run.ts --seed ${seed} --operations 10`,
  ].join('\n');
}
