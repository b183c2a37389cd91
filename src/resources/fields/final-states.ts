/**
 * The states after which no transition and no follow-up action of the interface leads to another state. The sandbox has all
 * transitions: `transitions.ts`.
 */
const finalStates: ReadonlyMap<unknown, readonly unknown[]> = /* @__PURE__ */ new Map([
  ['checkout_session', ['complete', 'expired']],
  ['payment_intent', ['succeeded', 'canceled']],
  ['refund', ['succeeded']],
  ['charge', ['succeeded']],
  ['invoice', ['paid', 'uncollectible']],
  ['subscription', ['canceled']],
  ['credit_note', ['void']],
]);

type Fields = Readonly<Record<string, unknown>>;

function isFinal(resource: unknown): boolean {
  const { object, status }: Fields = Object(resource);
  return finalStates.get(object)?.includes(status) === true;
}

/**
 * Returns whether a resource is in a final state: no transition and no follow-up action of the interface leads to another
 * state. A state that this version does not know is not final, and a `reconciled` terminal batch is not either: the interface lets a
 * closed batch become `incomplete` or `needs_attention`.
 *
 * @example
 * isTerminal(refund); // true once it succeeded; false while it is pending, and when it failed, since it can be retried
 */
export function isTerminal(resource: { readonly object: string }): boolean {
  return isFinal(resource);
}

/**
 * Whether a resource no longer changes by itself. It may rest in a state that is not final: a failed refund can be retried
 * (*shown*), and from a closed batch each reconciliation status can follow (*shown*). That neither changes by itself is *inferred*.
 */
export function isAtRest(resource: unknown): boolean {
  const { object, status, reconciliation_status }: Fields = Object(resource);
  const isFailedRefund = object === 'refund' && status === 'failed';
  const isReconciled = object === 'terminal_batch' && reconciliation_status === 'reconciled';
  return isFinal(resource) || isFailedRefund || isReconciled;
}
