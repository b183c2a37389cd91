/** One try to deliver an event. */
export interface DeliveryAttempt {
  /** When, in milliseconds since 1970, by the sandbox's clock. */
  readonly at: number;
  /** The status of the response; null where none came. */
  readonly status: number | null;
  /** Why there was no response; null where there was one. */
  readonly error: string | null;
  /** The first 1,000 characters of the response; empty where there was none. */
  readonly responseText: string;
  /** The headers that were sent, the signature's too; none where it could not be signed. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Where a delivery stands. `pending`: due now or later, perhaps after failed attempts. `delivered`: answered with 2xx.
 * `failed`: given up after the last attempt. `canceled`: its endpoint was deleted or disabled, or its event is
 * forgotten. `dropped`: dropped on purpose, never sent.
 */
export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'canceled' | 'dropped';

/** Each of them. */
export const deliveryStatuses: readonly DeliveryStatus[] = [
  'pending',
  'delivered',
  'failed',
  'canceled',
  'dropped',
];

/** What is done to the first attempt of a delivery on purpose; attempts after it are right. */
export type Tampering = 'wrong_secret' | 'altered_body';

/** An event on its way to one endpoint. */
export interface SandboxDelivery {
  /** Its id, `dlv_…`. A repeated attempt is part of the same delivery; a duplicate and a replay are new ones. */
  readonly id: string;
  /** The event. */
  readonly eventId: string;
  /** The event's type. */
  readonly type: string;
  /** The endpoint. */
  readonly endpointId: string;
  /** The endpoint's address when the delivery was planned. */
  readonly url: string;
  /** Where it stands. */
  readonly status: DeliveryStatus;
  /** When the next attempt is due, in milliseconds since 1970 by the sandbox's clock; null where none is. */
  readonly dueAt: number | null;
  /** The attempts so far, oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
  /** Whether somebody asked for it by `replay`. */
  readonly replayed: boolean;
  /** What is done to its first attempt on purpose; null where nothing is. */
  readonly tampering: Tampering | null;
  /** Whether it waits to be overtaken by the endpoint's next delivery. */
  readonly held: boolean;
}

/** A delivery that was just planned. */
export type PlannedDelivery = SandboxDelivery & { readonly dueAt: number };

/** When a delivery is due, in milliseconds since 1970. */
export function deliveryDueAt({ status, dueAt }: SandboxDelivery): number | undefined {
  return status === 'pending' && dueAt !== null ? dueAt : undefined;
}
