import { checkOptions } from '../../base/check-options.ts';
import { integerFrom, unchecked } from '../../base/options.ts';
import * as s from '../../base/schema.ts';
import { hour } from '../../base/time.ts';
import type { PlannedDelivery, SandboxDelivery } from '../domain/records/delivery.ts';
import {
  type DeliveryFaultKind,
  deliveryFaultKinds,
  type PendingDeliveryFault,
} from '../domain/records/delivery-fault.ts';
import type { State } from '../domain/state.ts';
import { toMilliseconds } from '../store/duration.ts';

/** The conditions that all delivery faults share. */
interface Target {
  /** How many deliveries it hits. Default: 1. */
  readonly times?: number | undefined;
  /** The event types that it hits. Default: all. */
  readonly types?: readonly string[] | undefined;
  /** The id of the endpoint whose deliveries it hits. Default: any. */
  readonly endpoint?: string | undefined;
}

/** The event is delivered twice. */
export interface DuplicateDeliveryFault extends Target {
  /** The kind of fault. */
  readonly kind: 'duplicate_delivery';
}

/** The next delivery to the endpoint overtakes this one. If none follows within an hour, it is sent then. */
export interface ReorderDeliveryFault extends Target {
  /** The kind of fault. */
  readonly kind: 'reorder_delivery';
}

/** The delivery is delayed. */
export interface DelayDeliveryFault extends Target {
  /** The kind of fault. */
  readonly kind: 'delay_delivery';
  /** The delay: milliseconds, or a text such as `'1 hour'`. */
  readonly by: number | string;
}

/** The first attempt is signed with a wrong secret. */
export interface ForgeDeliveryFault extends Target {
  /** The kind of fault. */
  readonly kind: 'forge_delivery';
}

/** The body of the first attempt is changed after signing: `livemode` becomes true. */
export interface TamperDeliveryFault extends Target {
  /** The kind of fault. */
  readonly kind: 'tamper_delivery';
}

/** The delivery is dropped and not retried. */
export interface DropDeliveryFault extends Target {
  /** The kind of fault. */
  readonly kind: 'drop_delivery';
}

/** A fault between the service and the merchant's endpoint. */
export type DeliveryFault =
  | DuplicateDeliveryFault
  | ReorderDeliveryFault
  | DelayDeliveryFault
  | ForgeDeliveryFault
  | TamperDeliveryFault
  | DropDeliveryFault;

const target = {
  kind: unchecked<DeliveryFaultKind>(),
  times: s.optional(integerFrom(1)),
  types: s.optional(s.array(s.string())),
  endpoint: s.optional(s.string()),
};
const schema = s.strictObject(target);
// The reader of durations validates `by`.
const delaySchema = s.strictObject({ ...target, by: unchecked<string | number>() });

/** Whether a fault applies to deliveries. */
export function isDeliveryFault<Other extends { readonly kind: string }>(
  fault: DeliveryFault | Other,
): fault is DeliveryFault {
  return deliveryFaultKinds.some((kind) => kind === fault.kind);
}

/**
 * Arms a fault for the next matching deliveries. Each delivery meets the first fault that matches.
 *
 * @throws ConfigurationError when a field is out of range or unknown.
 */
export function injectDeliveryFault(state: State, fault: DeliveryFault): void {
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

/** Clears all faults of deliveries. */
export function clearDeliveryFaults(state: State): void {
  state.unit(() => {
    for (const fault of state.objects.delivery_fault.all()) withdrawDeliveryFault(state, fault);
  });
}

/** How long a reordered delivery waits for the next one, in milliseconds. */
const patience = hour;

/** Whether a fault hits a delivery. */
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
