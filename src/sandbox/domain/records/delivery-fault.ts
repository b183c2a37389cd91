/** What goes wrong with a delivery. */
export type DeliveryFaultKind = 'duplicate' | 'reorder' | 'delay' | 'wrong_secret' | 'altered_body' | 'lose';

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
