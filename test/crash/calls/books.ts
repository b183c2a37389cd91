/** The results that the processes noted, and the invariants over them. */

import type { OpenOperation } from 'payments-client';
import { expect } from 'vitest';
import { tally } from '../report.ts';
import type { DayRecord } from './day.ts';
import type { Failed, Note } from './notes.ts';
import { decimalOf, type Order, payerOf, workerCount } from './plan.ts';
import type { Effect } from './service.ts';
import type { RecordedResponse } from './task.ts';

/** The results of one order on one day. */
interface OrderResults {
  readonly responses: readonly RecordedResponse[];
  readonly failures: readonly Failed[];
}

/** The results of all processes on one day. */
export type DayResults = (order: Order) => OrderResults;

/** Returns the effects of an order. */
export type Effects = (order: Order) => readonly Effect[];

/** Open operations by the ids of their orders. */
export type Open = ReadonlyMap<string, OpenOperation>;

/** Groups the notes of one day by order. */
export function resultsOf({ notes }: DayRecord): DayResults {
  const byOrder = Map.groupBy(notes, ({ order }) => order);
  return ({ id }) => {
    const own = byOrder.get(id) ?? [];
    return {
      responses: own.flatMap((note) => (note.kind === 'answered' ? [note.response] : [])),
      failures: own.filter((note) => note.kind === 'failed'),
    };
  };
}

/** Counts failures by outcome and cause. */
export function tallyFailures(notes: readonly Note[]): Record<string, number> {
  const failures = notes.filter((note) => note.kind === 'failed');
  return tally(failures.map(({ outcome, name, code }) => `${outcome}: ${name} ${code ?? ''}`.trim()));
}

/** Each process got its response from the journal, without a request. */
function isReplayed({ responses, failures }: OrderResults): boolean {
  return (
    responses.length === workerCount &&
    failures.length === 0 &&
    responses.every(({ fromJournal }) => fromJournal)
  );
}

/** Each process got the advice to look the order up, or to wait until the lease of a killed process ends. */
function isRefused({ responses, failures }: OrderResults): boolean {
  const others = failures.filter(isNotInProgress);
  return (
    responses.length === 0 &&
    others.length >= workerCount &&
    others.every(({ name }) => name === 'OperationUnresolvedError')
  );
}

const isNotInProgress = ({ name }: Failed) => name !== 'OperationInProgressError';

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
    const lookUps = {
      intent: { path: '/v1/payment_intents' },
      refund: { path: '/v1/refunds' },
      sale: { amount: decimalOf(order), orderid: order.id, ...card },
    };
    expect(open.get(order.id)?.lookUp).toEqual(lookUps[order.kind]);
  }
}

/** The state after the first day, and the results of the second. */
export interface TwoDays {
  readonly first: DayResults;
  readonly second: DayResults;
  /** The open operations after the first day. */
  readonly open: Open;
  /** The effects of the first day. */
  readonly effects: Effects;
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

/** Each order has one effect, and each process got its result, the same on each day. On the last day nothing fails. */
export function expectOneEffectEach(
  orders: readonly Order[],
  days: readonly DayResults[],
  effects: Effects,
): void {
  const last = days.at(-1);
  for (const order of orders)
    expect(last?.(order).failures.filter(isNotInProgress), `errors of ${order.id}`).toEqual([]);
  expectOneResultEach(orders, days, effects);
}

/** Each order has one effect, and each process got its result, the same on each day. */
export function expectOneResultEach(
  orders: readonly Order[],
  days: readonly DayResults[],
  effects: Effects,
): void {
  expectAll(orders, 'lost', (order) => days.at(-1)?.(order).responses.length === workerCount);
  expectAll(orders, 'not one effect', (order) => effects(order).length === 1);
  for (const order of orders) {
    const responses = days.flatMap((results) => results(order).responses);
    const distinct = [...new Set(responses.map(({ what, digest }) => `${what} ${digest}`))];
    expect(distinct, `responses for ${order.id}`).toHaveLength(1);
    expect(responses[0]?.what).toBe(effects(order)[0]?.what);
  }
}

/** Each order was called once at most: it has one effect at most, and what its call reported is true. */
export function expectTrueReports(orders: readonly Order[], day: DayResults, effects: Effects): void {
  for (const order of orders) {
    const { responses, failures } = day(order);
    const booked = effects(order);
    expect(booked.length, `effects of ${order.id}`).toBeLessThan(2);
    expect(responses.length + failures.length, `reports on ${order.id}`).toBeLessThan(2);
    for (const { what } of responses) expect(booked, `${order.id} has an answer`).toMatchObject([{ what }]);
    for (const { name, code, outcome } of failures) {
      const said = `${order.id} failed with ${name} ${code}, ${outcome}`;
      if (outcome === 'not_executed') expect(booked, said).toHaveLength(0);
      if (outcome === 'executed') expect(booked, said).toHaveLength(1);
    }
  }
}
