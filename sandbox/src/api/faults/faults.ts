import { isRecord } from '../../base/json.ts';
import { refuseValue } from '../../base/refuse.ts';
import type { State } from '../../domain/state.ts';
import {
  clearDeliveryFaults,
  type DeliveryFault,
  injectDeliveryFault,
  isDeliveryFault,
} from '../../webhooks/delivery-faults.ts';
import type { FaultHit, Hold, HoldingFault, RequestFault } from './fault.ts';
import type { ArmedFault, FaultQueue } from './fault-queue.ts';

/** A fault of requests or of webhook deliveries. */
export type Fault = RequestFault | DeliveryFault;

/** The result of `inject`: a hold for faults that hold a request, else `undefined`. */
type Injected<Kind extends Fault['kind']> = Kind extends HoldingFault['kind'] ? Hold : undefined;

/**
 * Injects faults. A request or a delivery meets the first matching fault, and no other. Faults of requests belong to
 * the running sandbox: snapshots, forks and files do not contain them. They do contain faults of deliveries.
 */
export interface Faults {
  /**
   * Adds a fault of requests or webhook deliveries.
   *
   * @returns For `hold` and `drop_during`, which pause one request: a hold with which you release it.
   * @throws ConfigurationError when a field is out of range, or names an unknown operation or a malformed route.
   *
   * @example
   * sandbox.faults.inject({ kind: 'drop_reply', operation: 'paymentIntents.create' });
   * sandbox.faults.inject({ kind: 'duplicate_delivery', types: ['checkout.session.completed'], times: 3 });
   */
  inject<Kind extends Fault['kind']>(fault: Fault & { readonly kind: Kind }): Injected<Kind>;
  /** Returns which fault hit which request: the latest 1,000 hits, newest last. `clear` does not change it. */
  history(): readonly FaultHit[];
  /**
   * Clears the pending faults, and releases what they pause: requests, delays and stalled bodies. Restarts the random draws
   * of `probability`.
   */
  clear(): void;
}

/** The faults of one server. */
export interface FaultControls extends Pick<Faults, 'history' | 'clear'> {
  inject(fault: Fault): ArmedFault;
}

export function faultControls(queue: FaultQueue, state: State): FaultControls {
  return {
    inject: (fault) => {
      if (!isRecord(fault))
        return refuseValue('faults.inject', 'a fault', fault, "Pass { kind: 'drop_reply' }, for example.");
      if (!isDeliveryFault(fault)) return queue.inject(fault);
      return { id: injectDeliveryFault(state, fault), hold: undefined };
    },
    history: () => queue.history(),
    clear: () => {
      queue.clear();
      clearDeliveryFaults(state);
    },
  };
}
