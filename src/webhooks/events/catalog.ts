import type { ResourceName } from '../../resources/resource-types.ts';

/** An entry of the catalog: what one event type carries. */
export type CatalogEntry<Kind extends ResourceName = ResourceName, Operation extends string = string> = {
  /** The kind of `data.object`. */
  readonly object: Kind;
  /** The follow-up actions that the event names. */
  readonly operations: readonly Operation[];
};

function entry<const Kind extends ResourceName, const Operation extends string = never>(
  object: Kind,
  operations: readonly Operation[] = [],
): CatalogEntry<Kind, Operation> {
  return { object, operations };
}

/**
 * The catalog of the 29 event types: the kind of each type's `data.object`, and its follow-up actions (*shown*).
 *
 * @example
 * eventCatalog['refund.failed'].operations; // ['retry']
 */
export const eventCatalog = {
  /** A checkout session was created. */
  'checkout.session.created': entry('checkout_session', ['expire', 'expand']),
  /** The payment completed and the funds are captured: ship the order on this event. */
  'checkout.session.completed': entry('checkout_session', ['refund']),
  /** An open session reached its expiration. */
  'checkout.session.expired': entry('checkout_session'),
  /** A terminal batch closed. */
  'terminal_batch.closed': entry('terminal_batch'),
  /** All transactions of the batch matched without conflict. */
  'terminal_batch.reconciled': entry('terminal_batch'),
  /** Some transactions of the batch cannot be matched yet. */
  'terminal_batch.incomplete': entry('terminal_batch'),
  /** The batch needs a review before its totals can be confirmed. */
  'terminal_batch.needs_attention': entry('terminal_batch'),
  /** A charge is part of a settled batch. */
  'charge.settled': entry('charge'),
  /** A payment intent was created. */
  'payment_intent.created': entry('payment_intent', ['confirm', 'cancel']),
  /** Defined in the interface, but version 1 of the service never sends it. Handle it anyway. */
  'payment_intent.requires_action': entry('payment_intent'),
  /** The payment was captured, automatically or manually, and succeeded. */
  'payment_intent.succeeded': entry('payment_intent', ['refund']),
  /** A payment attempt was declined or cannot complete. */
  'payment_intent.payment_failed': entry('payment_intent', ['retry_with_new_payment_method']),
  /** The intent was canceled, or voided before capture. */
  'payment_intent.canceled': entry('payment_intent'),
  /** A refund was created. */
  'refund.created': entry('refund'),
  /** A refund succeeded; its settlement may follow. */
  'refund.succeeded': entry('refund'),
  /** A refund attempt failed. */
  'refund.failed': entry('refund', ['retry']),
  /** A refund is part of a settled batch. */
  'refund.settled': entry('refund'),
  /** An invoice was paid. Invoice events are delayed: never wait for one within the request that causes it. */
  'invoice.paid': entry('invoice'),
  /** A payment attempt was declined, and a retry is scheduled. */
  'invoice.payment_failed': entry('invoice', ['update_payment_method']),
  /** Dunning is exhausted: no further retry follows. */
  'invoice.marked_uncollectible': entry('invoice'),
  /** A subscription was created. Sent once, before any update. */
  'subscription.created': entry('subscription', ['cancel']),
  /** Any other change of a subscription: read its new state from `data.object`. */
  'subscription.updated': entry('subscription', ['cancel']),
  /** A subscription was canceled immediately; a scheduled cancellation is sent as an update. */
  'subscription.canceled': entry('subscription'),
  /** A credit note was issued against an invoice. */
  'credit_note.created': entry('credit_note', ['void']),
  /** A credit note was voided. */
  'credit_note.voided': entry('credit_note'),
  /** A customer was created. */
  'customer.created': entry('customer', ['update', 'delete']),
  /** A customer's details changed. */
  'customer.updated': entry('customer', ['update', 'delete']),
  /** A customer was deleted, and can be restored. */
  'customer.deleted': entry('customer', ['restore']),
  /** A deleted customer was restored. */
  'customer.restored': entry('customer', ['update', 'delete']),
};

/** The types of events in the catalog. */
export type CatalogEventType = keyof typeof eventCatalog;

/** Returns whether the catalog contains a type. */
export function isCatalogType(type: string): type is CatalogEventType {
  return Object.hasOwn(eventCatalog, type);
}
