/** A process that runs one contender, one round whenever it is told to. */

import type { Connect, ContenderName } from './contender.ts';
import type { StoreKind } from './store-places.ts';

/** What a round consists of. */
export type Task =
  | { readonly kind: 'create'; readonly count: number; readonly inFlight: number }
  | { readonly kind: 'list'; readonly workPerPage: number };

/** What a round took. */
export interface Took {
  readonly seconds: number;
  /** Of the processor, in user and system mode together. */
  readonly cpuSeconds: number;
  /** Payments made, attempts checked, or records read. */
  readonly count: number;
}

const [name, url, kind, address] = process.argv.slice(2) as [ContenderName, string, StoreKind?, string?];
const { connect } = (await import(`./contenders/${name.replace(':', '-')}.ts`)) as { connect: Connect };
const contender = await connect(url, kind && { kind, address: address ?? '' });

async function createMany(count: number, inFlight: number): Promise<number> {
  let left = count;
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      await contender.create();
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  return count;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function readAll(workPerPage: number): Promise<number> {
  let count = 0;
  for await (const _ of contender.list?.() ?? []) {
    count += 1;
    if (workPerPage > 0 && count % 100 === 0) await pause(workPerPage);
  }
  return count;
}

process.on('message', async (task: Task) => {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const count =
    task.kind === 'create' ? await createMany(task.count, task.inFlight) : await readAll(task.workPerPage);
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const took: Took = { seconds, cpuSeconds: (user + system) / 1e6, count };
  process.send?.(took);
});
process.send?.('ready');

// Nobody is left to measure anything.
process.on('disconnect', () => process.exit());
