import { createSandbox } from 'payments-client/sandbox';
import { type EpisodeOptions, type EpisodeResult, runEpisode } from './episode.ts';
import { Seats, type System } from './system.ts';

/** How many operations an episode has: few enough for a schedule that a person can read, enough to get in each other's way. */
const operationsOfEpisode = 10;

/** Of so many episodes one has the sandbox for its service, and one a file for its store. */
const specialEvery = 50;

/** What to simulate. */
export interface CampaignOptions {
  readonly system: System;
  /** The seed of the first episode; each further one adds a number. */
  readonly seed: number;
  /** How many operations there are in all episodes together. */
  readonly operations: number;
}

/** A failed episode, shortened. */
export interface Failure {
  readonly seed: number;
  readonly violation: string;
  readonly schedule: readonly string[];
}

/** How a campaign went. */
export interface CampaignResult {
  /** How many operations were begun. */
  readonly operations: number;
  readonly faults: number;
  readonly failure: Failure | undefined;
}

/** Retries wait a random time of the machine's; here they wait none. Nobody reads the stacks of the errors, which take long to make. */
async function inHaste<T>(work: () => Promise<T>): Promise<T> {
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

/** The episode of a seed. */
function episodeOf(seed: number): EpisodeOptions {
  const place = seed % specialEvery;
  return { seed, operations: operationsOfEpisode, inSandbox: place === 0, inFile: place === 1 };
}

/** Runs one episode after the other, until one violates an invariant. */
export function runCampaign({ system, seed, operations }: CampaignOptions): Promise<CampaignResult> {
  return inHaste(async () => {
    let faults = 0;
    let done = 0;
    let seats = new Seats(system, newSandbox());
    for (let next = seed; done < operations; next += 1) {
      const episode = episodeOf(next);
      // The sandbox keeps what it has done, so now and then another one takes its place.
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

/** Leaves operations and faults out while the episode still fails, until each that is left is needed. */
async function shorten(system: System, episode: EpisodeOptions, found: EpisodeResult): Promise<Failure> {
  const run = (leftOut: ReadonlySet<string>, tell?: (line: string) => void) =>
    runEpisode(new Seats(system, newSandbox()), { ...episode, leftOut, ...(tell && { tell }) });
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

/** Describes a failure, and how to repeat it. */
export function describeFailure({ seed, violation, schedule }: Failure): string {
  return [
    `Seed ${seed}: ${violation}. The shortest schedule found:`,
    ...schedule.map((line) => `  ${line}`),
    `Repeat it with: npm run test:simulate -- --seed ${seed} --operations 10`,
  ].join('\n');
}
