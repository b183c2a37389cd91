/**
 * `npx node --import ./test/support/source-hook.ts test/simulation/run.ts --seed 1 --operations 1000000`: the campaign of `simulation.test.ts` at any length, with
 * one thread per processor. With `--planted` it counts the operations that find each planted defect.
 */

import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type CampaignResult, describeFailure, runCampaign } from './campaign.ts';
import { planted } from './planted.ts';
import { unchangedSystem } from './system.ts';

interface Share {
  readonly seed: number;
  readonly operations: number;
}

/** Runs a share in its own thread. */
function inThread(share: Share): Promise<CampaignResult> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: share });
    worker.on('message', resolve).on('error', reject);
  });
}

/** Splits consecutive episodes about equally among the threads. */
function sharesOf({ seed, operations }: Share, threads: number): Share[] {
  const each = Math.ceil(operations / threads / 10) * 10;
  return Array.from({ length: threads }, (_, index) => ({
    seed: seed + (index * each) / 10,
    operations: Math.min(each, operations - index * each),
  })).filter((share) => share.operations > 0);
}

function print(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

async function simulate(share: Share): Promise<void> {
  const startedAt = performance.now();
  const results = await Promise.all(sharesOf(share, availableParallelism()).map(inThread));
  const sum = (of: (result: CampaignResult) => number) =>
    results.reduce((all, result) => all + of(result), 0);
  const failures = results.flatMap(({ failure }) => failure ?? []);
  print(...failures.map(describeFailure));
  const [operations, faults] = [sum((one) => one.operations), sum((one) => one.faults)];
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  print(
    `seed ${share.seed}: ${operations} operations, ${faults} faults, ${failures.length} failures, ${seconds} s`,
  );
  if (failures.length > 0) process.exitCode = 1;
}

/** Prints how many operations it takes to find each planted defect. */
async function findPlanted({ seed }: Share): Promise<void> {
  print('| planted defect | found after | as |', '| --- | --- | --- |');
  for (const system of planted) {
    const { operations, failure } = await runCampaign({ system, seed, operations: 100_000 });
    print(`| ${system.name} | ${operations} operations | ${failure?.violation ?? 'not found'} |`);
    if (failure === undefined) process.exitCode = 1;
  }
}

if (isMainThread) {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '0' },
      operations: { type: 'string', default: '1000000' },
      planted: { type: 'boolean', default: false },
    },
  });
  const share = { seed: Number(values.seed), operations: Number(values.operations) };
  await (values.planted ? findPlanted(share) : simulate(share));
} else {
  const share: Share = workerData;
  parentPort?.postMessage(await runCampaign({ system: unchangedSystem, ...share }));
}
