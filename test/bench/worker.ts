/** Runs one library in a process of its own, one turn per message. */

import type { Job, JobSettings, Side } from './side.ts';

export type WorkerSettings = Side & JobSettings;

/** What a turn consists of. */
export interface Turn {
  readonly count: number;
  readonly inFlight: number;
}

/** What each call of a turn took. */
export interface Took {
  readonly seconds: number;
  /** Of the processor, in user and system mode. */
  readonly cpuSeconds: number;
}

const { library, job, ...settings }: WorkerSettings = JSON.parse(process.argv[2] ?? '');
const jobs: Partial<Record<string, Job>> = await import(`./sides/${library}.ts`);
const once = await jobs[job]?.(settings);
if (once === undefined) throw new Error(`expected a job of ${library}, got ${job}.`);

async function repeat({ count, inFlight }: Turn): Promise<void> {
  let left = count;
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      await once?.();
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
}

process.on('message', async (turn: Turn) => {
  const cpu = process.cpuUsage();
  const start = performance.now();
  await repeat(turn);
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const took: Took = { seconds: seconds / turn.count, cpuSeconds: (user + system) / 1e6 / turn.count };
  process.send?.(took);
});
process.send?.('ready');

// Nobody is left to measure anything.
process.on('disconnect', () => process.exit());
