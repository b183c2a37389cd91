/** One transition of a resource from a state to another, from the interface's table of states. */
export interface Transition<State extends string> {
  /** The states before the transition: `none` for a creation, `any` if the interface says so. */
  readonly from: readonly State[] | 'none' | 'any';
  /** Whether `from` is *inferred*, since the interface leaves it open. */
  readonly inferredFrom?: true;
  /** The state after the transition: the same state if only other fields change, `any` if the interface leaves it open. */
  readonly to: State | 'any';
  /** The event that it emits. */
  readonly event: string;
  /** Whether the event is defined but never sent by this version of the service. */
  readonly reserved?: true;
}

/** The states of one kind of resource, and its transitions between them. */
export interface StateMachine<States extends readonly string[]> {
  /** The field that contains the state. */
  readonly field: string;
  /** The states that the interface names; others may exist. */
  readonly states: States;
  /** The transitions that the interface's events show; others may exist. */
  readonly transitions: readonly Transition<States[number]>[];
}

// A list of states, since the compiler prints a union of them in an order that changes from one build to the next.
function stateMachine<const States extends readonly string[]>(
  machine: StateMachine<States>,
): StateMachine<States> {
  return machine;
}

/** The states of a closed batch. The interface says `closed`, so even a reconciled batch may become incomplete. */
const closed = ['pending', 'reconciled', 'incomplete', 'needs_attention'] as const;

/**
 * The transitions of each kind of resource, by the name in its `object` field (*shown*, except `from` where `inferredFrom`
 * is set). The state of a customer is its field `deleted` (`false` or `true`). The state of a closed terminal batch is its
 * `reconciliation_status`.
 */
export const transitions = {
  /** Hosted checkouts. */
  checkout_session: stateMachine({
    field: 'status',
    states: ['open', 'complete', 'expired'],
    transitions: [
      { from: 'none', to: 'open', event: 'checkout.session.created' },
      { from: ['open'], to: 'complete', event: 'checkout.session.completed' },
      { from: ['open'], to: 'expired', event: 'checkout.session.expired' },
    ],
  }),
  /** Payments. */
  payment_intent: stateMachine({
    field: 'status',
    states: ['requires_payment_method', 'requires_action', 'succeeded', 'canceled'],
    transitions: [
      { from: 'none', to: 'requires_payment_method', event: 'payment_intent.created' },
      {
        from: ['requires_payment_method', 'requires_action'],
        to: 'succeeded',
        event: 'payment_intent.succeeded',
      },
      {
        from: ['requires_payment_method', 'requires_action'],
        inferredFrom: true,
        to: 'requires_payment_method',
        event: 'payment_intent.payment_failed',
      },
      {
        from: ['requires_payment_method', 'requires_action'],
        to: 'canceled',
        event: 'payment_intent.canceled',
      },
      {
        from: ['requires_payment_method'],
        inferredFrom: true,
        to: 'requires_action',
        event: 'payment_intent.requires_action',
        reserved: true,
      },
    ],
  }),
  /** Refunds of payments. */
  refund: stateMachine({
    field: 'status',
    states: ['pending', 'succeeded', 'failed'],
    transitions: [
      { from: 'none', to: 'pending', event: 'refund.created' },
      { from: ['pending'], to: 'succeeded', event: 'refund.succeeded' },
      {
        from: ['pending'],
        inferredFrom: true,
        to: 'failed',
        event: 'refund.failed',
      },
      {
        from: ['succeeded'],
        to: 'succeeded',
        event: 'refund.settled',
      },
    ],
  }),
  /** Money taken. */
  charge: stateMachine({
    field: 'status',
    states: ['succeeded'],
    transitions: [
      {
        from: ['succeeded'],
        to: 'succeeded',
        event: 'charge.settled',
      },
    ],
  }),
  /** Bills. */
  invoice: stateMachine({
    field: 'status',
    states: ['open', 'paid', 'uncollectible'],
    transitions: [
      { from: ['open'], to: 'paid', event: 'invoice.paid' },
      {
        from: ['open'],
        to: 'open',
        event: 'invoice.payment_failed',
      },
      {
        from: ['open'],
        to: 'uncollectible',
        event: 'invoice.marked_uncollectible',
      },
    ],
  }),
  /** Recurring billing. */
  subscription: stateMachine({
    field: 'status',
    states: ['incomplete', 'canceled'],
    transitions: [
      { from: 'none', to: 'incomplete', event: 'subscription.created' },
      { from: 'any', to: 'any', event: 'subscription.updated' },
      { from: 'any', to: 'canceled', event: 'subscription.canceled' },
    ],
  }),
  /** Reductions of invoices. */
  credit_note: stateMachine({
    field: 'status',
    states: ['issued', 'void'],
    transitions: [
      { from: 'none', to: 'issued', event: 'credit_note.created' },
      { from: ['issued'], to: 'void', event: 'credit_note.voided' },
    ],
  }),
  /** Buyers. */
  customer: stateMachine({
    field: 'deleted',
    states: ['false', 'true'],
    transitions: [
      { from: 'none', to: 'false', event: 'customer.created' },
      { from: 'any', to: 'false', event: 'customer.updated' },
      { from: ['false'], to: 'true', event: 'customer.deleted' },
      { from: ['true'], to: 'false', event: 'customer.restored' },
    ],
  }),
  /** Transactions settled together. `open` stands for a batch whose `status` is not yet `closed`. */
  terminal_batch: stateMachine({
    field: 'reconciliation_status',
    states: ['open', ...closed],
    transitions: [
      { from: ['open'], to: 'pending', event: 'terminal_batch.closed' },
      { from: closed, to: 'reconciled', event: 'terminal_batch.reconciled' },
      { from: closed, to: 'incomplete', event: 'terminal_batch.incomplete' },
      { from: closed, to: 'needs_attention', event: 'terminal_batch.needs_attention' },
    ],
  }),
} as const;

/** The kinds of resources whose states are known. */
export type StatefulObject = keyof typeof transitions;
