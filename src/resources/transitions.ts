/** One transition of a resource from a state to another, from the interface's table of states. */
export interface Transition<State extends string> {
  /** The states before the transition: `none` for a creation, `any` if the interface says so. */
  readonly from: readonly State[] | 'none' | 'any';
  /** Whether `from` is *inferred*, since the interface leaves it open. */
  readonly inferredFrom?: true;
  /** The cause. */
  readonly trigger: string;
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
      { from: 'none', trigger: 'create', to: 'open', event: 'checkout.session.created' },
      { from: ['open'], trigger: 'payment completes', to: 'complete', event: 'checkout.session.completed' },
      { from: ['open'], trigger: 'expiration is reached', to: 'expired', event: 'checkout.session.expired' },
    ],
  }),
  /** Payments. */
  payment_intent: stateMachine({
    field: 'status',
    states: ['requires_payment_method', 'requires_action', 'succeeded', 'canceled'],
    transitions: [
      { from: 'none', trigger: 'create', to: 'requires_payment_method', event: 'payment_intent.created' },
      {
        from: ['requires_payment_method', 'requires_action'],
        trigger: 'capture',
        to: 'succeeded',
        event: 'payment_intent.succeeded',
      },
      {
        from: ['requires_payment_method', 'requires_action'],
        inferredFrom: true,
        trigger: 'an attempt is declined',
        to: 'requires_payment_method',
        event: 'payment_intent.payment_failed',
      },
      {
        from: ['requires_payment_method', 'requires_action'],
        trigger: 'cancel or void',
        to: 'canceled',
        event: 'payment_intent.canceled',
      },
      {
        from: ['requires_payment_method'],
        inferredFrom: true,
        trigger: 'the buyer must authenticate',
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
      { from: 'none', trigger: 'create', to: 'pending', event: 'refund.created' },
      { from: ['pending'], trigger: 'the refund succeeds', to: 'succeeded', event: 'refund.succeeded' },
      {
        from: ['pending'],
        inferredFrom: true,
        trigger: 'the attempt fails',
        to: 'failed',
        event: 'refund.failed',
      },
      {
        from: ['succeeded'],
        trigger: 'its terminal batch settles',
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
        trigger: 'its terminal batch settles',
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
      { from: ['open'], trigger: 'a collection attempt is paid', to: 'paid', event: 'invoice.paid' },
      {
        from: ['open'],
        trigger: 'a collection attempt is declined',
        to: 'open',
        event: 'invoice.payment_failed',
      },
      {
        from: ['open'],
        trigger: 'dunning is exhausted',
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
      { from: 'none', trigger: 'create', to: 'incomplete', event: 'subscription.created' },
      { from: 'any', trigger: 'update', to: 'any', event: 'subscription.updated' },
      { from: 'any', trigger: 'cancel at once', to: 'canceled', event: 'subscription.canceled' },
    ],
  }),
  /** Reductions of invoices. */
  credit_note: stateMachine({
    field: 'status',
    states: ['issued', 'void'],
    transitions: [
      { from: 'none', trigger: 'create', to: 'issued', event: 'credit_note.created' },
      { from: ['issued'], trigger: 'void', to: 'void', event: 'credit_note.voided' },
    ],
  }),
  /** Buyers. */
  customer: stateMachine({
    field: 'deleted',
    states: ['false', 'true'],
    transitions: [
      { from: 'none', trigger: 'create', to: 'false', event: 'customer.created' },
      { from: 'any', trigger: 'update', to: 'false', event: 'customer.updated' },
      { from: ['false'], trigger: 'delete', to: 'true', event: 'customer.deleted' },
      { from: ['true'], trigger: 'restore', to: 'false', event: 'customer.restored' },
    ],
  }),
  /** Transactions settled together. `open` stands for a batch whose `status` is not yet `closed`. */
  terminal_batch: stateMachine({
    field: 'reconciliation_status',
    states: ['open', 'pending', 'reconciled', 'incomplete', 'needs_attention'],
    transitions: [
      { from: ['open'], trigger: 'the batch closes', to: 'pending', event: 'terminal_batch.closed' },
      {
        from: ['pending', 'incomplete', 'needs_attention'],
        trigger: 'every transaction is matched',
        to: 'reconciled',
        event: 'terminal_batch.reconciled',
      },
      {
        from: ['pending', 'needs_attention'],
        trigger: 'a transaction cannot be matched yet',
        to: 'incomplete',
        event: 'terminal_batch.incomplete',
      },
      {
        from: ['pending', 'incomplete'],
        trigger: 'the totals must be reviewed',
        to: 'needs_attention',
        event: 'terminal_batch.needs_attention',
      },
    ],
  }),
} as const;

/** The kinds of resources whose states are known. */
export type StatefulObject = keyof typeof transitions;

function leads(state: string, { from, to }: Transition<string>): boolean {
  if (to === state || to === 'any' || from === 'none') return false;
  return from === 'any' || from.includes(state);
}

/** The states of a refund that no transition of the interface leaves, but the operation `retry` of the event catalog. */
const retriedFrom: readonly string[] = [
  'failed',
] satisfies readonly (typeof transitions.refund.states)[number][];

function machineOf(resource: unknown) {
  const object: unknown = Reflect.get(Object(resource), 'object');
  return Object.entries(transitions).find(([name]) => name === object);
}

function stateOf(resource: unknown, field: string): string {
  return String(Reflect.get(Object(resource), field));
}

/** Whether a resource no longer changes by itself: no transition of the interface leads on from its state. */
export function isAtRest(resource: unknown): boolean {
  const [, machine] = machineOf(resource) ?? [];
  if (machine === undefined) return false;
  const state = stateOf(resource, machine.field);
  const states: readonly string[] = machine.states;
  const known: readonly Transition<string>[] = machine.transitions;
  return states.includes(state) && !known.some((transition) => leads(state, transition));
}

/**
 * Returns whether a resource is in a final state: no transition and no follow-up action of the interface leads to another
 * state. A state that this version does not know is not final.
 *
 * @example
 * isTerminal(refund); // true once it succeeded; false while it is pending, and when it failed, since it can be retried
 */
export function isTerminal(resource: { readonly object: string }): boolean {
  const [name, machine] = machineOf(resource) ?? [];
  if (machine === undefined || !isAtRest(resource)) return false;
  return !(name === 'refund' && retriedFrom.includes(stateOf(resource, machine.field)));
}
