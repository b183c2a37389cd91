import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Sandbox } from 'payments-client/sandbox';
import { onTestFinished } from 'vitest';
import { runCrew } from '../../chaos/crew.ts';
import { type Entry, readJournal } from '../../chaos/journal.ts';
import { type ChaosProxy, callerTimeout, startChaosProxy } from '../../chaos/proxy.ts';
import { seed } from '../../chaos/run.ts';
import { drawsOf } from '../../support/draws.ts';
import { bySize } from '../../support/size.ts';
import { type Size, workerCount } from './plan.ts';
import type { StoreAddress } from './stores.ts';
import type { CrashTask } from './task.ts';

/** What the processes do on one day. */
export interface Day {
  readonly sandbox: Sandbox;
  readonly store: StoreAddress;
  readonly size: Size;
  /** How many days after the present it is, in ms. */
  readonly later: number;
  /** What lies before the service. Without it connections hold, and no process is killed. */
  readonly proxy?: ChaosProxy | undefined;
  /** Whether all processes are killed now. Default: they work to their end. */
  readonly stopWhen?: (() => boolean) | undefined;
}

/** What came of it. */
export interface Evening {
  readonly entries: readonly Entry[];
  /** How many processes were killed, and how many calls were under way in them. */
  readonly kills: number;
  readonly inFlight: number;
}

const killsOfDay = bySize({ short: 1, all: 3, long: 8 });

/** After how many results processes are killed. The first day has about as many results as there are orders. */
function drawKills({ operations, sales }: Size, number: number): readonly number[] {
  const draw = drawsOf(seed, number);
  return Array.from({ length: killsOfDay }, () => draw(operations + sales)).sort((one, other) => one - other);
}

/** The id of an order: the end of the key, or a field of the form. */
function orderOf(key: unknown, body: Buffer): string {
  if (typeof key === 'string') return key.slice(key.lastIndexOf(':') + 1);
  return new URLSearchParams(body.toString()).get('orderid') ?? '';
}

/** Starts a proxy that does harm. It names requests by their orders. */
export async function startHarm(
  sandbox: Sandbox,
  { operations, sales }: Size,
  day: number,
): Promise<ChaosProxy> {
  const proxy = await startChaosProxy({
    ...{ target: sandbox.url, seed: seed + day, outageEvery: Math.ceil((operations + sales) / 3) },
    nameOf: ({ headers }, body) => orderOf(headers['idempotency-key'], body),
  });
  onTestFinished(() => proxy.close());
  return proxy;
}

/** Has four processes work, of which some are killed and started again. */
export async function runDay({ sandbox, store, size, later, proxy, stopWhen }: Day): Promise<Evening> {
  const { url, secretKey, securityKey } = sandbox;
  const folder = await mkdtemp(path.join(tmpdir(), 'crash-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const tasks = Array.from(
    { length: workerCount },
    (_, worker): CrashTask => ({
      ...{ worker, ...size, store, later, isHarmed: proxy !== undefined },
      ...{ baseUrl: proxy?.url ?? url, secretKey, securityKey },
      // Without harm nothing may end before its answer, however slow the machine is.
      timeout: proxy === undefined ? 60_000 : callerTimeout,
      journal: path.join(folder, `${worker}.jsonl`),
    }),
  );
  const kills = proxy === undefined ? [] : drawKills(size, later);
  const ended = await runCrew({
    ...{ script: new URL('./worker.ts', import.meta.url), tasks, stopWhen },
    killAt: (killed) => kills[killed] ?? Number.POSITIVE_INFINITY,
  });
  return { ...ended, entries: tasks.flatMap(({ journal }) => readJournal(journal)) };
}
