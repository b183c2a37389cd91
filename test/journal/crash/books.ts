/** The notes of the processes, and the invariants over them. */

import type { OpenOperation } from 'payments-client';
import { expect } from 'vitest';
import { recordsOf } from '../../chaos/books.ts';
import type { Evening } from './day.ts';
import { decimalOf, type Order, payerOf, workerCount } from './plan.ts';
import type { Effect } from './service.ts';
import type { Told } from './task.ts';

/** The results of one order on one day. */
interface Page {
  readonly answers: readonly Told[];
  /** The names of the errors. */
  readonly errors: readonly string[];
}

/** The results of all processes on one day. */
export type Books = (order: Order) => Page;

/** Open operations by the ids of their orders. */
export type Open = ReadonlyMap<string, OpenOperation>;

/** Groups the notes of one day by order. */
export function booksOf({ entries }: Evening): Books {
  const stories = recordsOf(entries);
  return ({ id }) => {
    const { answers = [], failures = [] } = stories.get(id) ?? {};
    // Each was written down by a process of this test.
    return { answers: answers as readonly Told[], errors: failures.map(({ name }) => name) };
  };
}

/** Each process got its answer from the journal, without a request. */
function isRepeated({ answers, errors }: Page): boolean {
  return (
    answers.length === workerCount && errors.length === 0 && answers.every(({ fromJournal }) => fromJournal)
  );
}

/** Each process was told to look the order up. Until the lease of a killed process ends, it was told to wait. */
function isRefused({ answers, errors }: Page): boolean {
  const told = errors.filter((name) => name === 'OperationUnresolvedError').length;
  return answers.length === 0 && told >= workerCount && told === errors.filter(isNoWait).length;
}

const isNoWait = (name: string) => name !== 'OperationInProgressError';

/** Expects a condition for each order, and names the failing ones. */
export function expectAll(orders: readonly Order[], what: string, isTrue: (order: Order) => boolean): void {
  expect(
    orders.filter((order) => !isTrue(order)).map(({ id }) => id),
    what,
  ).toEqual([]);
}

/** A person can find each operation by the fields that the journal kept. */
export function expectLookUps(open: Open, orders: readonly Order[]): void {
  for (const order of orders.filter(({ id }) => open.has(id))) {
    const card = 'ccnumber' in payerOf(order) ? { ccnumber: '************1111' } : {};
    const lookUp = order.kind === 'sale' ? { amount: decimalOf(order), orderid: order.id, ...card } : {};
    expect(open.get(order.id)?.lookUp).toEqual(lookUp);
  }
}

/** The state after the first day, and the results of the second. */
export interface Memory {
  readonly first: Books;
  readonly second: Books;
  /** The open operations after the first day. */
  readonly left: Open;
  /** What the service did on the first day. */
  effects(order: Order): readonly Effect[];
  /** The orders that were sent on the second day. */
  readonly sent: ReadonlyMap<string, number>;
}

/** Nothing that the journal knew is sent again: it repeats a known outcome, and leaves an unknown one to a person. */
export function expectMemory(orders: readonly Order[], { first, second, left, effects, sent }: Memory): void {
  const answered = orders.filter((order) => first(order).answers.length > 0);
  const unknown = orders.filter(({ id }) => left.has(id));
  const done = orders.filter((order) => effects(order).length > 0);
  expectAll([...answered, ...unknown], 'sent again', ({ id }) => !sent.has(id));
  expectAll(answered, 'not answered from the journal', (order) => isRepeated(second(order)));
  expectAll(unknown, 'not left to a person', (order) => isRefused(second(order)));
  expectAll(done, 'lost', (order) => left.has(order.id) || isRepeated(second(order)));
}

/** Each order has one effect, and each process the same answer on each day. */
export function expectOneEffectEach(
  orders: readonly Order[],
  days: readonly Books[],
  effects: (order: Order) => readonly Effect[],
): void {
  const last = days.at(-1);
  for (const order of orders)
    expect(last?.(order).errors.filter(isNoWait), `errors of ${order.id}`).toEqual([]);
  expectAll(orders, 'lost', (order) => last?.(order).answers.length === workerCount);
  expectAll(orders, 'not one effect', (order) => effects(order).length === 1);
  for (const order of orders) {
    const answers = days.flatMap((books) => books(order).answers);
    const told = [...new Set(answers.map(({ what, digest }) => `${what} ${digest}`))];
    expect(told, `answers of ${order.id}`).toHaveLength(1);
    expect(answers[0]?.what).toBe(effects(order)[0]?.what);
  }
}
