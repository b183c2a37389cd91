/** The orders of the merchant's processes, and the instructions and notes of one process. */

import fc from 'fast-check';
import type { Fault } from '../dimensions/fault.ts';
import { networkFaultsAt } from '../dimensions/network.ts';
import { orders } from '../dimensions/orders.ts';
import { isSale, type Request } from '../orders.ts';
import { exactly, type Noted } from './notes.ts';
import { slots } from './pool.ts';
import type { StoreAddress } from './stores.ts';

/** An order, as every process has it. */
export interface PlannedOrder extends Request {
  readonly number: number;
  readonly maxRetries: number;
  /** The faults of its requests, by their arrival. */
  readonly faults: readonly Fault[];
}

/** One day of the merchant: the same orders each day, with other faults. */
export interface DayPlan {
  readonly orders: readonly PlannedOrder[];
  /** How many results come before each kill. */
  readonly kills: readonly number[];
  /** By process: errors that it gets instead of a reply, by the number of its request, though that has left. */
  readonly lateErrors: readonly (readonly { readonly nth: number; readonly code: string }[])[];
}

const lateErrors = fc.array(
  fc.record({ nth: fc.nat(600), code: fc.constantFrom('EHOSTUNREACH', 'ENETUNREACH', 'ECONNREFUSED') }),
  { minLength: 5, maxLength: 12 },
);

export function daysOf(size: { readonly orders: number; readonly kills: number }): fc.Arbitrary<DayPlan> {
  const faults = fc.array(networkFaultsAt, { maxLength: 3, size: 'max' });
  return fc.record({
    orders: exactly(size.orders, fc.tuple(orders, faults)).map((all) =>
      all.map(([{ kind, money, hasCard, maxRetries }, own], number) => ({
        number,
        orderId: `order-${number}`,
        kind,
        money: kind === 'declined sale' ? { ...money, amount: 50 } : money,
        hasCard,
        maxRetries,
        faults: own,
      })),
    ),
    kills: exactly(size.kills, fc.nat(size.orders)).map((at) => at.sort((one, other) => one - other)),
    lateErrors: exactly(slots.length, lateErrors),
  });
}

/** Returns the orders in a process's own sequence, in blocks of 40: there it still collides with the others. */
export function inOrderOf(slot: number, all: readonly PlannedOrder[]): readonly PlannedOrder[] {
  const block = ({ number }: PlannedOrder) => Math.floor(number / 40);
  const place = ({ orderId }: PlannedOrder) => fc.hash(`${slot} ${orderId}`);
  return [...all].sort((one, other) => block(one) - block(other) || place(one) - place(other));
}

/**
 * Whether an order is called only once without a journal: a sale has no key, so a second call would be a second sale. So is one
 * order in five, to learn how often an error of unknown outcome had an effect.
 */
export const isCalledOnce = (order: PlannedOrder) => isSale(order) || order.number % 5 === 0;

/** The task of a process, which may be a restart. */
export interface CallsTask {
  readonly slot: number;
  /** The name of this lifetime. */
  readonly name: string;
  /** The path of the day's plan, and that of its notes. */
  readonly plan: string;
  readonly notes: string;
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly securityKey: string;
  /** The attempt timeout, in ms. */
  readonly timeout: number;
  /** The store of its journal. Without one it has no journal. */
  readonly store?: StoreAddress;
  /** How far its clock is in the future, and how much its leases are shortened, in ms. */
  readonly later: number;
  readonly cut: number;
  /** Whether its connections break occasionally. */
  readonly isFaulty: boolean;
}

/** What a process notes: facts, and how far it is, since a restarted one goes on where its predecessor was killed. */
export type CallNote =
  | Noted
  | { readonly what: 'begun'; readonly of: string }
  /** It does not call it again: it got a result or a refusal, which is an end, or a person has to look it up. */
  | { readonly what: 'over'; readonly of: string; readonly isEnd: boolean };

/** A process's progress report: its new results, and its calls in progress. */
export interface Progress {
  readonly results: number;
  readonly inFlight: number;
}
