/**
 * `npx node --import ./test/support/source-hook.ts test/engine/run.ts --seed 1 --operations 1000000`: the campaign of `engine.test.ts` at any
 * length, with one thread per processor. `--path` repeats a failure. `--planted` counts the operations that find each planted defect.
 */

import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type CampaignResult, describeFailure, runCampaign } from './campaign.ts';
import { planted } from './planted.ts';
import { unchangedSystem } from './virtual/seat.ts';

interface Share {
  readonly seed: number;
  readonly operations: number;
  readonly path?: string | undefined;
}

/** Runs a share in its own thread. */
function inThread(share: Share): Promise<CampaignResult> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: share });
    worker.on('message', resolve).on('error', reject);
  });
}

/** Splits the operations among the threads, each with a seed of its own. */
function sharesOf({ seed, operations, path }: Share): Share[] {
  const threads = path === undefined ? availableParallelism() : 1;
  const each = Math.ceil(operations / threads);
  return Array.from({ length: threads }, (_, index) => ({ seed: seed + index, operations: each, path }));
}

function print(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

async function simulate(share: Share): Promise<void> {
  const results = await Promise.all(sharesOf(share).map(inThread));
  const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0);
  const failures = results.flatMap(({ failure }) => failure ?? []);
  print(...failures.map(describeFailure));
  const operations = sum(results.map((one) => one.operations));
  const faults = sum(results.flatMap((one) => [...one.faults.values()]));
  const kinds = new Set(results.flatMap((one) => [...one.faults.keys()])).size;
  const seconds = Math.round(process.cpuUsage().user / 1e6);
  print(
    `seed ${share.seed}: ${operations} operations, ${faults} faults of ${kinds} kinds, ${failures.length} failures, ${seconds} s of processor time`,
  );
  if (failures.length > 0) process.exitCode = 1;
}

/** Prints how many operations it takes to find each planted defect. */
async function findPlanted({ seed }: Share): Promise<void> {
  print('| planted defect | found after | by the promise |', '| --- | --- | --- |');
  for (const system of planted) {
    const { operations, failure } = await runCampaign({
      system,
      seed: system.seed ?? seed,
      operations: 100_000,
      shrinks: false,
    });
    const by = failure?.promise ?? 'not found';
    const isRight = by === system.breaks;
    print(
      `| ${system.name} | ${operations} operations | ${by}${isRight ? '' : ` instead of ${system.breaks}`} |`,
    );
    if (!isRight) process.exitCode = 1;
  }
}

if (isMainThread) {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '0' },
      operations: { type: 'string', default: '1000000' },
      path: { type: 'string' },
      planted: { type: 'boolean', default: false },
    },
  });
  const { seed, operations, path } = values;
  const share = { seed: Number(seed), operations: Number(operations), path };
  await (values.planted ? findPlanted(share) : simulate(share));
} else {
  const share: Share = workerData;
  parentPort?.postMessage(await runCampaign({ system: unchangedSystem, ...share }));
}
