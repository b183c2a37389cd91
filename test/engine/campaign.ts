import fc from 'fast-check';
import type { Violation } from './facts.ts';
import { type Plan, plans } from './plan.ts';
import { Seats, type System } from './virtual/seat.ts';
import { type EpisodeResult, runEpisode } from './virtual/world.ts';

/** What to run. */
export interface CampaignOptions {
  readonly system: System;
  readonly seed: number;
  /** About how many operations to run, in all episodes. */
  readonly operations: number;
  /** The path of a failure that fast-check printed: runs that episode alone. */
  readonly path?: string | undefined;
  /** Whether to make a failing plan as small as possible. Default: true. */
  readonly shrinks?: boolean;
  readonly onEpisode?: (plan: Plan, result: EpisodeResult) => void;
}

/** A violated promise, and the smallest plan that was found. */
export interface Failure extends Violation {
  readonly seed: number;
  readonly path: string;
  readonly plan: Plan;
  readonly schedule: readonly string[];
}

/** The result of a campaign. */
export interface CampaignResult {
  /** How many operations were started until the first failure, and how many faults occurred. */
  readonly operations: number;
  readonly faults: ReadonlyMap<string, number>;
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

/** How many operations an episode has on average. */
const operationsOfEpisode = 5;

/** Runs episodes until a promise does not hold. fast-check draws them, shrinks the failing one, and repeats it by its path. */
export function runCampaign(options: CampaignOptions): Promise<CampaignResult> {
  const { system, seed, operations: wanted, path, shrinks = true, onEpisode } = options;
  const seats = new Seats(system);
  const faults = new Map<string, number>();
  let operations = 0;
  let hasFailed = false;
  const property = fc.asyncProperty(plans, async (plan) => {
    const result = await runEpisode(seats, plan);
    onEpisode?.(plan, result);
    if (!hasFailed) {
      operations += plan.operations.length;
      for (const fault of result.faults) faults.set(fault, (faults.get(fault) ?? 0) + 1);
    }
    if (result.violation === undefined) return;
    hasFailed = true;
    throw new Error(result.violation.why);
  });
  return withoutSlowParts(async () => {
    const found = await fc.check(property, {
      seed,
      ...(path !== undefined && { path }),
      numRuns: Math.ceil(wanted / operationsOfEpisode),
      endOnFailure: !shrinks,
    });
    const [plan] = found.counterexample ?? [];
    if (plan === undefined || found.counterexamplePath === null)
      return { operations, faults, failure: undefined };
    const schedule: string[] = [];
    const { violation } = await runEpisode(new Seats(system), plan, (line) => schedule.push(line));
    if (violation === undefined)
      throw new Error('The engine is not deterministic: a failing episode passes when it runs again.');
    return {
      operations,
      faults,
      failure: { ...violation, seed, path: found.counterexamplePath, plan, schedule },
    };
  });
}

/** Describes a failure, and how to repeat it. */
export function describeFailure({ promise, why, seed, path, plan, schedule }: Failure): string {
  return [
    `The promise '${promise}' does not hold: ${why}`,
    ...schedule.map((line) => `  ${line}`),
    `The plan: ${fc.stringify(plan)}`,
    `Repeat it with: npx node --import ./test/support/source-hook.ts test/engine/run.ts --seed ${seed} --path ${path}`,
  ].join('\n');
}
