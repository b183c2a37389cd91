import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type OpenOperation, type PaymentsClient } from 'payments-client';
import type { Sandbox } from 'payments-client-sandbox';
import { onTestFinished } from 'vitest';
import { clientOf } from '../../support/sandbox.ts';
import type { Book } from '../facts.ts';
import { refundedIntent, refundingOrder } from '../merchants.ts';
import { isSale } from '../orders.ts';
import {
  type CallNote,
  type CallsTask,
  type DayPlan,
  isCalledOnce,
  isFinal,
  type PlannedOrder,
  type Progress,
} from './calls.ts';
import type { Front } from './front.ts';
import { readLines } from './lines.ts';
import { ProcessPool, slots } from './pool.ts';
import { callerTimeout, type FaultyProxy, startProxy } from './proxy.ts';
import type { StoreAddress } from './stores.ts';

/** One day, on which the processes work on all orders. */
export interface Day {
  readonly sandbox: Sandbox;
  readonly plan: DayPlan;
  /** The address of the service on every day. Default: its own, or that of the proxy before it. */
  readonly front?: Front;
  /** The store of the journal. Default: the processes have no journal. */
  readonly store?: StoreAddress;
  /** How far the day is in the future, and how much leases are shortened, in ms. */
  readonly later: number;
  readonly cut: number;
  /** Whether the network fails and processes are killed. */
  readonly isFaulty: boolean;
  /** Decides by the number of sent orders whether to kill all processes now. Default: they finish their work. */
  readonly stopWhen?: (sent: number) => boolean;
}

/** The result of a day. */
export interface DayRecord {
  readonly notes: readonly CallNote[];
  /** The requests of each order, if the network fails. */
  readonly sent: ReadonlyMap<string, number>;
  readonly faults: ReadonlyMap<string, number>;
  readonly kills: number;
  readonly cutOff: number;
}

/** Returns the id of an order: the end of the key, or a field of the form. */
function orderIn(key: unknown, body: string): string {
  if (typeof key === 'string') return key.slice(key.lastIndexOf(':') + 1);
  return new URLSearchParams(body).get('orderid') ?? '';
}

async function startFaultyProxy({ sandbox, plan }: Day): Promise<FaultyProxy> {
  const orders = new Map(plan.orders.map((order) => [order.orderId, order]));
  const proxy = await startProxy({
    target: sandbox.url,
    nameOf: ({ headers }, body) => orderIn(headers['idempotency-key'], body),
    faultOf: (name, arrival) =>
      orders
        .get(name)
        ?.faults.find(({ at, call, nth }) => at === 'network' && 2 * (call - 1) + nth === arrival)?.fault,
  });
  onTestFinished(() => proxy.close());
  return proxy;
}

/** Runs four processes, of which some are killed and restarted. */
export async function runDay(day: Day): Promise<DayRecord> {
  const { sandbox, front, plan, store, later, cut, isFaulty, stopWhen = () => false } = day;
  const proxy = isFaulty ? await startFaultyProxy(day) : undefined;
  const sent = proxy?.arrivals ?? new Map<string, number>();
  const address = proxy?.url ?? sandbox.url;
  await front?.aimAt(address);
  const folder = await mkdtemp(path.join(tmpdir(), 'engine-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const planPath = path.join(folder, 'plan.json');
  await writeFile(planPath, JSON.stringify(plan));
  const notesOf = (slot: number) => path.join(folder, `${slot}.jsonl`);
  const pool = new ProcessPool(
    new URL('./caller-process.ts', import.meta.url),
    ({ slot }): CallsTask => ({
      slot,
      plan: planPath,
      ...(store && { store }),
      later,
      cut,
      isFaulty,
      baseUrl: front?.url ?? address,
      secretKey: sandbox.secretKey,
      securityKey: sandbox.securityKey,
      // Without faults no call may time out, however slow the machine is.
      timeout: isFaulty ? callerTimeout : 60_000,
      notes: notesOf(slot),
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
        if (stopWhen(sent.size)) {
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
  const notes = slots.flatMap((slot) => readLines<CallNote>(notesOf(slot)));
  return { notes, sent, faults: proxy?.faults ?? new Map(), kills: pool.kills, cutOff: pool.cutOff };
}

/** Open operations by the ids of their orders. */
export type Open = ReadonlyMap<string, OpenOperation>;

/** Returns the open operations of the journal. */
export async function openOf(payments: PaymentsClient): Promise<Open> {
  const all = new Map<string, OpenOperation>();
  for await (const operation of payments.journal.open()) all.set(operation.operationId, operation);
  return all;
}

/** An effect of the service. */
export interface Effect {
  readonly id: string;
  readonly money: PlannedOrder['money'];
  /** The result that a person enters in the journal. */
  readonly result: object;
}

const paid = 1_000_000;

/** Pays the intents that the refunds need: several times the refund, so the service would accept a second one. */
export function payIntents(sandbox: Sandbox, orders: readonly PlannedOrder[]): void {
  for (const { orderId, money } of orders.filter(({ kind }) => kind === 'refund')) {
    const currency = money.currency.toUpperCase();
    const { id } = sandbox.add('payment_intent', { id: refundedIntent(orderId), amount: paid, currency });
    sandbox.pay(id);
  }
}

/** Restarts the service with its current state. Requests in transit to the old one are lost. */
export async function restartService(sandbox: Sandbox): Promise<Sandbox> {
  const fork = await sandbox.fork().listen();
  onTestFinished(() => fork.close());
  return fork;
}

/** The service two days later, without its idempotency keys. */
export async function twoDaysLater(sandbox: Sandbox): Promise<Sandbox> {
  const later = await restartService(sandbox);
  const { version, state } = later.snapshot();
  const { reply, ...objects } = Object(state).objects;
  if (reply === undefined) throw new Error('The service has no idempotency keys to forget.');
  later.restore({ version, state: { ...Object(state), objects } });
  await later.clock.advance('2 days');
  return later;
}

/** Looks up what the service has booked for each order, accepted or declined. */
export async function lookUp(sandbox: Sandbox): Promise<ReadonlyMap<string, readonly Effect[]>> {
  const payments = clientOf(sandbox, { fetch: sandbox.fetch });
  const all = { max: 1_000_000 };
  const intents = await payments.paymentIntents.list({ limit: 100 }).toArray(all);
  const refunds = await payments.refunds.list({ limit: 100 }).toArray(all);
  const moneyOf = (amount: number, currency: string) => {
    return { amount, currency: currency.toLowerCase() === 'eur' ? 'eur' : 'usd' } as const;
  };
  const booked = [
    ...intents.map((result) => ({
      of: result.metadata['order'],
      id: result.id,
      result,
      money: moneyOf(result.amount, result.currency),
    })),
    ...refunds.map((result) => ({
      of: refundingOrder(result.payment_intent_id),
      id: result.id,
      result,
      money: moneyOf(result.amount, result.currency),
    })),
    ...sandbox.transactions.map(({ id, response, responsetext, orderid, amount, currency }) => ({
      of: orderid,
      id,
      result: { response, responsetext, transactionid: id, orderid },
      money: moneyOf(Math.round(Number(amount) * 100), String(currency)),
    })),
  ];
  return Map.groupBy(booked, ({ of }) => of ?? '');
}

/** How the days of a test go into the books, which ask the promises. */
export class CallBooks {
  readonly #book: Book;
  readonly #orders: readonly PlannedOrder[];
  readonly #booked = new Set<string>();
  #at = 0;

  constructor(book: Book, orders: readonly PlannedOrder[]) {
    this.#book = book;
    this.#orders = orders;
  }

  /** The effects since the last look. A declined sale is none. */
  effects(booked: ReadonlyMap<string, readonly Effect[]>, at: number): void {
    this.#at = at;
    for (const order of this.#orders) {
      for (const { id, money } of booked.get(order.orderId) ?? []) {
        if (this.#booked.has(id) || order.kind === 'declined sale') continue;
        this.#booked.add(id);
        this.#running(order.orderId);
        const call = this.#callOf(order);
        this.#book.note('executed', { of: order.orderId, call, money, isKeyed: !isSale(order), at });
      }
    }
  }

  /** The requests of a day. */
  requests({ sent }: DayRecord, at: number): void {
    this.#at = at;
    for (const order of this.#orders) {
      const of = order.orderId;
      const call = this.#callOf(order);
      const key = isSale(order) ? undefined : of;
      for (let count = sent.get(of) ?? 0; count > 0; count -= 1) {
        if (this.#book.about('recorded', of).at(-1)?.isCompleted !== true) this.#running(of);
        this.#book.note('sent', { of, call, key, body: '', at, isExcused: false });
        this.#book.note('arrived', { of, call });
      }
    }
  }

  /** What the callers got. */
  results({ notes }: DayRecord): void {
    for (const note of notes) {
      const order = this.#orders.find(({ orderId }) => orderId === note.order);
      if (order === undefined) throw new Error(`There is no order ${note.order}.`);
      const { orderId: of, money: asked } = order;
      const call = this.#callOf(order);
      if (note.what === 'returned') this.#book.note('returned', { of, call, asked, result: note.result });
      if (note.what !== 'threw') continue;
      const { name, outcome, isOurs, text } = note;
      this.#book.note('threw', { of, call, name, outcome, isOurs, isResumed: false });
      this.#book.note('shown', { of: `an error of ${of}`, text });
    }
  }

  /** What the journal has: results are closed, and all others that were sent are open. */
  records(open: Open): void {
    for (const { orderId: of } of this.#orders) {
      const operation = open.get(of);
      const isDone = this.#book.about('returned', of).length > 0;
      if (isDone) this.#record(of, 'done', true);
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

  /** Who got a result on the last day: each process, or each was refused. */
  ends({ notes }: DayRecord): void {
    const ends = notes.filter(
      (note) => note.what === 'returned' || (note.what === 'threw' && note.code === 'OBJECT_NOT_FOUND'),
    );
    for (const [of, own] of Map.groupBy(ends, ({ order }) => order))
      if (own.length === slots.length) this.#book.note('ended', { of, end: 'result' });
  }

  /** The name of the only call of an order; `null` if there may be several. */
  #callOf(order: PlannedOrder): string | null {
    return !this.#book.expected.hasJournal && isCalledOnce(order) ? `the call of ${order.orderId}` : null;
  }

  #running(of: string): void {
    const last = this.#book.about('recorded', of).at(-1);
    if (last?.state !== 'running') this.#record(of, 'running', false);
  }

  #record(of: string, state: string, isCompleted: boolean): void {
    if (this.#book.expected.hasJournal)
      this.#book.note('recorded', { of, state, isCompleted, isNamed: true, at: this.#at });
  }
}

/** Counts failures by outcome and cause. */
export function failuresOf(notes: readonly CallNote[]): string[] {
  return notes.flatMap((note) =>
    note.what === 'threw' && !isFinal(note) ? `${note.outcome}: ${note.name} ${note.code ?? ''}`.trim() : [],
  );
}
