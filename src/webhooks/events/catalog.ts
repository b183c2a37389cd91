import type { ResourceName } from '../../resources/resource-types.ts';

/** What the interface says of an event type (*shown*). */
export interface CatalogEntry {
  /** The kind of `data.object`. */
  readonly object: ResourceName;
  /** The follow-up actions. */
  readonly operations: readonly string[];
  /** The fields of the object that have one value, by the row of the table of states. */
  readonly state?: Readonly<Record<string, string | boolean | null>>;
  /** The fields of the object that are set, by the same row. */
  readonly set?: readonly string[];
}

/**
 * The catalog of the 29 event types: the kind of each type's `data.object`, its follow-up actions, and the state that the object
 * has by the table of states (*shown*).
 */
export const eventCatalog = {
  /** A checkout session was created. */
  'checkout.session.created': {
    object: 'checkout_session',
    operations: ['expire', 'expand'],
    state: { status: 'open', payment_status: 'unpaid' },
  },
  /** The payment completed and the funds are captured: ship the order on this event. */
  'checkout.session.completed': {
    object: 'checkout_session',
    operations: ['refund'],
    state: { status: 'complete', payment_status: 'paid' },
  },
  /** An open session reached its expiration. */
  'checkout.session.expired': { object: 'checkout_session', operations: [], state: { status: 'expired' } },
  /** A terminal batch closed. */
  'terminal_batch.closed': {
    object: 'terminal_batch',
    operations: [],
    state: { status: 'closed', reconciliation_status: 'pending' },
  },
  /** All transactions of the batch matched without conflict. */
  'terminal_batch.reconciled': {
    object: 'terminal_batch',
    operations: [],
    state: { reconciliation_status: 'reconciled' },
  },
  /** Some transactions of the batch cannot be matched yet. */
  'terminal_batch.incomplete': {
    object: 'terminal_batch',
    operations: [],
    state: { reconciliation_status: 'incomplete' },
  },
  /** The batch needs a review before its totals can be confirmed. */
  'terminal_batch.needs_attention': {
    object: 'terminal_batch',
    operations: [],
    state: { reconciliation_status: 'needs_attention' },
  },
  /** A charge is part of a settled batch. */
  'charge.settled': {
    object: 'charge',
    operations: [],
    state: { status: 'succeeded' },
    set: ['settled_at', 'settlement_batch_id'],
  },
  /** A payment intent was created. */
  'payment_intent.created': {
    object: 'payment_intent',
    operations: ['confirm', 'cancel'],
    state: { status: 'requires_payment_method' },
  },
  /** Defined in the interface, but version 1 of the service never sends it. Handle it anyway. */
  'payment_intent.requires_action': {
    object: 'payment_intent',
    operations: [],
    state: { status: 'requires_action' },
  },
  /** The payment was captured, automatically or manually, and succeeded. */
  'payment_intent.succeeded': {
    object: 'payment_intent',
    operations: ['refund'],
    state: { status: 'succeeded' },
  },
  /** A payment attempt was declined or cannot complete. */
  'payment_intent.payment_failed': {
    object: 'payment_intent',
    operations: ['retry_with_new_payment_method'],
    state: { status: 'requires_payment_method', payment_method: null },
  },
  /** The intent was canceled, or voided before capture. */
  'payment_intent.canceled': { object: 'payment_intent', operations: [], state: { status: 'canceled' } },
  /** A refund was created. */
  'refund.created': { object: 'refund', operations: [], state: { status: 'pending' } },
  /** A refund succeeded; its settlement may follow. */
  'refund.succeeded': { object: 'refund', operations: [], state: { status: 'succeeded' } },
  /** A refund attempt failed. */
  'refund.failed': { object: 'refund', operations: ['retry'], state: { status: 'failed' } },
  /** A refund is part of a settled batch. */
  'refund.settled': {
    object: 'refund',
    operations: [],
    state: { status: 'succeeded' },
    set: ['settled_at', 'settlement_batch_id'],
  },
  /** An invoice was paid. Invoice events are delayed: never wait for one within the request that causes it. */
  'invoice.paid': { object: 'invoice', operations: [], state: { status: 'paid' } },
  /** A payment attempt was declined, and a retry is scheduled. */
  'invoice.payment_failed': {
    object: 'invoice',
    operations: ['update_payment_method'],
    state: { status: 'open' },
    set: ['next_payment_attempt_at'],
  },
  /** Dunning is exhausted: no further retry follows. */
  'invoice.marked_uncollectible': { object: 'invoice', operations: [], state: { status: 'uncollectible' } },
  /** A subscription was created. Sent once, before any update. */
  'subscription.created': { object: 'subscription', operations: ['cancel'], state: { status: 'incomplete' } },
  /** Any other change of a subscription: read its new state from `data.object`. */
  'subscription.updated': { object: 'subscription', operations: ['cancel'] },
  /** A subscription was canceled immediately; a scheduled cancellation is sent as an update. */
  'subscription.canceled': { object: 'subscription', operations: [], state: { status: 'canceled' } },
  /** A credit note was issued against an invoice. */
  'credit_note.created': { object: 'credit_note', operations: ['void'], state: { status: 'issued' } },
  /** A credit note was voided. */
  'credit_note.voided': {
    object: 'credit_note',
    operations: [],
    state: { status: 'void' },
    set: ['voided_at'],
  },
  /** A customer was created. */
  'customer.created': { object: 'customer', operations: ['update', 'delete'], state: { deleted: false } },
  /** A customer's details changed. */
  'customer.updated': { object: 'customer', operations: ['update', 'delete'], state: { deleted: false } },
  /** A customer was deleted, and can be restored. */
  'customer.deleted': { object: 'customer', operations: ['restore'], state: { deleted: true } },
  /** A deleted customer was restored. */
  'customer.restored': { object: 'customer', operations: ['update', 'delete'], state: { deleted: false } },
} as const satisfies Readonly<Record<string, CatalogEntry>>;

/** The types of events in the catalog. */
export type CatalogEventType = keyof typeof eventCatalog;

/** Returns whether the catalog contains a type. */
export function isCatalogType(type: string): type is CatalogEventType {
  return Object.hasOwn(eventCatalog, type);
}
