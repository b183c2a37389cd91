/** The processes of a merchant, and the service that delivers to them. */

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { Webhooks } from 'payments-client/webhooks';
import { eventOf, secret } from '../../support/deliveries.ts';
import type { PostgresServer } from '../../support/postgres-server.ts';
import { forkScript } from '../../support/programs.ts';
import type { Engine, QueuePlace } from '../../support/queues.ts';

/** How a merchant handles an event, and where its record is. */
export interface Mode {
  readonly handling: 'inline' | 'completeIn' | 'transaction';
  readonly store: 'redis' | 'postgres';
  /** The engine between the endpoint and the handler. Default: none. */
  readonly engine?: Engine;
}

/** The task of a process of the merchant. */
export interface MachineTask {
  readonly mode: Mode;
  /** The name of the queue, the consumer and the table of effects. */
  readonly name: string;
  readonly place: QueuePlace;
  /** The database of the store and the effects: that of the place, or pgbouncer before it. */
  readonly database: PostgresServer['connection'];
  /** In ms. */
  readonly lease: number;
}

/** A process of the merchant that is started again whenever it ends, as a platform does. */
export class Machine {
  /** Where it listens; `undefined` while it starts. */
  url: string | undefined;
  readonly #task: MachineTask;
  readonly #nodeOptions: readonly string[];
  #child: ChildProcess | undefined;
  #isOver = false;

  /** @param clockShift How wrong its clock is, in ms. */
  constructor(task: MachineTask, clockShift: number) {
    this.#task = task;
    const clock = `const Real = Date; const now = () => Real.now() + ${clockShift};
      globalThis.Date = class extends Real {
        constructor(...given) { if (given.length === 0) super(now()); else super(...given); }
        static now() { return now(); }
      };`;
    this.#nodeOptions =
      clockShift === 0 ? [] : ['--import', `data:text/javascript,${encodeURIComponent(clock)}`];
  }

  /** Starts it, and resolves when it listens; after an early end, when its successor does. */
  async start(): Promise<void> {
    const child = forkScript(new URL('./machine.ts', import.meta.url), this.#task, this.#nodeOptions);
    this.#child = child;
    const exit = once(child, 'exit');
    const [address] = await Promise.race([once(child, 'message'), exit.then(() => [])]);
    const startAgain = async () => {
      this.url = undefined;
      if (!this.#isOver) await this.start();
    };
    const gone = exit.then(startAgain);
    if (address?.port === undefined) await gone;
    else this.url = `http://127.0.0.1:${address.port}/`;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Lets it finish what it does, and waits until it is gone. */
  async end(): Promise<void> {
    this.#isOver = true;
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.send('end');
    await exit;
  }

  /** Kills it at once and for good. */
  destroy(): void {
    this.#isOver = true;
    this.signal('SIGKILL');
  }
}

const webhooks = new Webhooks({ secret });
/** How many deliveries are on their way at once. */
export const inFlight = 16;
/** How long the service waits for a response, and before it delivers again, in ms. */
const patience = 1000;
const backOff = 25;
const maxRepeats = 50_000;

/** Delivers once. Returns whether the response was a 2xx. */
async function deliver(url: string, id: string): Promise<boolean> {
  const body = JSON.stringify(eventOf('refund.failed', { id }));
  const headers = { 'content-type': 'application/json', ...(await webhooks.sign(body)) };
  try {
    const signal = AbortSignal.timeout(patience);
    const response = await fetch(url, { method: 'POST', body, headers, signal });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/** The service: delivers each event until it gets a 2xx, each time to another machine. Returns how many deliveries it repeated. */
export async function deliverAll(ids: readonly string[], machines: readonly Machine[]): Promise<number> {
  const queue = ids.map((id, index) => ({ id, next: index }));
  let repeats = 0;
  const lane = async () => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      const url = machines[one.next % machines.length]?.url;
      if (url !== undefined && (await deliver(url, one.id))) continue;
      repeats += 1;
      if (repeats > maxRepeats) throw new Error(`expected each event to be taken, but ${one.id} was not.`);
      queue.unshift({ id: one.id, next: one.next + 1 });
      await wait(backOff);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  return repeats;
}
