import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PaymentsClient } from 'payments-client';
import type { OpenOperation } from 'payments-client/journal';
import type { Sandbox } from 'payments-client-sandbox';
import { onTestFinished } from 'vitest';
import type { Reply } from '../dimensions/network.ts';
import type { Book } from '../facts.ts';
import { refundedIntent } from '../merchants.ts';
import type { CallNote, CallsTask, DayPlan, PlannedOrder, Progress } from './calls.ts';
import { type Noted, readLines } from './notes.ts';
import { ProcessPool, slots } from './pool.ts';
import { callerTimeout, type FaultyService, startService } from './service.ts';
import type { StoreAddress } from './stores.ts';

/** One day, on which the processes work on all orders. */
export interface Day {
  readonly number: number;
  readonly sandbox: Sandbox;
  readonly plan: DayPlan;
  /** The port of the service on every day. Default: a free one. */
  readonly port?: number;
  /** The store of the journal. Default: the processes have no journal. */
  readonly store?: StoreAddress;
  /** How far the day is in the future, and how much leases are shortened, in ms. */
  readonly later: number;
  readonly cut: number;
  /** Whether the network fails and processes are killed. */
  readonly isFaulty: boolean;
  /** Decides by the number of sent orders whether to kill all processes now. Default: they finish their work. */
  readonly stopWhen?: (sent: number) => boolean;
  readonly onReply?: (order: string, reply: Reply) => void;
}

/** The result of a day. */
export interface DayRecord extends Pick<FaultyService, 'url' | 'port' | 'faults' | 'arrivals'> {
  /** Everything that happened, in order. */
  readonly notes: readonly Noted[];
  /** The orders that each process has ended. */
  readonly ended: readonly string[];
  readonly kills: number;
  readonly cutOff: number;
}

function startServiceOf({ sandbox, plan, port, later: at, isFaulty, onReply = () => {} }: Day) {
  const orders = new Map(plan.orders.map((order) => [order.orderId, order]));
  return startService({
    sandbox,
    port,
    at,
    onReply,
    currencyOf: (order) => orders.get(order)?.money.currency ?? 'usd',
    faultOf: (order, arrival) =>
      isFaulty
        ? orders.get(order)?.faults.find(({ call, nth }) => 2 * (call - 1) + nth === arrival)?.fault
        : undefined,
  });
}

/** Runs four processes, of which some are killed and restarted. */
export async function runDay(day: Day): Promise<DayRecord> {
  const { number, sandbox, plan, store, later, cut, isFaulty, stopWhen = () => false } = day;
  const service = await startServiceOf(day);
  onTestFinished(() => service.close());
  const folder = await mkdtemp(path.join(tmpdir(), 'engine-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const planPath = path.join(folder, 'plan.json');
  await writeFile(planPath, JSON.stringify(plan));
  const notesOf = (slot: number) => path.join(folder, `${slot}.jsonl`);
  const pool = new ProcessPool(
    new URL('./caller-process.ts', import.meta.url),
    ({ slot, name }): CallsTask => ({
      slot,
      name: `day ${number}, ${name}`,
      plan: planPath,
      notes: notesOf(slot),
      ...(store && { store }),
      later,
      cut,
      isFaulty,
      baseUrl: service.url,
      secretKey: sandbox.secretKey,
      securityKey: sandbox.securityKey,
      // Without faults no call may time out, however slow the machine is.
      timeout: isFaulty ? callerTimeout : 600_000,
    }),
  );
  onTestFinished(() => pool.destroy());
  let results = 0;
  let isOver = false;
  const kills = isFaulty ? [...plan.kills] : [];

  const work = async (slot: number) => {
    for (;;) {
      const lifetime = pool.start(slot);
      const { process: child } = lifetime;
      child.on('message', (news: Progress) => {
        lifetime.inFlight = news.inFlight;
        results += news.results;
        if (stopWhen(service.arrivals.size)) {
          isOver = true;
          for (const running of pool.running.values()) pool.kill(running);
        } else if (results >= (kills[0] ?? Number.POSITIVE_INFINITY)) {
          kills.shift();
          pool.killBusiest();
        }
      });
      const [code, signal] = await once(child, 'exit');
      if (code === 0 || isOver) {
        pool.running.delete(slot);
        return;
      }
      if (!lifetime.isKilled) throw new Error(`a process ended with ${code ?? signal}`);
    }
  };
  await Promise.all(slots.map(work));
  await service.close();
  const lines = slots.flatMap((slot) => readLines<CallNote>(notesOf(slot)));
  const facts = lines.flatMap((line) => ('fact' in line ? line : []));
  const ends = lines.flatMap((line) => (line.what === 'over' && line.isEnd ? line.of : []));
  const ended = [...Map.groupBy(ends, (of) => of)].filter(([, own]) => own.length === slots.length);
  return {
    ...service,
    notes: [...service.notes, ...facts].sort((one, other) => one.at - other.at),
    ended: ended.map(([of]) => of),
    kills: pool.kills,
    cutOff: pool.cutOff,
  };
}

/** Pays the intents that the refunds need: several times the refund, so the service would accept a second one. */
export function payIntents(sandbox: Sandbox, orders: readonly PlannedOrder[]): void {
  for (const { orderId, money } of orders.filter(({ kind }) => kind === 'refund')) {
    const currency = money.currency.toUpperCase();
    const intent = { id: refundedIntent(orderId), amount: 1_000_000, currency };
    sandbox.pay(sandbox.add('payment_intent', intent).id);
  }
}

/** The service two days later, without its idempotency keys. */
export async function twoDaysLater(sandbox: Sandbox): Promise<Sandbox> {
  const later = sandbox.fork();
  const { version, state } = later.snapshot();
  const { reply, ...objects } = Object(state).objects;
  if (reply === undefined) throw new Error('The service has no idempotency keys to forget.');
  later.restore({ version, state: { ...Object(state), objects } });
  await later.clock.advance('2 days');
  return later;
}

/** Open operations by the ids of their orders. */
export type Open = ReadonlyMap<string, OpenOperation>;

/** Returns the open operations of the journal. */
export async function openOf(payments: PaymentsClient): Promise<Open> {
  const all = new Map<string, OpenOperation>();
  for await (const operation of payments.journal.open()) all.set(operation.operationId, operation);
  return all;
}

/**
 * Writes the days of a test into its books. Nobody sees the store of running processes: an operation counts as running when it
 * is sent, and as done or open when the journal says so between two days.
 */
export class DayBooks {
  readonly #book: Book;
  #at = 0;

  constructor(book: Book) {
    this.#book = book;
  }

  day({ notes }: DayRecord, at: number): void {
    this.#at = at;
    for (const { what, fact } of notes) {
      if (what === 'sent' && !this.#last(fact.of)?.isCompleted) this.#record(fact.of, 'running', false);
      this.#book.note(what, fact);
    }
  }

  /** What the journal has between two days: results are closed, and all others that were sent are open. */
  records(open: Open): void {
    for (const of of this.#book.expected.orders.keys()) {
      if (this.#book.about('returned', of).length > 0) this.#record(of, 'done', true);
      const operation = open.get(of);
      if (operation === undefined) continue;
      this.#record(of, 'unknown', false);
      this.#book.note('asked', { of, lookUp: operation.lookUp, isNeedless: false });
    }
  }

  /** A person closed an operation. */
  settled(of: string, isBooked: boolean): void {
    // A declined sale has an end too.
    const end = this.#book.expected.orders.get(of)?.kind === 'declined sale' ? 'done' : 'settled';
    this.#record(of, isBooked ? end : 'refused', isBooked);
  }

  #last(of: string) {
    return this.#book.about('recorded', of).at(-1);
  }

  #record(of: string, state: string, isCompleted: boolean): void {
    if (!this.#book.expected.hasJournal || this.#last(of)?.state === state) return;
    this.#book.note('recorded', { of, state, isCompleted, isNamed: true, at: this.#at });
  }
}
