import fc from 'fast-check';
import { type Mistake, type Money, mistakes, money } from './currencies.ts';
import { type Fault, rarely } from './fault.ts';
import { type Repeat, repeats } from './history.ts';
import { callFaults, type Rival, rivals } from './processes.ts';

/** The kinds of orders: what is asked, and whether the service accepts it. */
export const orderKinds = ['intent', 'refund', 'sale', 'refused intent', 'declined sale'] as const;

export type OrderKind = (typeof orderKinds)[number];

/** A business operation, and what happens to its calls. */
export interface OrderPlan {
  readonly what: 'order';
  readonly id: number;
  readonly kind: OrderKind;
  readonly money: Money;
  /** How one of two callers differs. */
  readonly mistake: Mistake;
  /** Whether a sale names a card instead of a token. */
  readonly hasCard: boolean;
  /** Whether the other merchant, if there is one, has an order with this id too. */
  readonly isShared: boolean;
  /** When its first call starts, in ms. */
  readonly begins: number;
  /** The longest time between two calls, in ms. */
  readonly pause: number;
  /** Whether its callers take the object, which is retrieved after a replay, and not the response. */
  readonly takesObject: boolean;
  /** How often a call asks the service again by itself. */
  readonly maxRetries: 0 | 1;
  /** When it is recorded for later. */
  readonly planned: Rival | undefined;
  readonly rival: Rival | undefined;
  readonly repeats: readonly Repeat[];
  readonly faults: readonly Fault[];
}

/** The number of an operation names it for good: shrinking drops operations, and renames none. */
export const operationIds = fc.noShrink(fc.integer({ min: 1, max: 999 }));

/** What is asked of the service, how often, and by whom. */
export const orders: fc.Arbitrary<OrderPlan> = fc.record({
  what: fc.constant('order'),
  id: operationIds,
  kind: fc.constantFrom<OrderKind>(
    'intent',
    'intent',
    'refund',
    'sale',
    'sale',
    'refused intent',
    'declined sale',
  ),
  money,
  mistake: rarely<Mistake, Mistake>(7, 'none', fc.constantFrom(...mistakes)),
  hasCard: fc.boolean(),
  isShared: fc.boolean(),
  begins: fc.nat(1000),
  pause: rarely(9, 300_000, fc.constant(1e8)),
  takesObject: fc.boolean(),
  maxRetries: rarely<0 | 1, 0 | 1>(3, 0, fc.constant(1)),
  planned: rivals(1200, callFaults, 3),
  rival: rivals(200, callFaults),
  repeats,
  faults: callFaults,
});
