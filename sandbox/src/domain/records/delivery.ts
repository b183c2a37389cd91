import type { Inline } from '../../base/inline.ts';

/** One attempt to deliver an event. */
export type DeliveryAttempt = Inline<{
  /** The time of the sandbox's clock, in milliseconds since 1970. */
  readonly at: number;
  /** The status of the response; null without a response. */
  readonly status: number | null;
  /** Why there was no response; null if there was one. */
  readonly error: string | null;
  /** The first 1,000 characters of the response; empty without a response. */
  readonly responseText: string;
  /** The request headers, signature included; empty if signing failed. */
  readonly headers: Readonly<Record<string, string>>;
}>;

/**
 * The status of a delivery. `pending`: an attempt is scheduled. `delivered`: the endpoint responded 2xx. `failed`:
 * given up after the last attempt. `canceled`: its endpoint was deleted or disabled, or its event was dropped from
 * the store. `dropped`: dropped by a fault, never sent.
 */
export type DeliveryStatus = Inline<'pending' | 'delivered' | 'failed' | 'canceled' | 'dropped'>;

/** How a fault tampers with the first attempt of a delivery. Later attempts are correct. */
export type Tampering = Inline<'wrong_secret' | 'altered_body'>;

/** The delivery of an event to one endpoint. */
export interface SandboxDelivery {
  /** Its id, `dlv_…`. Retries belong to the same delivery; a duplicate and a replay are new ones. */
  readonly id: string;
  /** The event's id. */
  readonly eventId: string;
  /** The event's type. */
  readonly type: string;
  /** The endpoint's id. */
  readonly endpointId: string;
  /** The endpoint's URL when the delivery was scheduled. */
  readonly url: string;
  /** The status. */
  readonly status: DeliveryStatus;
  /** When the next attempt is due, in milliseconds since 1970 by the sandbox's clock; null if none is. */
  readonly dueAt: number | null;
  /** The attempts so far, oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
  /** Whether `replay` created it. */
  readonly replayed: boolean;
  /** How a fault tampers with its first attempt; null for no tampering. */
  readonly tampering: Tampering | null;
  /** Whether it waits for the endpoint's next delivery to overtake it. */
  readonly held: boolean;
}

/** A delivery that was just scheduled. */
export type PlannedDelivery = SandboxDelivery & { readonly dueAt: number };

/** Returns when a delivery is due, in milliseconds since 1970. */
export function deliveryDueAt({ status, dueAt }: SandboxDelivery): number | undefined {
  return status === 'pending' && dueAt !== null ? dueAt : undefined;
}

export const deliveryFaultKinds = [
  'duplicate_delivery',
  'reorder_delivery',
  'delay_delivery',
  'forge_delivery',
  'tamper_delivery',
  'drop_delivery',
] as const;

export type DeliveryFaultKind = (typeof deliveryFaultKinds)[number];

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
