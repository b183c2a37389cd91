import { moneyText } from '../domain/money-text.ts';
import { minorUnitsOf } from '../domain/payments/transaction-amount.ts';
import type { Kind, Kinds } from '../domain/records/records.ts';
import type { State } from '../domain/state.ts';
import type { Due } from '../store/scheduler.ts';

/** An entry of the scheduler with a description. */
export interface DueSoon extends Due {
  /** The description, a sentence without its full stop. */
  readonly what: string;
}

const sentences: { readonly [One in Kind]?: (object: Kinds[One]) => string } = {
  delivery: ({ attempts, type, url }) =>
    `${attempts.length === 0 ? 'delivery' : 'retry'} of ${type} to ${url}`,
  transaction: ({ id, type, status, amount, currency }) => {
    const name = `${type} ${id} of ${moneyText(minorUnitsOf(amount), currency)}`;
    return `${name} ${status === 'authorized' ? 'expires' : 'is settled'}`;
  },
  checkout_session: ({ id, amount_total, currency }) =>
    `checkout session ${id} of ${moneyText(amount_total, currency)} expires`,
  refund: ({ id, amount, currency }) => `refund ${id} of ${moneyText(amount, currency)} succeeds or fails`,
  invoice: ({ number, amount_remaining, currency }) =>
    `invoice ${number} of ${moneyText(amount_remaining, currency)} is collected`,
  subscription: ({ id, cancel_at_period_end }) =>
    `subscription ${id} ${cancel_at_period_end ? 'ends' : 'is renewed'}`,
  unsettled_amount: ({ id, kind }) => `${kind} ${id} is settled`,
};

/** The cast to `never` holds since each function gets objects of its own kind, which the compiler cannot follow. */
const sentenceOf: ReadonlyMap<string, (object: never) => string> = new Map(Object.entries(sentences));

/** Returns the next entries of the scheduler, at most `count`, earliest first. */
export function dueSoon(state: State, count: number): readonly DueSoon[] {
  const collections: ReadonlyMap<string, { get(id: string): unknown }> = new Map(
    Object.entries(state.objects),
  );
  return state.next(count).map((due) => {
    const object = collections.get(due.kind)?.get(due.id);
    return { ...due, what: sentenceOf.get(due.kind)?.(object as never) ?? `${due.kind} ${due.id}` };
  });
}
