import type { State } from '../domain/state.ts';

/** The payments of a currency by result. */
export interface PaymentCounts {
  readonly payments: {
    /** The number of charges and transactions that succeeded. */
    readonly succeeded: number;
    /** The number of declined attempts. */
    readonly declined: number;
    /** The number of payment intents and authorizations that wait for a payment or a capture. */
    readonly open: number;
  };
  /** Decline codes of charges and transactions, most frequent first. */
  readonly decline_reasons: readonly { readonly code: string; readonly count: number }[];
}

/** Accumulates the counts. */
class Counter {
  succeeded = 0;
  open = 0;
  readonly #reasons = new Map<string, number>();

  decline(code: string): void {
    this.#reasons.set(code, (this.#reasons.get(code) ?? 0) + 1);
  }

  counts(): PaymentCounts {
    const reasons = [...this.#reasons].map(([code, count]) => ({ code, count }));
    const declined = reasons.reduce((sum, { count }) => sum + count, 0);
    return {
      payments: { succeeded: this.succeeded, declined, open: this.open },
      decline_reasons: reasons.sort((one, other) => other.count - one.count),
    };
  }
}

const ended: readonly string[] = ['succeeded', 'canceled'];

/** Counts the payments of each currency over all time. */
export function paymentCounts({ objects }: State): ReadonlyMap<string, PaymentCounts> {
  const counters = new Map<string, Counter>();
  const of = (currency: string): Counter => {
    const counter = counters.get(currency) ?? new Counter();
    counters.set(currency, counter);
    return counter;
  };
  for (const { currency, status, decline_code: code } of objects.charge.all()) {
    if (status === 'succeeded') of(currency).succeeded += 1;
    else of(currency).decline(code ?? 'unknown');
  }
  for (const { currency, status } of objects.payment_intent.all()) {
    if (!ended.includes(status)) of(currency).open += 1;
  }
  for (const { type, currency, approved, status, responseCode: code } of objects.transaction.all()) {
    if (type !== 'sale' && type !== 'auth') continue;
    if (!approved) of(currency).decline(code);
    else if (status === 'authorized') of(currency).open += 1;
    else if (status === 'pending' || status === 'settled') of(currency).succeeded += 1;
  }
  return new Map([...counters].map(([currency, counter]) => [currency, counter.counts()]));
}
