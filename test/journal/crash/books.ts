/** The results that the processes recorded, and the invariants over them. */

import type { OpenOperation } from 'payments-client';
import { expect } from 'vitest';
import { recordsOf } from '../../chaos/books.ts';
import type { DayRecord } from './day.ts';
import { decimalOf, type Order, payerOf, workerCount } from './plan.ts';
import type { Effect } from './service.ts';
import type { RecordedResponse } from './task.ts';

/** The results of one order on one day. */
interface OrderResults {
  readonly responses: readonly RecordedResponse[];
  /** The names of the errors. */
  readonly errors: readonly string[];
}

/** The results of all processes on one day. */
export type DayResults = (order: Order) => OrderResults;

/** Open operations by the ids of their orders. */
export type Open = ReadonlyMap<string, OpenOperation>;

/** Groups the records of one day by order. */
export function resultsOf({ entries }: DayRecord): DayResults {
  const recorded = recordsOf(entries);
  return ({ id }) => {
    const { answers = [], failures = [] } = recorded.get(id) ?? {};
    // A process of this test wrote each record.
    return { responses: answers as readonly RecordedResponse[], errors: failures.map(({ name }) => name) };
  };
}

/** Each process got its response from the journal, without a request. */
function isReplayed({ responses, errors }: OrderResults): boolean {
  return (
    responses.length === workerCount &&
    errors.length === 0 &&
    responses.every(({ fromJournal }) => fromJournal)
  );
}

/** Each process got the advice to look the order up, or to wait until the lease of a killed process ends. */
function isRefused({ responses, errors }: OrderResults): boolean {
  const unresolved = errors.filter((name) => name === 'OperationUnresolvedError').length;
  return (
    responses.length === 0 &&
    unresolved >= workerCount &&
    unresolved === errors.filter(isNotInProgress).length
  );
}

const isNotInProgress = (name: string) => name !== 'OperationInProgressError';

/** Expects a condition for each order, and names the failing ones. */
export function expectAll(orders: readonly Order[], what: string, holds: (order: Order) => boolean): void {
  expect(
    orders.filter((order) => !holds(order)).map(({ id }) => id),
    what,
  ).toEqual([]);
}

/** A person can look each operation up by the fields in the journal. */
export function expectLookUps(open: Open, orders: readonly Order[]): void {
  for (const order of orders.filter(({ id }) => open.has(id))) {
    const card = 'ccnumber' in payerOf(order) ? { ccnumber: '************1111' } : {};
    const lookUp = order.kind === 'sale' ? { amount: decimalOf(order), orderid: order.id, ...card } : {};
    expect(open.get(order.id)?.lookUp).toEqual(lookUp);
  }
}

/** The state after the first day, and the results of the second. */
export interface TwoDays {
  readonly first: DayResults;
  readonly second: DayResults;
  /** The open operations after the first day. */
  readonly open: Open;
  /** The effects of the first day. */
  effects(order: Order): readonly Effect[];
  /** The orders that were sent on the second day. */
  readonly sent: ReadonlyMap<string, number>;
}

/** The journal sends nothing again: it replays a known outcome, and refuses to retry an unknown one. */
export function expectNothingResent(
  orders: readonly Order[],
  { first, second, open, effects, sent }: TwoDays,
): void {
  const completed = orders.filter((order) => first(order).responses.length > 0);
  const unknown = orders.filter(({ id }) => open.has(id));
  const done = orders.filter((order) => effects(order).length > 0);
  expectAll([...completed, ...unknown], 'sent again', ({ id }) => !sent.has(id));
  expectAll(completed, 'not replayed from the journal', (order) => isReplayed(second(order)));
  expectAll(unknown, 'not refused', (order) => isRefused(second(order)));
  expectAll(done, 'lost', (order) => open.has(order.id) || isReplayed(second(order)));
}

/** Each order has one effect, and each process the same response on each day. */
export function expectOneEffectEach(
  orders: readonly Order[],
  days: readonly DayResults[],
  effects: (order: Order) => readonly Effect[],
): void {
  const last = days.at(-1);
  for (const order of orders)
    expect(last?.(order).errors.filter(isNotInProgress), `errors of ${order.id}`).toEqual([]);
  expectAll(orders, 'lost', (order) => last?.(order).responses.length === workerCount);
  expectAll(orders, 'not one effect', (order) => effects(order).length === 1);
  for (const order of orders) {
    const responses = days.flatMap((results) => results(order).responses);
    const distinct = [...new Set(responses.map(({ what, digest }) => `${what} ${digest}`))];
    expect(distinct, `responses for ${order.id}`).toHaveLength(1);
    expect(responses[0]?.what).toBe(effects(order)[0]?.what);
  }
}
