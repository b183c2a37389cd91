import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Sandbox } from 'payments-client-sandbox';
import { onTestFinished } from 'vitest';
import { drawsOf } from '../../support/draws.ts';
import { bySize } from '../../support/size.ts';
import { readLines } from '../lines.ts';
import type { Front } from '../network/front.ts';
import { type ChaosProxy, callerTimeout, startChaosProxy } from '../network/proxy.ts';
import { seed } from '../report.ts';
import { runCrew } from './crew.ts';
import type { Note } from './notes.ts';
import { type Size, workerCount } from './plan.ts';
import type { StoreAddress } from './stores.ts';
import type { CallsTask } from './task.ts';

/** One day, on which the processes work on all orders. */
export interface Day {
  /** The day's number, from which its faults are drawn. */
  readonly number: number;
  readonly sandbox: Sandbox;
  /** The address of the service on every day. Default: its own, or that of the proxy before it. */
  readonly front?: Front;
  /** The store of the journal. Default: the processes have no journal. */
  readonly store?: StoreAddress;
  readonly size: Size;
  /** How far the day is in the future, in ms. */
  readonly later: number;
  /** Whether the network fails and processes are killed. */
  readonly isFaulty: boolean;
  /** Decides by the number of sent orders whether to kill all processes now. Default: they finish their work. */
  readonly stopWhen?: (sent: number) => boolean;
}

/** The result of a day. */
export interface DayRecord {
  readonly notes: readonly Note[];
  /** The requests of each order, if the network fails. */
  readonly sent: ReadonlyMap<string, number>;
  /** How often each fault hit a request. */
  readonly faults: Readonly<Record<string, number>>;
  /** How many processes were killed, and how many calls were in progress in them. */
  readonly kills: number;
  readonly inFlight: number;
}

const killsPerDay = bySize({ short: 1, all: 3, long: 8 });

/** Draws the result counts after which processes are killed. The first day has about as many results as orders. */
function drawKills({ operations, sales }: Size, day: number): readonly number[] {
  const draw = drawsOf(seed, day);
  return Array.from({ length: killsPerDay }, () => draw(operations + sales)).sort(
    (one, other) => one - other,
  );
}

/** Returns the id of an order: the end of the key, or a field of the form. */
function orderOf(key: unknown, body: Buffer): string {
  if (typeof key === 'string') return key.slice(key.lastIndexOf(':') + 1);
  return new URLSearchParams(body.toString()).get('orderid') ?? '';
}

async function startFaultyProxy({ sandbox, number, size: { operations, sales } }: Day): Promise<ChaosProxy> {
  const proxy = await startChaosProxy({
    // Otherwise a request repeated on another day would meet the same fault.
    target: sandbox.url,
    seed: seed + number,
    outageEvery: Math.ceil((operations + sales) / 3),
    nameOf: ({ headers }, body) => orderOf(headers['idempotency-key'], body),
  });
  onTestFinished(() => proxy.close());
  return proxy;
}

async function tasksOf({ sandbox, store, size, later, isFaulty }: Day, baseUrl: string) {
  const { secretKey, securityKey } = sandbox;
  const folder = await mkdtemp(path.join(tmpdir(), 'crash-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return Array.from(
    { length: workerCount },
    (_, worker): CallsTask => ({
      worker,
      ...size,
      ...(store && { store }),
      later,
      isFaulty,
      baseUrl,
      secretKey,
      securityKey,
      // Without faults no call may time out, however slow the machine is.
      timeout: isFaulty ? callerTimeout : 60_000,
      notes: path.join(folder, `${worker}.jsonl`),
    }),
  );
}

/** Runs four processes, of which some are killed and restarted. */
export async function runDay(day: Day): Promise<DayRecord> {
  const { sandbox, front, size, number, isFaulty, stopWhen = () => false } = day;
  const proxy = isFaulty ? await startFaultyProxy(day) : undefined;
  const sent = proxy?.arrivals ?? new Map<string, number>();
  const address = proxy?.url ?? sandbox.url;
  await front?.aimAt(address);
  const tasks = await tasksOf(day, front?.url ?? address);
  const kills = isFaulty ? drawKills(size, number) : [];
  const ended = await runCrew({
    tasks,
    killAt: (killed) => kills[killed] ?? Number.POSITIVE_INFINITY,
    stopWhen: () => stopWhen(sent.size),
  });
  const faults = Object.fromEntries([...(proxy?.faults ?? [])].sort());
  return { ...ended, sent, faults, notes: tasks.flatMap(({ notes }) => readLines<Note>(notes)) };
}
