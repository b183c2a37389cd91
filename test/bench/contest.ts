/** Contenders that take turns, so that a slow moment of the machine meets all alike. */

import type { ContenderName } from './contender.ts';
import { Runner } from './processes.ts';
import type { StorePlace } from './store-places.ts';
import type { Task, Took } from './worker.ts';

export interface Contest {
  readonly names: readonly ContenderName[];
  readonly url: string;
  readonly certificate: string;
  /** Where contenders with a journal keep it. */
  readonly store?: StorePlace;
  readonly task: Task;
  /** How often each has its turn; the first turns, which warm up, do not count. */
  readonly rounds: number;
  readonly warmUp: number;
}

/** What each contender's rounds took. */
export async function hold(contest: Contest): Promise<ReadonlyMap<ContenderName, readonly Took[]>> {
  const { names, url, certificate, store, task, rounds, warmUp } = contest;
  const runners: Runner[] = [];
  // One after the other, since two that make the same table at once can fail.
  for (const name of names) runners.push(await Runner.start(name, url, certificate, store));
  const results = new Map<ContenderName, Took[]>(names.map((name) => [name, []]));
  try {
    for (let round = -warmUp; round < rounds; round += 1) {
      for (const runner of runners) {
        const took = await runner.run(task);
        if (round >= 0) results.get(runner.name)?.push(took);
      }
    }
    return results;
  } finally {
    for (const runner of runners) runner.stop();
  }
}
