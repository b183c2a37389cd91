import type { ResourceName } from '../../resources/resource-types.ts';

/** What one type of event carries. */
export interface CatalogEntry<Kind extends ResourceName = ResourceName, Operation extends string = string> {
  /** The kind of `data.object`. */
  readonly object: Kind;
  /** The follow-up actions that the event names. */
  readonly operations: readonly Operation[];
}

function entry<const Kind extends ResourceName, const Operation extends string = never>(
  object: Kind,
  operations: readonly Operation[] = [],
): CatalogEntry<Kind, Operation> {
  return { object, operations };
}

/**
 * The catalog: the 29 types of events, each with the kind of its `data.object` and its follow-up actions (*shown*).
 *
 * @example
 * eventCatalog['refund.failed'].operations; // ['retry']
 */
export const eventCatalog = {
  /** A checkout session was created. */
  'checkout.session.created': entry('checkout_session', ['expire', 'expand']),
  /** The payment completed and the funds are captured: fulfil on this one. */
  'checkout.session.completed': entry('checkout_session', ['refund']),
  /** An open session reached its expiration. */
  'checkout.session.expired': entry('checkout_session'),
  /** A terminal batch closed. */
  'terminal_batch.closed': entry('terminal_batch'),
  /** All its transactions matched without conflict. */
  'terminal_batch.reconciled': entry('terminal_batch'),
  /** Some of its transactions cannot be matched yet. */
  'terminal_batch.incomplete': entry('terminal_batch'),
  /** It must be reviewed before its totals can be confirmed. */
  'terminal_batch.needs_attention': entry('terminal_batch'),
  /** A charge is part of a settled batch. */
  'charge.settled': entry('charge'),
  /** A payment intent was created. */
  'payment_intent.created': entry('payment_intent', ['confirm', 'cancel']),
  /** Defined, and never sent by version 1 of the service. Handle it all the same. */
  'payment_intent.requires_action': entry('payment_intent'),
  /** Captured and succeeded, whether captured at once or by hand. */
  'payment_intent.succeeded': entry('payment_intent', ['refund']),
  /** An attempt was declined or cannot complete. */
  'payment_intent.payment_failed': entry('payment_intent', ['retry_with_new_payment_method']),
  /** Canceled, or voided before capture. */
  'payment_intent.canceled': entry('payment_intent'),
  /** A refund was created. */
  'refund.created': entry('refund'),
  /** A refund succeeded; its settlement may follow. */
  'refund.succeeded': entry('refund'),
  /** A refund's attempt failed. */
  'refund.failed': entry('refund', ['retry']),
  /** A refund is part of a settled batch. */
  'refund.settled': entry('refund'),
  /** An invoice was paid. Invoice events are delayed: never wait for one during the request that causes it. */
  'invoice.paid': entry('invoice'),
  /** An attempt was declined, and a retry is scheduled. */
  'invoice.payment_failed': entry('invoice', ['update_payment_method']),
  /** Dunning is exhausted; there is no further retry. */
  'invoice.marked_uncollectible': entry('invoice'),
  /** A subscription was created: once, before any update. */
  'subscription.created': entry('subscription', ['cancel']),
  /** Anything else about a subscription: read `data.object` for its new state. */
  'subscription.updated': entry('subscription', ['cancel']),
  /** A subscription was canceled at once; a scheduled cancellation is an update. */
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

/** Whether a type is one of the catalog. */
export function isCatalogType(type: string): type is CatalogEventType {
  return Object.hasOwn(eventCatalog, type);
}
