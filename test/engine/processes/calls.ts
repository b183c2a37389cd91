/** The orders of the merchant's processes, and the instructions and notes of one process. */

import fc from 'fast-check';
import type { Fault } from '../dimensions/fault.ts';
import { networkFaultsAt } from '../dimensions/network.ts';
import { orders } from '../dimensions/orders.ts';
import type { CallResult } from '../facts.ts';
import { isSale, type Request } from '../orders.ts';
import { exactly } from './report.ts';
import type { StoreAddress } from './stores.ts';

/** An order, as every process has it. */
export interface PlannedOrder extends Request {
  readonly number: number;
  readonly maxRetries: number;
  /** The place in each process's own sequence. The processes work on the same orders concurrently, in blocks. */
  readonly places: readonly number[];
  /** The faults of its requests, by their arrival. */
  readonly faults: readonly Fault[];
}

/** An error that a process gets instead of the reply, though the request has left. */
interface LateError {
  /** The number of its request. */
  readonly nth: number;
  readonly code: string;
}

/** One day of the merchant: the same orders each day, with other faults. */
export interface DayPlan {
  readonly orders: readonly PlannedOrder[];
  /** How many results come before each kill. */
  readonly kills: readonly number[];
  readonly lateErrors: readonly (readonly LateError[])[];
}

const blockSize = 40;
/** One request in sixty gets a late error. */
const mostRequests = 60;

const lateErrors = fc.array(
  fc.record({
    nth: fc.nat(10 * mostRequests),
    code: fc.constantFrom('EHOSTUNREACH', 'ENETUNREACH', 'ECONNREFUSED'),
  }),
  { minLength: 5, maxLength: 12 },
);

export function daysOf(size: {
  readonly orders: number;
  readonly processes: number;
  readonly kills: number;
}): fc.Arbitrary<DayPlan> {
  const { processes, kills } = size;
  const order = fc.record({
    plan: orders,
    places: exactly(processes, fc.nat(2 ** 30)),
    faults: fc.array(networkFaultsAt, { maxLength: 3, size: 'max' }),
  });
  return fc.record({
    orders: exactly(size.orders, order).map((all) =>
      all.map(({ plan: { kind, money, hasCard, maxRetries }, places, faults }, number) => ({
        number,
        orderId: `order-${number}`,
        kind,
        money: kind === 'declined sale' ? { ...money, amount: 50 } : money,
        hasCard,
        maxRetries,
        places,
        faults,
      })),
    ),
    kills: exactly(kills, fc.nat(size.orders)).map((at) => at.sort((one, other) => one - other)),
    lateErrors: exactly(processes, lateErrors),
  });
}

/** Returns the orders in a process's own sequence, which still collides with those of the others. */
export function inOrderOf(slot: number, all: readonly PlannedOrder[]): readonly PlannedOrder[] {
  const block = ({ number }: PlannedOrder) => Math.floor(number / blockSize);
  const place = ({ places }: PlannedOrder) => places[slot] ?? 0;
  return [...all].sort((one, other) => block(one) - block(other) || place(one) - place(other));
}

/**
 * Whether an order is called only once without a journal: a sale has no key, so a second call would be a second sale. So is one
 * order in five, since a repetition would change what its first error reported.
 */
export const isCalledOnce = (order: PlannedOrder) => isSale(order) || order.number % 5 === 0;

/** The task of a process, which may be a restart. */
export interface CallsTask {
  readonly slot: number;
  /** The path of the day's plan. */
  readonly plan: string;
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly securityKey: string;
  /** The attempt timeout, in ms. */
  readonly timeout: number;
  /** The path of its notes. */
  readonly notes: string;
  /** The store of its journal. Without one it has no journal. */
  readonly store?: StoreAddress;
  /** How far its clock is in the future, and how much its leases are shortened, in ms. */
  readonly later: number;
  readonly cut: number;
  /** Whether its connections break occasionally. */
  readonly isFaulty: boolean;
}

/** What a process notes: a restarted one goes on where its predecessor was killed. */
export type CallNote = { readonly order: string } & (
  | { readonly what: 'begun' }
  | { readonly what: 'returned'; readonly result: CallResult }
  | {
      readonly what: 'threw';
      readonly name: string;
      readonly code: string | undefined;
      readonly outcome: string;
      readonly isOurs: boolean;
      /** Everything that it shows. */
      readonly text: string;
    }
);

/** Whether an error ends an order for the process that gets it. */
export const isFinal = ({ name, code }: { readonly name: string; readonly code: string | undefined }) =>
  name === 'OperationUnresolvedError' || code === 'OBJECT_NOT_FOUND';

/** A process's progress report: its new results, and its calls in progress. */
export interface Progress {
  readonly results: number;
  readonly inFlight: number;
}
