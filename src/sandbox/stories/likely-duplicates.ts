import { minute } from '../../base/time.ts';
import type { Facts } from './facts.ts';

/**
 * The maximum interval between two equal payments of a customer that count as a likely mistake, in ms of the
 * sandbox's clock.
 */
const maximumInterval = 10 * minute;

/** An order that kept its money, as a candidate for a duplicate. */
interface Payment<T> {
  readonly order: T;
  readonly at: number;
}

/** Returns a key that equal payments share; `undefined` if the buyer is unknown. */
function duplicateKey({ customer, email }: Facts, amount: number, currency: string): string | undefined {
  const buyer = customer ?? email;
  return buyer === null ? undefined : `${buyer} ${amount} ${currency}`;
}

function paymentsByKey<T>(orders: readonly (readonly [T, Facts])[]): Iterable<readonly Payment<T>[]> {
  const payments = new Map<string, Payment<T>[]>();
  for (const [order, facts] of orders) {
    for (const { amount, refunded, currency, at } of facts.captured) {
      const key = duplicateKey(facts, amount, currency);
      if (key === undefined || refunded >= amount) continue;
      payments.set(key, [...(payments.get(key) ?? []), { order, at }]);
    }
  }
  return payments.values();
}

/** Finds orders with the same amount and customer within ten minutes: a buyer may have clicked twice. */
export function findLikelyDuplicates<T>(orders: readonly (readonly [T, Facts])[]): ReadonlyMap<T, T> {
  const duplicates = new Map<T, T>();
  for (const equal of paymentsByKey(orders)) {
    const inTime = equal.toSorted((one, other) => one.at - other.at);
    for (const [index, one] of inTime.entries()) {
      const next = inTime[index + 1];
      if (next === undefined || next.order === one.order || next.at - one.at > maximumInterval) continue;
      duplicates.set(one.order, next.order);
      duplicates.set(next.order, one.order);
    }
  }
  return duplicates;
}
