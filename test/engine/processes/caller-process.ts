/** A process that repeats each order until it gets a result, or until a person must look the order up. */

import { readFileSync } from 'node:fs';
import http from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { PaymentsClient } from 'payments-client';
import { type ClientJournal, createJournal } from 'payments-client/journal';
import { failureOf, place } from '../orders.ts';
import { passing } from '../passing.ts';
import {
  type CallNote,
  type CallsTask,
  type DayPlan,
  inOrderOf,
  isCalledOnce,
  type PlannedOrder,
  type Progress,
} from './calls.ts';
import { appendLine, noted, readLines } from './notes.ts';
import { slots } from './pool.ts';
import { openStore } from './stores.ts';

const task: CallsTask = JSON.parse(process.argv[2] ?? '');
const plan: DayPlan = JSON.parse(readFileSync(task.plan, 'utf8'));
const { baseUrl, secretKey, securityKey, timeout, slot, cut, store: address } = task;
const hasJournal = address !== undefined;
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

async function openJournal(to: NonNullable<CallsTask['store']>): Promise<ClientJournal> {
  const { store } = await openStore(to, slot);
  // The orders of a killed process wait for its leases, so they are shorter than by default.
  const shorter = passing(store, {
    claim: (key, lease, options) => store.claim(key, lease - cut, options),
    renew: (key, token, lease, options) => store.renew(key, token, lease - cut, options),
  });
  return createJournal({ store: shorter, now: () => Date.now() + task.later });
}

if (task.isFaulty) breakSomeConnections();
const payments = new PaymentsClient({
  baseUrl,
  secretKey,
  securityKey,
  timeout,
  totalTimeout: 2.5 * timeout,
  ...(address && { journal: await openJournal(address) }),
});

const note = (...notes: readonly CallNote[]) => {
  for (const one of notes) appendLine(task.notes, one);
};
const known = readLines<CallNote>(task.notes).filter((one) => !('fact' in one));
const namesOf = (what: 'begun' | 'over') =>
  new Set(known.flatMap((one) => (one.what === what ? one.of : [])));
const [begun, over] = [namesOf('begun'), namesOf('over')];
let inFlight = 0;
let calls = 0;

const isOnce = (order: PlannedOrder) => !hasJournal && isCalledOnce(order);

const isOpen = (order: PlannedOrder) =>
  isOnce(order)
    ? order.number % slots.length === slot && !begun.has(order.orderId)
    : !over.has(order.orderId);

async function call(order: PlannedOrder): Promise<void> {
  const { orderId: of, maxRetries, money: asked } = order;
  inFlight += 1;
  calls += 1;
  begun.add(of);
  note({ what: 'begun', of });
  const name = `${task.name}/${calls} ${of}`;
  let results = 0;
  let [isOver, isEnd] = [true, true];
  try {
    // Some that are called once meet a fault without a retry left.
    const retries = isOnce(order) ? maxRetries * 2 : undefined;
    const result = await place(payments, order, { call: name, isPlain: !hasJournal, maxRetries: retries });
    note(noted('returned', { of, call: name, asked, result }));
    results = 1;
  } catch (error) {
    const { text, code, ...failure } = failureOf(error);
    note(
      noted('threw', {
        of,
        call: name,
        ...failure,
        isResumed: false,
        knows: [],
        hasStalled: false,
        isForgetful: false,
      }),
    );
    note(noted('shown', { of: `the error of ${name}`, text }));
    isEnd = code === 'OBJECT_NOT_FOUND';
    isOver = isEnd || failure.name === 'OperationUnresolvedError';
  }
  inFlight -= 1;
  if (isOver) {
    over.add(of);
    note({ what: 'over', of, isEnd });
  }
  const progress: Progress = { results, inFlight };
  process.send?.(progress);
}

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
