/** The kinds of delivery faults. */
export const deliveryFaultKinds = [
  'duplicate_delivery',
  'reorder_delivery',
  'delay_delivery',
  'forge_delivery',
  'tamper_delivery',
  'drop_delivery',
] as const;

/** The kind of a delivery fault. */
export type DeliveryFaultKind = (typeof deliveryFaultKinds)[number];

/** An armed fault of deliveries. */
export interface PendingDeliveryFault {
  readonly id: string;
  readonly kind: DeliveryFaultKind;
  /** How many more deliveries it hits. */
  readonly left: number;
  /** The event types that it hits; null for all. */
  readonly types: readonly string[] | null;
  /** The endpoint whose deliveries it hits; null for any. */
  readonly endpoint: string | null;
  /** The delay, in milliseconds. */
  readonly delay: number;
  /** Deliveries that wait to be overtaken. */
  readonly holding: readonly string[];
}
