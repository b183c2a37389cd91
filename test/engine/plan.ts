import fc from 'fast-check';
import { type AccountsPlan, accounts } from './dimensions/accounts.ts';
import { type ClockPlan, clocks } from './dimensions/clocks.ts';
import { type EventPlan, events } from './dimensions/deliveries.ts';
import { rarely } from './dimensions/fault.ts';
import { type HealingPlan, healing } from './dimensions/healing.ts';
import { crowding } from './dimensions/history.ts';
import { type OrderPlan, orders } from './dimensions/orders.ts';
import { type StorePlan, stores } from './dimensions/stores.ts';
import { type Pace, paces } from './dimensions/timing.ts';

/** Everything that is left to chance in one episode, as one value: fast-check draws it, shrinks it and prints it. */
export interface Plan {
  /** Whether the sandbox is the service, instead of a small model of it. */
  readonly inSandbox: boolean;
  /** Whether processes share a journal. Without one, the keys of the service are all there is. */
  readonly hasJournal: boolean;
  /** Whether a process forgets its operations, for want of room. */
  readonly isCrowded: boolean;
  readonly accounts: AccountsPlan;
  readonly store: StorePlan;
  readonly clock: ClockPlan | undefined;
  readonly healing: HealingPlan;
  readonly pace: Pace;
  readonly operations: readonly (OrderPlan | EventPlan)[];
}

const operation: fc.Arbitrary<OrderPlan | EventPlan> = fc.oneof(
  { weight: 3, arbitrary: orders },
  { weight: 2, arbitrary: events },
);

/** All plans. A new dimension is a file of `dimensions/`, and a line here or in an operation. */
export const plans: fc.Arbitrary<Plan> = fc.record({
  inSandbox: rarely(49, false, fc.constant(true)),
  hasJournal: rarely(6, true, fc.constant(false)),
  isCrowded: crowding,
  accounts,
  store: stores,
  clock: clocks,
  healing,
  pace: paces,
  operations: fc.uniqueArray(operation, { selector: ({ id }) => id, maxLength: 10, size: 'max' }),
});

/** The events among the operations, and the orders. */
export const eventsOf = ({ operations }: Plan) => operations.filter((one) => one.what === 'event');
export const ordersOf = ({ operations }: Plan) => operations.filter((one) => one.what === 'order');
