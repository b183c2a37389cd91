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
  /** The first has number 1. */
  readonly number: number;
  readonly sandbox: Sandbox;
  readonly store: StoreAddress;
  readonly size: Size;
  /** How long after the present it is, in ms. */
  readonly later: number;
  /** Whether the network does harm, and processes are killed. */
  readonly isHarmed: boolean;
  /** Whether all processes are killed now, given how many orders were sent. Default: they work to their end. */
  readonly stopWhen?: (sent: number) => boolean;
}

/** What came of it. */
export interface Evening {
  readonly entries: readonly Entry[];
  /** The requests of each order, where the network does harm. */
  readonly sent: ReadonlyMap<string, number>;
  /** How many faults there were. */
  readonly faults: number;
  /** How many processes were killed, and how many calls were under way in them. */
  readonly kills: number;
  readonly inFlight: number;
}

const killsOfDay = bySize({ short: 1, all: 3, long: 8 });

/** After how many results processes are killed. The first day has about as many results as there are orders. */
function drawKills({ operations, sales }: Size, day: number): readonly number[] {
  const draw = drawsOf(seed, day);
  return Array.from({ length: killsOfDay }, () => draw(operations + sales)).sort((one, other) => one - other);
}

/** The id of an order: the end of the key, or a field of the form. */
function orderOf(key: unknown, body: Buffer): string {
  if (typeof key === 'string') return key.slice(key.lastIndexOf(':') + 1);
  return new URLSearchParams(body.toString()).get('orderid') ?? '';
}

async function startHarm({ sandbox, number, size: { operations, sales } }: Day): Promise<ChaosProxy> {
  const proxy = await startChaosProxy({
    // Else a request that is sent again on another day meets the same fault.
    ...{ target: sandbox.url, seed: seed + number, outageEvery: Math.ceil((operations + sales) / 3) },
    nameOf: ({ headers }, body) => orderOf(headers['idempotency-key'], body),
  });
  onTestFinished(() => proxy.close());
  return proxy;
}

async function tasksOf({ sandbox, store, size, later, isHarmed }: Day, baseUrl: string) {
  const { secretKey, securityKey } = sandbox;
  const folder = await mkdtemp(path.join(tmpdir(), 'crash-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return Array.from(
    { length: workerCount },
    (_, worker): CrashTask => ({
      ...{ worker, ...size, store, later, isHarmed, baseUrl, secretKey, securityKey },
      // Without harm nothing may end before its answer, however slow the machine is.
      timeout: isHarmed ? callerTimeout : 60_000,
      journal: path.join(folder, `${worker}.jsonl`),
    }),
  );
}

/** Has four processes work, of which some are killed and started again. */
export async function runDay(day: Day): Promise<Evening> {
  const { sandbox, size, number, isHarmed, stopWhen = () => false } = day;
  const proxy = isHarmed ? await startHarm(day) : undefined;
  const sent = proxy?.arrivals ?? new Map<string, number>();
  const tasks = await tasksOf(day, proxy?.url ?? sandbox.url);
  const kills = isHarmed ? drawKills(size, number) : [];
  const ended = await runCrew({
    ...{ script: new URL('./worker.ts', import.meta.url), tasks },
    killAt: (killed) => kills[killed] ?? Number.POSITIVE_INFINITY,
    stopWhen: () => stopWhen(sent.size),
  });
  const faults = [...(proxy?.faults.values() ?? [])].reduce((sum, times) => sum + times, 0);
  return { ...ended, sent, faults, entries: tasks.flatMap(({ journal }) => readJournal(journal)) };
}
