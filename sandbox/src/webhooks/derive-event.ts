import type { CatalogEventType } from '../base/interface-types.ts';
import type { Kind, Kinds } from '../domain/records/records.ts';
import type { Change } from '../domain/state.ts';

/** Returns the event type of a change; `undefined` if the catalog has none. */
type Derivation<T> = (before: T | undefined, after: T) => CatalogEventType | undefined;

type Derivations = { readonly [One in Kind]?: Derivation<Kinds[One]> };

/** Returns all fields but the time of the change, as one text. */
function detailsOf({ updated_at: _, deleted: __, ...details }: Kinds['customer']): string {
  return JSON.stringify(details);
}

function reached<T extends { readonly status: string }>(
  before: T | undefined,
  after: T,
  status: string,
): boolean {
  return after.status === status && before?.status !== status;
}

/**
 * Derives each event of the catalog from the change behind it, so that requests, the clock and tests emit the same
 * events. `payment_intent.requires_action` is never derived.
 */
const derivations: Derivations = {
  checkout_session: (before, after) => {
    if (before === undefined) return 'checkout.session.created';
    if (reached(before, after, 'complete')) return 'checkout.session.completed';
    return reached(before, after, 'expired') ? 'checkout.session.expired' : undefined;
  },
  payment_intent: (before, after) => {
    if (before === undefined) return 'payment_intent.created';
    if (reached(before, after, 'succeeded')) return 'payment_intent.succeeded';
    if (reached(before, after, 'canceled')) return 'payment_intent.canceled';
    // A declined attempt adds a charge, but does not change the intent's status.
    const attempted = before.latest_charge_id !== after.latest_charge_id;
    return attempted && after.status === 'requires_payment_method'
      ? 'payment_intent.payment_failed'
      : undefined;
  },
  charge: (before, after) =>
    before?.settled_at === null && after.settled_at !== null ? 'charge.settled' : undefined,
  refund: (before, after) => {
    if (before === undefined) return 'refund.created';
    if (reached(before, after, 'succeeded')) return 'refund.succeeded';
    if (reached(before, after, 'failed')) return 'refund.failed';
    return before.settled_at === null && after.settled_at !== null ? 'refund.settled' : undefined;
  },
  invoice: (before, after) => {
    if (before === undefined) return undefined;
    if (reached(before, after, 'paid')) return 'invoice.paid';
    if (reached(before, after, 'uncollectible')) return 'invoice.marked_uncollectible';
    return after.attempt_count > before.attempt_count ? 'invoice.payment_failed' : undefined;
  },
  subscription: (before, after) => {
    if (before === undefined) return 'subscription.created';
    return reached(before, after, 'canceled') ? 'subscription.canceled' : 'subscription.updated';
  },
  credit_note: (before, after) => {
    if (before === undefined) return 'credit_note.created';
    return reached(before, after, 'void') ? 'credit_note.voided' : undefined;
  },
  customer: (before, after) => {
    if (before === undefined) return 'customer.created';
    if (!before.deleted && after.deleted) return 'customer.deleted';
    const restored = before.deleted && !after.deleted && detailsOf(before) === detailsOf(after);
    return restored ? 'customer.restored' : 'customer.updated';
  },
  terminal_batch: (before, after) => {
    if (before !== undefined && reached(before, after, 'closed')) return 'terminal_batch.closed';
    if (before === undefined || before.reconciliation_status === after.reconciliation_status)
      return undefined;
    switch (after.reconciliation_status) {
      case 'reconciled':
        return 'terminal_batch.reconciled';
      case 'incomplete':
        return 'terminal_batch.incomplete';
      case 'needs_attention':
        return 'terminal_batch.needs_attention';
      default:
        return undefined;
    }
  },
};

/** Returns the event type of a change; `undefined` if it has none. */
export function eventTypeOf({ kind, before, after }: Change): CatalogEventType | undefined {
  // A change carries objects of its own kind, which the compiler cannot follow.
  const derive: Derivation<never> | undefined = derivations[kind];
  return after === undefined ? undefined : derive?.(before as never, after as never);
}
