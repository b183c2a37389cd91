import type { ShownKind } from '../../../domain/shown-kinds.ts';
import { SelectFilter } from '../kit/filters.tsx';
import { heading } from '../kit/format.ts';

/** The states of each kind, separated by spaces. */
const states: { readonly [Kind in ShownKind]?: string } = {
  payment_intent: 'requires_payment_method requires_action requires_capture succeeded canceled',
  charge: 'succeeded failed',
  refund: 'pending succeeded failed',
  checkout_session: 'open complete expired',
  transaction: 'authorized pending settled voided expired validated declined failed',
  subscription: 'incomplete active past_due canceled ended',
  invoice: 'open paid uncollectible',
  credit_note: 'issued void',
  terminal_batch: 'pending reconciled incomplete needs_attention',
};

/** A filter by state, for a kind that has states. */
export function StateFilter({ kind }: { readonly kind: string }) {
  const known = Object.entries(states).find(([name]) => name === kind)?.[1];
  if (known === undefined) return null;
  const options = known.split(' ').map((state) => [state, heading(state)] as const);
  return <SelectFilter name="state" label="State" options={options} />;
}
