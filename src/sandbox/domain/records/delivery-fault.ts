/** What goes wrong with deliveries. */
export const deliveryFaultKinds = [
  'duplicate_delivery',
  'reorder_delivery',
  'delay_delivery',
  'forge_delivery',
  'tamper_delivery',
  'drop_delivery',
] as const;

/** The kind of a fault of deliveries. */
export type DeliveryFaultKind = (typeof deliveryFaultKinds)[number];

/** A fault that waits for its deliveries. */
export interface PendingDeliveryFault {
  readonly id: string;
  readonly kind: DeliveryFaultKind;
  /** How many deliveries it still hits. */
  readonly left: number;
  /** The types that it hits; null for all. */
  readonly types: readonly string[] | null;
  /** The endpoint that it hits; null for any. */
  readonly endpoint: string | null;
  /** By how many milliseconds a delivery is late. */
  readonly delay: number;
  /** Deliveries that wait to be overtaken. */
  readonly holding: readonly string[];
}
