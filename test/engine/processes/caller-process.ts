/** A process that repeats each order until it gets a result, or until a person must look the order up. */

import { readFileSync } from 'node:fs';
import http from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { inspect } from 'node:util';
import { type JournalOptions, PaymentsClient, PaymentsError } from 'payments-client';
import type { ClaimStore } from '../../support/stores.ts';
import { place } from '../orders.ts';
import {
  type CallNote,
  type CallsTask,
  type DayPlan,
  inOrderOf,
  isCalledOnce,
  isFinal,
  type PlannedOrder,
  type Progress,
} from './calls.ts';
import { appendLine, readLines } from './lines.ts';
import { processCount } from './pool.ts';
import { openStore } from './stores.ts';

const task: CallsTask = JSON.parse(process.argv[2] ?? '');
const plan: DayPlan = JSON.parse(readFileSync(task.plan, 'utf8'));
const { baseUrl, secretKey, securityKey, timeout, slot } = task;
const concurrency = 16;
/** Gives other processes time to finish their claims, in ms. */
const pause = 100;

/**
 * Linux reports such an error on an established connection when ICMP says that the host is unreachable, after the request was
 * sent.
 */
function breakSomeConnections(): void {
  const original = http.request;
  let count = 0;
  const breaking = (options: http.RequestOptions): http.ClientRequest => {
    const request = original(options);
    const code = plan.lateErrors[slot]?.find(({ nth }) => nth === count)?.code;
    count += 1;
    if (code === undefined) return request;
    const error = Object.assign(new Error(`read ${code}`), { code, syscall: 'read' });
    request.once('finish', () => request.socket?.destroy(error));
    return request;
  };
  Object.assign(http, { request: breaking });
}

/** The orders of a killed process wait for its leases, so they are shorter than by default. */
function withShorterLeases(store: ClaimStore, cut: number): ClaimStore {
  return {
    claim: (key, lease, options) => store.claim(key, lease - cut, options),
    renew: (key, token, lease, options) => store.renew(key, token, lease - cut, options),
    complete: (...args) => store.complete(...args),
    release: (...args) => store.release(...args),
    open: (query) => store.open(query),
  };
}

async function openJournal(): Promise<{ journal?: JournalOptions }> {
  if (task.store === undefined) return {};
  const { store } = await openStore(task.store, slot);
  return { journal: { store: withShorterLeases(store, task.cut), now: () => Date.now() + task.later } };
}

if (task.isFaulty) breakSomeConnections();
const payments = new PaymentsClient({
  baseUrl,
  secretKey,
  securityKey,
  timeout,
  totalTimeout: 2.5 * timeout,
  ...(await openJournal()),
});

const begun = new Set<string>();
const ended = new Set<string>();
let inFlight = 0;

function learn(note: CallNote): void {
  begun.add(note.order);
  if (note.what === 'returned' || (note.what === 'threw' && isFinal(note))) ended.add(note.order);
}

function note(one: CallNote): void {
  learn(one);
  appendLine(task.notes, one);
}

function tell(results: number): void {
  const progress: Progress = { results, inFlight };
  process.send?.(progress);
}

const isOnce = (order: PlannedOrder) => task.store === undefined && isCalledOnce(order);

const isOpen = (order: PlannedOrder) =>
  isOnce(order)
    ? order.number % processCount === slot && !begun.has(order.orderId)
    : !ended.has(order.orderId);

async function call(order: PlannedOrder): Promise<void> {
  const { orderId, maxRetries } = order;
  inFlight += 1;
  note({ what: 'begun', order: orderId });
  let results = 0;
  try {
    const calling = { call: `${slot} ${orderId}`, isPlain: task.store === undefined };
    // Some that are called once meet a fault without a retry left.
    const result = await place(payments, order, {
      ...calling,
      ...(isOnce(order) && { maxRetries: maxRetries * 2 }),
    });
    note({ what: 'returned', order: orderId, result });
    results = 1;
  } catch (error) {
    const isOurs = error instanceof PaymentsError;
    const { name, code, outcome } = isOurs
      ? error
      : { name: String(error), code: undefined, outcome: 'none' };
    const text = `${inspect(error)} ${JSON.stringify(error)}`;
    note({ what: 'threw', order: orderId, name, code, outcome, isOurs, text });
  } finally {
    inFlight -= 1;
    tell(results);
  }
}

for (const line of readLines<CallNote>(task.notes)) learn(line);
const all = inOrderOf(slot, plan.orders);
for (let remaining = all.filter(isOpen); remaining.length > 0; remaining = all.filter(isOpen)) {
  const queue = remaining.values();
  const callNext = async () => {
    for (const order of queue) await call(order);
  };
  await Promise.all(Array.from({ length: concurrency }, callNext));
  if (all.some(isOpen)) await wait(pause);
}
process.exit(0);
