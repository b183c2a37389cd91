import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { forkScript } from '../../support/programs.ts';
import type { CallsTask } from './task.ts';

const script = new URL('./worker.ts', import.meta.url);

/** The merchant's processes, some of which are killed and restarted while they work. */
export interface CrewPlan {
  readonly tasks: readonly CallsTask[];
  /** The number of results after which the next process is killed, by the number of earlier kills. */
  readonly killAt: (kills: number) => number;
  /** Whether to kill all processes now without a restart. Default: they finish their work. */
  readonly stopWhen?: () => boolean;
}

/** A process's progress report: its results, and its calls in progress. */
export interface Progress {
  readonly results: number;
  readonly inFlight: number;
}

/** Runs all processes to their end, and returns how many were killed, with how many calls in progress. */
export async function runCrew({
  tasks,
  killAt,
  stopWhen = () => false,
}: CrewPlan): Promise<{ kills: number; inFlight: number }> {
  const progress = new Map<number, Progress>();
  const running = new Map<number, ChildProcess>();
  let reached = 0;
  let kills = 0;
  let inFlight = 0;
  let isOver = false;

  function kill(worker: number): void {
    kills += 1;
    inFlight += busy(worker);
    running.get(worker)?.kill('SIGKILL');
    running.delete(worker);
  }

  function killBusiest(): void {
    const [worker] = [...running.keys()].sort((a, b) => busy(b) - busy(a));
    if (worker !== undefined && busy(worker) > 0) kill(worker);
  }

  function stop(): void {
    isOver = true;
    for (const worker of running.keys()) kill(worker);
  }

  const busy = (worker: number) => progress.get(worker)?.inFlight ?? 0;

  function note(worker: number, news: Progress): void {
    progress.set(worker, news);
    reached += news.results;
    if (stopWhen()) stop();
    else if (reached >= killAt(kills)) killBusiest();
  }

  async function runOne(task: CallsTask): Promise<void> {
    for (;;) {
      const child = forkScript(script, task);
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
