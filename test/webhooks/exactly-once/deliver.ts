/** The service: it redelivers events until a receiver acknowledges them. */

import { setTimeout as wait } from 'node:timers/promises';
import { Webhooks } from 'payments-client/webhooks';
import { eventOf } from '../../support/deliveries.ts';
import type { Worker } from './processes.ts';

/** The result of all deliveries. */
export interface Delivered {
  /** Counts deliveries by their final response. */
  readonly outcomes: Map<string, number>;
  /** Counts responses other than 2xx, and broken connections. */
  readonly repeats: Map<string, number>;
  /** How many deliveries were in progress in the killed process. */
  readonly brokenOff: number;
}

/** What to deliver, and when to kill a process. */
export interface Plan {
  readonly secret: string;
  readonly events: number;
  /** How often each event is delivered. */
  readonly copies: number;
  readonly workers: readonly Worker[];
  /** Kills a process after this many responses. */
  readonly killAfter: number;
  kill(victim: Worker): Promise<void>;
}

const concurrency = 64;
/** Shorter than that of the service, but long enough to keep the load of redeliveries low. */
const backOff = 25;
/** Far more redeliveries than the lease of a killed process causes. It limits a receiver that never acknowledges. */
const maxRepeats = 100_000;

/** The same order in every run, so that a failure is reproducible. */
function shuffled<T>(items: T[]): T[] {
  let state = 20_000;
  for (let index = items.length - 1; index > 0; index -= 1) {
    state = (state * 48_271) % 2_147_483_647;
    const other = state % (index + 1);
    [items[index], items[other]] = [items[other] as T, items[index] as T];
  }
  return items;
}

const count = (counts: Map<string, number>, key: string) => void counts.set(key, (counts.get(key) ?? 0) + 1);

/** Delivers everything, and resolves when each delivery got a 2xx. */
export async function deliverAll(plan: Plan): Promise<Delivered> {
  const webhooks = new Webhooks({ secret: plan.secret });
  const queue = shuffled(
    Array.from({ length: plan.events * plan.copies }, (_, index) => index % plan.events),
  );
  const outcomes = new Map<string, number>();
  const repeats = new Map<string, number>();
  const alive = [...plan.workers];
  let acknowledged = 0;
  let sent = 0;
  let repeated = 0;
  let brokenOff: number | undefined;

  async function send(event: number, worker: Worker): Promise<boolean> {
    const body = JSON.stringify(eventOf('refund.failed', { id: `evt_${event}` }));
    const headers = { 'content-type': 'application/json', ...(await webhooks.sign(body)) };
    worker.inFlight += 1;
    try {
      const response = await fetch(worker.url, { method: 'POST', body, headers });
      const { outcome }: { outcome: string } = JSON.parse(await response.text());
      count(response.ok ? outcomes : repeats, outcome);
      return response.ok;
    } catch {
      count(repeats, 'broken connection');
      return false;
    } finally {
      worker.inFlight -= 1;
    }
  }

  async function killOne(): Promise<void> {
    const victim = alive.toSorted((a, b) => b.inFlight - a.inFlight)[0];
    if (victim === undefined) throw new Error('There is no process to kill.');
    brokenOff = victim.inFlight;
    await plan.kill(victim);
    alive.splice(alive.indexOf(victim), 1);
  }

  async function deliver(): Promise<void> {
    for (let event = queue.pop(); event !== undefined; event = queue.pop()) {
      sent += 1;
      const worker = alive[sent % alive.length];
      if (worker === undefined) throw new Error('There is no process left.');
      if (await send(event, worker)) acknowledged += 1;
      else {
        repeated += 1;
        if (repeated > maxRepeats) throw new Error(`The receivers took only ${acknowledged} deliveries.`);
        queue.unshift(event);
        await wait(backOff);
      }
      if (acknowledged >= plan.killAfter && brokenOff === undefined) await killOne();
    }
  }

  await Promise.all(Array.from({ length: concurrency }, deliver));
  return { outcomes, repeats, brokenOff: brokenOff ?? 0 };
}
