import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Sandbox } from 'payments-client/sandbox';
import { onTestFinished } from 'vitest';
import { runCrew } from './crew.ts';
import { type Entry, readJournal } from './journal.ts';
import { workerCount } from './plan.ts';
import { type ChaosProxy, callerTimeout, startChaosProxy } from './proxy.ts';
import type { WorkerTask } from './task.ts';

/** A chaos run: its callers and its size. */
export interface Run {
  readonly sandbox: Sandbox;
  readonly operations: number;
  /** The script of the callers, next to this file. */
  readonly script: string;
  /** Returns the name of a request: the same for each repetition. */
  readonly nameOf: (request: IncomingMessage, body: Buffer) => string;
}

/** The result of a run. */
export interface Aftermath {
  readonly proxy: ChaosProxy;
  readonly entries: readonly Entry[];
  /** How many processes were killed, and how many calls were in progress in them. */
  readonly kills: number;
  readonly inFlight: number;
}

/** Set CHAOS_SEED to use another seed. */
export const seed = Number(process.env['CHAOS_SEED'] ?? 20_261_121) >>> 0;

/** Runs four processes over a proxy that injects faults, and kills and restarts some of them. */
export async function runThroughChaos({ sandbox, operations, script, nameOf }: Run): Promise<Aftermath> {
  const { url: target, secretKey, securityKey } = sandbox;
  const proxy = await startChaosProxy({ target, seed, nameOf, outageEvery: Math.ceil(operations / 5) });
  onTestFinished(() => proxy.close());
  const folder = await mkdtemp(path.join(tmpdir(), 'chaos-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const tasks = Array.from(
    { length: workerCount },
    (_, worker): WorkerTask => ({
      worker,
      operations,
      baseUrl: proxy.url,
      secretKey,
      securityKey,
      timeout: callerTimeout,
      journal: path.join(folder, `${worker}.jsonl`),
    }),
  );
  const killEvery = Math.ceil(operations / 12);
  const { kills, inFlight } = await runCrew({
    script: new URL(script, import.meta.url),
    tasks,
    killAt: (killed) => (killed + 1) * killEvery,
  });
  return { proxy, entries: tasks.flatMap(({ journal }) => readJournal(journal)), kills, inFlight };
}
