/**
 * `npm run test:simulate -- --seed 1 --operations 1000000`: the campaign of `simulation.test.ts` at any length, in one process for each
 * processor.
 */

import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type CampaignResult, runCampaign } from './campaign.ts';
import { describeFailure } from './report.ts';
import { asItIs } from './system.ts';

interface Share {
  readonly seed: number;
  readonly operations: number;
}

/** Runs a share in a thread of its own. */
function inThread(share: Share): Promise<CampaignResult> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: share });
    worker.on('message', resolve).on('error', reject);
  });
}

/** Consecutive episodes, about equally many for each thread. */
function sharesOf({ seed, operations }: Share, threads: number): Share[] {
  const each = Math.ceil(operations / threads / 10) * 10;
  return Array.from({ length: threads }, (_, index) => ({
    seed: seed + (index * each) / 10,
    operations: Math.min(each, operations - index * each),
  })).filter((share) => share.operations > 0);
}

async function simulate(share: Share): Promise<void> {
  const startedAt = performance.now();
  const results = await Promise.all(sharesOf(share, availableParallelism()).map(inThread));
  const sum = (of: (result: CampaignResult) => number) =>
    results.reduce((all, result) => all + of(result), 0);
  for (const { failure } of results)
    if (failure !== undefined) process.stderr.write(`${describeFailure(failure)}\n`);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  process.stdout.write(
    `seed ${share.seed}: ${sum((one) => one.operations)} operations, ${sum((one) => one.faults)} faults, ${seconds} s\n`,
  );
  if (results.some(({ failure }) => failure !== undefined)) process.exitCode = 1;
}

if (isMainThread) {
  const { values } = parseArgs({
    options: { seed: { type: 'string', default: '0' }, operations: { type: 'string', default: '1000000' } },
  });
  await simulate({ seed: Number(values.seed), operations: Number(values.operations) });
} else {
  const share: Share = workerData;
  parentPort?.postMessage(await runCampaign({ system: asItIs, ...share }));
}
