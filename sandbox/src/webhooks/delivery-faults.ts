import { checkOptions } from '../base/check-options.ts';
import * as s from '../base/schema.ts';
import { hour } from '../base/time.ts';
import {
  type DeliveryFaultKind,
  deliveryFaultKinds,
  type PendingDeliveryFault,
  type PlannedDelivery,
  type SandboxDelivery,
} from '../domain/records/delivery.ts';
import type { State } from '../domain/state.ts';
import { toMilliseconds } from '../store/clock.ts';

/** The conditions that all delivery faults share. */
type Target = {
  /** How many deliveries it hits. Default: 1. */
  readonly times?: number | undefined;
  /** The event types that it hits. Default: all. */
  readonly types?: readonly string[] | undefined;
  /** The id of the endpoint whose deliveries it hits. Default: any. */
  readonly endpoint?: string | undefined;
};

/** A fault between the service and the merchant's endpoint. */
export type DeliveryFault =
  | (Target & {
      /** Delivers the event twice. */
      readonly kind: 'duplicate_delivery';
    })
  | (Target & {
      /** Delivers it after the next event to the same endpoint, or an hour late. */
      readonly kind: 'reorder_delivery';
    })
  | (Target & {
      /** Delivers it later. */
      readonly kind: 'delay_delivery';
      /** The delay: milliseconds, or a text such as `'1 hour'`. */
      readonly by: number | string;
    })
  | (Target & {
      /** Signs the first attempt with another secret. */
      readonly kind: 'forge_delivery';
    })
  | (Target & {
      /** Changes `livemode` in the body of the first attempt after signing it. */
      readonly kind: 'tamper_delivery';
    })
  | (Target & {
      /** Does not deliver it, until you replay it. */
      readonly kind: 'drop_delivery';
    });

const target = {
  kind: s.unchecked<DeliveryFaultKind>(),
  times: s.optional(s.integerFrom(1)),
  types: s.optional(s.array(s.string())),
  endpoint: s.optional(s.string()),
};
const schema = s.strictObject(target);
// The reader of durations validates `by`.
const delaySchema = s.strictObject({ ...target, by: s.unchecked<string | number>() });

export function isDeliveryFault<Other extends { readonly kind: string }>(
  fault: DeliveryFault | Other,
): fault is DeliveryFault {
  return deliveryFaultKinds.some((kind) => kind === fault.kind);
}

/**
 * Arms a fault for the next matching deliveries, and returns its id. Each delivery meets the first fault that matches.
 *
 * @throws ConfigurationError when a field is out of range or unknown.
 */
export function injectDeliveryFault(state: State, fault: DeliveryFault): string {
  checkOptions('faults.inject', fault.kind === 'delay_delivery' ? delaySchema : schema, fault);
  const { kind, times = 1, types, endpoint } = fault;
  const pending = {
    id: state.ids.next('dflt'),
    kind,
    left: times,
    types: types === undefined ? null : [...types],
    endpoint: endpoint ?? null,
    delay: fault.kind === 'delay_delivery' ? toMilliseconds('faults.inject.by', fault.by) : 0,
    holding: [],
  };
  state.unit(() => state.objects.delivery_fault.add(pending));
  return pending.id;
}

/** Stores a fault while it has hits left or holds a delivery. */
export function keepFault({ objects }: State, fault: PendingDeliveryFault): void {
  if (fault.left > 0 || fault.holding.length > 0) objects.delivery_fault.replace(fault);
  else objects.delivery_fault.remove(fault.id);
}

/** Clears a fault of deliveries. Deliveries that it already holds keep waiting. */
export function withdrawDeliveryFault(state: State, fault: PendingDeliveryFault): void {
  keepFault(state, { ...fault, left: 0 });
}

export function clearDeliveryFaults(state: State): void {
  state.unit(() => {
    for (const fault of state.objects.delivery_fault.all()) withdrawDeliveryFault(state, fault);
  });
}

/** How long a reordered delivery waits for the next one, in milliseconds. */
const patience = hour;

export function hits({ left, types, endpoint }: PendingDeliveryFault, delivery: SandboxDelivery): boolean {
  if (left === 0) return false;
  if (endpoint !== null && endpoint !== delivery.endpointId) return false;
  return types === null || types.includes(delivery.type);
}

/** Applies a fault to a delivery. `publish` makes duplicates. */
export function withFault(delivery: PlannedDelivery, { kind, delay }: PendingDeliveryFault): SandboxDelivery {
  const { dueAt } = delivery;
  switch (kind) {
    case 'duplicate_delivery':
      return delivery;
    case 'reorder_delivery':
      return { ...delivery, held: true, dueAt: dueAt + patience };
    case 'delay_delivery':
      return { ...delivery, dueAt: dueAt + delay };
    case 'drop_delivery':
      return { ...delivery, status: 'dropped', dueAt: null };
    case 'forge_delivery':
      return { ...delivery, tampering: 'wrong_secret' };
    case 'tamper_delivery':
      return { ...delivery, tampering: 'altered_body' };
  }
}
