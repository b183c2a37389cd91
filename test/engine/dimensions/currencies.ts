import fc from 'fast-check';

/** An amount of one currency, in minor units. */
export interface Money {
  readonly amount: number;
  readonly currency: 'usd' | 'eur';
}

/** Which currency: two at once in one episode, since each effect and each result must have that of its own operation. */
export const money: fc.Arbitrary<Money> = fc.record({
  amount: fc.integer({ min: 100, max: 10_100 }),
  currency: fc.constantFrom('usd', 'eur'),
});

/** What a mistaken caller changes. */
export const mistakes = ['none', 'amount', 'currency'] as const;

export type Mistake = (typeof mistakes)[number];

/** Returns the parameters of the mistaken caller. */
export function mistaken({ amount, currency }: Money, mistake: Mistake): Money {
  if (mistake === 'currency') return { amount, currency: currency === 'usd' ? 'eur' : 'usd' };
  return { amount: mistake === 'amount' ? amount + 1 : amount, currency };
}
