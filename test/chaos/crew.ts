import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { forkScript } from '../support/programs.ts';
import type { WorkerTask } from './task.ts';

/** The merchant's processes, some of which are killed and started again while they work. */
export interface CrewPlan {
  /** The script that each runs, beside this file. */
  readonly script: string;
  readonly tasks: readonly WorkerTask[];
  /** After how many results, of all processes together, one is killed. */
  readonly killEvery: number;
}

/** What a process tells its parent: how many results it has, and how many calls are under way. */
export interface Progress {
  readonly results: number;
  readonly inFlight: number;
}

/** Runs all processes to their end, and says how many were killed, and with how many calls under way. */
export async function runCrew({
  script,
  tasks,
  killEvery,
}: CrewPlan): Promise<{ kills: number; inFlight: number }> {
  const progress = new Map<number, Progress>();
  const running = new Map<number, ChildProcess>();
  let reached = 0;
  let kills = 0;
  let inFlight = 0;
  let nextKill = killEvery;
  let isOver = false;

  function killBusiest(): void {
    const [worker] = [...running.keys()].sort((a, b) => busy(b) - busy(a));
    if (worker === undefined || busy(worker) === 0) return;
    nextKill += killEvery;
    kills += 1;
    inFlight += busy(worker);
    running.get(worker)?.kill('SIGKILL');
    running.delete(worker);
  }

  const busy = (worker: number) => progress.get(worker)?.inFlight ?? 0;

  function note(worker: number, news: Progress): void {
    progress.set(worker, news);
    reached += news.results;
    if (reached >= nextKill) killBusiest();
  }

  async function runOne(task: WorkerTask): Promise<void> {
    for (;;) {
      const child = forkScript(new URL(script, import.meta.url), task);
      running.set(task.worker, child);
      child.on('message', (news: Progress) => note(task.worker, news));
      const [code, signal] = await once(child, 'exit');
      running.delete(task.worker);
      progress.delete(task.worker);
      if (code === 0 || isOver) return;
      if (signal !== 'SIGKILL') throw new Error(`a worker ended with ${code ?? signal}`);
    }
  }

  const runs = tasks.map(runOne);
  try {
    await Promise.all(runs);
  } finally {
    isOver = true;
    for (const child of running.values()) child.kill('SIGKILL');
    await Promise.allSettled(runs);
  }
  return { kills, inFlight };
}
