import type { State } from '../../domain/state.ts';
import {
  clearDeliveryFaults,
  type DeliveryFault,
  injectDeliveryFault,
  isDeliveryFault,
} from '../../webhooks/delivery-faults.ts';
import type { Hold, HoldingFault, RequestFault } from './fault.ts';
import type { FaultQueue } from './fault-queue.ts';
import type { FaultHit } from './hit.ts';

/** Something that goes wrong on purpose, with requests or with deliveries of webhooks. */
export type Fault = RequestFault | DeliveryFault;

/** What injecting a fault gives: a hold where a request is held, nothing otherwise. */
type Injected<One extends Fault> = One extends HoldingFault ? Hold : undefined;

/**
 * What is to go wrong. A request meets the first fault that fits it, and no more than one; so does a delivery. Faults of requests belong to
 * the running sandbox, and are no part of what it keeps or copies; those of deliveries are.
 */
export interface Faults {
  /**
   * Makes requests, or deliveries of webhooks, go wrong.
   *
   * @returns A hold for `hold` and `drop_during`, which make one request wait until it is released.
   * @throws RangeError when a field is out of bounds, or names nothing that there is.
   *
   * @example
   * sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.create' });
   * sandbox.faults.inject({ kind: 'duplicate_delivery', types: ['checkout.session.completed'], times: 3 });
   */
  inject<One extends Fault>(fault: One): Injected<One>;
  /** Which fault has hit which request: the newest 1,000, newest last. Clearing leaves it as it is. */
  history(): readonly FaultHit[];
  /**
   * Forgets the faults that have not hit anything, and lets go what they hold: requests, waits and stalled bodies. The
   * draws of `probability` begin anew.
   */
  clear(): void;
}

/** Makes `sandbox.faults`. */
export function createFaults(queue: FaultQueue, state: State): Faults {
  const inject = (fault: Fault): Hold | undefined => {
    if (!isDeliveryFault(fault)) return queue.inject(fault);
    injectDeliveryFault(state, fault);
    return undefined;
  };
  return {
    // Which of the two it gives depends on the kind, which the compiler does not follow.
    inject: inject as Faults['inject'],
    history: () => queue.history(),
    clear: () => {
      queue.clear();
      clearDeliveryFaults(state);
    },
  };
}
